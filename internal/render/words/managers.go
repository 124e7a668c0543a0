package words

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
)

// Where is the namespace and the subresource, in brackets after a space; empty
// without either.
func Where(t report.Target) string {
	var parts []string
	if t.Namespace != "" {
		parts = append(parts, "namespace "+glyph.Visible(t.Namespace))
	}
	if t.Subresource != "" {
		parts = append(parts, "subresource "+glyph.Visible(t.Subresource))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Writer names a managed fields entry.
func Writer(w report.Writer) string { return w.Manager + " " + WriterRole(w) }

// WriterRole is how a writer writes, in brackets.
func WriterRole(w report.Writer) string {
	operation := w.Operation
	if w.Subresource != "" {
		operation += " of " + w.Subresource
	}
	if w.APIVersion != "" {
		operation += " at " + w.APIVersion
	}
	return "(" + operation + ")"
}

// Writers names field managers without their API versions.
func Writers(writers []report.Writer) string {
	names := make([]string, len(writers))
	for i, w := range writers {
		w.APIVersion = ""
		names[i] = Writer(w)
	}
	return strings.Join(names, ", ")
}

// Interrupted says how far a run came.
func Interrupted(i report.Interruption) string {
	return fmt.Sprintf("interrupted after %d of %s", i.Answered, Count(i.Total, "object"))
}

// Count is a number with its noun in the right form; of most nouns that is an s.
func Count(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case y && !strings.HasSuffix(stem, "e"):
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Agree is the word that goes with a number: the first with one, the second with others.
func Agree(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Them is the pronoun of so many.
func Them(n int) string { return Agree(n, "it", "them") }

// Some names the first elements of a list: "a, b and 3 more".
func Some(list []string, most, all int) string {
	list = list[:min(most, len(list))]
	if len(list) == all {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list, ", "), all-len(list))
}

// Plural is a kind in the plural, as people write it.
func Plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "ss"), strings.HasSuffix(kind, "x"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	case strings.HasSuffix(kind, "s"):
		return kind
	case strings.HasSuffix(kind, "y") && !strings.HasSuffix(kind, "ey") && !strings.HasSuffix(kind, "ay"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}
