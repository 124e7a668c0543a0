// Package words names things in one line, in the words of all formats: objects,
// sources, field managers, times, counts and values. What it gives is safe to
// print.
package words

import (
	"fmt"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Object is the name as kubectl -o name prints it.
func Object(t report.Target) string { return glyph.Visible(t.Reference()) }

// FileName is the name that kubectl diff gives an object's file, with what a
// file name or a diff header cannot carry percent-encoded.
func FileName(t report.Target) string {
	group, version := GroupVersion(t.APIVersion)
	if group != "" {
		group += "."
	}
	name := group + version + "." + t.Kind + "." + t.Namespace + "." + t.Name
	if t.Subresource != "" {
		name += "." + t.Subresource
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		if c == '.' || c == '-' || c == ':' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' ||
			'A' <= c && c <= 'Z' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// GroupVersion splits an apiVersion; the core group is empty.
func GroupVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// Place is file:line, or the file with the document where no line is known.
func Place(s *report.Source) string {
	switch {
	case s == nil || s.File == "":
		return ""
	case s.Line > 0:
		return fmt.Sprintf("%s:%d", glyph.Visible(FileOrStdin(s.File)), s.Line)
	case s.Document > 1:
		return fmt.Sprintf("%s, document %d", glyph.Visible(FileOrStdin(s.File)), s.Document)
	}
	return glyph.Visible(FileOrStdin(s.File))
}

// FileOrStdin names a file in a sentence.
func FileOrStdin(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

// Date is a time as the text format shows it; empty for none.
func Date(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Age counts from t to now in the largest fitting unit; empty without either,
// and for a time that is still to come.
func Age(t *time.Time, now time.Time) string {
	if t == nil || now.IsZero() || now.Before(*t) {
		return ""
	}
	d := now.Sub(*t)
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}

// Since is date and age together.
func Since(t *time.Time, now time.Time) string {
	if t == nil {
		return "no time recorded"
	}
	if a := Age(t, now); a != "" {
		return "since " + Date(t) + " (" + a + " ago)"
	}
	return "since " + Date(t)
}

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

// Operation is that of a managed fields entry with its subresource.
func Operation(operation, subresource string) string {
	if subresource != "" {
		return operation + " of " + subresource
	}
	return operation
}

// WriterRole is how a writer writes, in brackets.
func WriterRole(w report.Writer) string {
	operation := Operation(w.Operation, w.Subresource)
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

// Interrupted says how far a run came; empty for one that came to its end.
func Interrupted(i *report.Interruption) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf("interrupted after %d of %s", i.Answered, Count(i.Total, "object"))
}

// Count is a number with its noun in the right form; of most nouns that is an s.
func Count(n int, noun string) string { return text.Count(n, noun).Name }

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
func Own(names []string) string { return And(names) + " " + Owns(len(names)) }

// Owns is what so many do.
func Owns(n int) string { return Agree(n, "owns", "own") }

// Sentence begins with a capital.
func Sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
