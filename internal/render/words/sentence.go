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

// mostNames is how many names a sentence has at most.
const mostNames = 50

// And lists names in a sentence: a; a and b; a, b and c. Of very many it has the first.
func And(names []string) string {
	if len(names) > mostNames {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Own lists who own something: a owns; a and b own.
func Own(names []string) string {
	return And(names) + " " + Owns(len(names))
}

// Owns is what so many do.
func Owns(n int) string {
	if n == 1 {
		return "owns"
	}
	return "own"
}

// Sentence begins with a capital.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Fault is what is wrong, as a message says it, with what may be meant, or what to
// do about a common mistake.
func Fault(message string, c report.Cause) string {
	if len(c.Nearest) > 0 {
		return message + "; did you mean " + strings.Join(c.Nearest, " or ") + "?"
	}
	if cure := cures[c.Mistake]; cure != "" {
		return message + ": " + cure
	}
	return message
}

var cures = map[report.Mistake]string{
	report.UnquotedBoolean: "put it in quotes; YAML reads yes, no, on, off, y and n as booleans",
	report.UnquotedNumber:  "put it in quotes",
	report.Quoted:          "leave out the quotes",
	report.Empty:           `nothing after the colon is null; write "" for an empty text`,
	report.FromLive:        "the manifest is a live object; remove what the server writes: metadata.managedFields, resourceVersion, uid, creationTimestamp and generation, and status",
	report.OtherObject:     "the manifest was copied from a live object, and asks for that one; remove the line, which an apply does not need",
}
