package causes

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// ofMerge is the mistake that a value of another type than the merge schema's is.
func ofMerge(message string) report.Mistake {
	want, got, ok := strings.Cut(message, gotValue)
	got, _, _ = strings.Cut(got, " ")
	if want, expected := strings.CutPrefix(want, expectedType); ok && expected {
		return between(want, got)
	}
	return ""
}

// between is the mistake that a value of one type for another is, by the names that
// the merge schema, JSON or Go have for them.
func between(want, got string) report.Mistake {
	text, got := want == "string", strings.TrimSuffix(got, "ean")
	switch {
	case text && got == "bool":
		return report.UnquotedBoolean
	case text && got == "number":
		return report.UnquotedNumber
	case text && got == "null":
		return report.Empty
	case got == "string" && (strings.HasPrefix(want, "numeric") || strings.HasPrefix(want, "bool") ||
		strings.HasPrefix(want, "int") || strings.HasPrefix(want, "float")):
		return report.Quoted
	}
	return ""
}

// fromLive is for a manifest that has managed fields: who applies must not.
func (q *Question) fromLive(message string) []report.Cause {
	if message != managedNil {
		return nil
	}
	path := fieldpath.MakePathOrDie("metadata", "managedFields")
	return []report.Cause{
		{
			Field:   path.String(),
			Message: strings.TrimPrefix(message, "metadata.managedFields "),
			Mistake: report.FromLive,
			Source:  q.line(path),
		},
	}
}

// conditions are the fields of metadata by which a body says which object it is about,
// and what the server says where the live object is another one, or there is none.
var conditions = []struct{ field, phrase string }{{"resourceVersion", modified}, {"uid", mismatch}}

// precondition is for a body with the version or the id of a live object, which only an
// apply has by mistake: an update means it.
func (q *Question) precondition(message string) []report.Cause {
	body, _ := q.Body.(map[string]any)
	metadata, _ := body["metadata"].(map[string]any)
	for _, c := range conditions {
		if at := strings.Index(message, c.phrase); at >= 0 && metadata[c.field] != nil {
			path := fieldpath.MakePathOrDie("metadata", c.field)
			cause := report.Cause{Field: path.String(), Message: message[at:], Source: q.line(path)}
			if q.Verb == api.Apply {
				cause.Mistake = report.OtherObject
			}
			return []report.Cause{cause}
		}
	}
	return nil
}

// Kind is what a cause of a refusal is about.
type Kind string

// The kinds of cause.
const (
	// Unknown: the type has no such field.
	Unknown Kind = "Unknown"
	// Mistyped: the value is of another type.
	Mistyped Kind = "Mistyped"
	// Repeated: two items of a list have the same keys, or are the same value.
	Repeated Kind = "Repeated"
	// Keyless: an item lacks a key of its list, or cannot have one.
	Keyless Kind = "Keyless"
	// TwiceWritten: a key of a map stands twice in the text.
	TwiceWritten Kind = "TwiceWritten"
	// Immutable: the field cannot be changed once the object is there.
	Immutable Kind = "Immutable"
	// ManagedFieldsSet: the applied configuration has managed fields.
	ManagedFieldsSet Kind = "ManagedFieldsSet"
	// Modified: the object has another resourceVersion by now.
	Modified Kind = "Modified"
	// Invalid is anything else.
	Invalid Kind = "Invalid"
)

// KindOf reads what a cause is about out of its message.
func KindOf(c report.Cause) Kind {
	m := c.Message
	switch {
	case m == notDeclared || m == unknownField:
		return Unknown
	case strings.HasPrefix(m, repeatedItem):
		return Repeated
	case strings.HasPrefix(m, ofElement):
		return Keyless
	case m == repeatField || strings.HasSuffix(m, repeatedKey):
		return TwiceWritten
	case strings.HasPrefix(m, expectedType) && strings.Contains(m, gotValue):
		return Mistyped
	case strings.HasSuffix(m, immutable):
		return Immutable
	case strings.Contains(m, managedNil):
		return ManagedFieldsSet
	case strings.Contains(m, modified):
		return Modified
	}
	return Invalid
}

// mostMeant is how many fields are offered for one that does not exist.
const mostMeant = 3

// meant are fields that the author may have meant by an unknown one, the likeliest first: a
// similar name at its place, else its name nearby (wrong indentation).
func (w *asked) meant(c report.Cause) []string {
	if c.Message != notDeclared && c.Message != unknownField || w.rest != "" || len(w.path) == 0 {
		return nil
	}
	name := w.path[len(w.path)-1].FieldName
	if name == nil {
		return nil
	}
	parent, ok := strings.CutSuffix(c.Field, *name)
	if !ok {
		return nil
	}
	out := w.alike(*name, parent)
	if out == nil {
		out = w.nearby(*name, parent)
	}
	return out[:min(len(out), mostMeant)]
}

// alike are fields of the same parent with similar names.
func (w *asked) alike(name, parent string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var list []candidate
	typed := strings.ToLower(name)
	for _, n := range w.shapes[len(w.shapes)-2].Names() {
		have := strings.ToLower(n)
		d := suggest.Distance(typed, have)
		if d <= max(1, len(typed)/3) || len(typed) > 2 && strings.HasPrefix(have, typed) {
			list = append(list, candidate{n, d})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range list {
		if c.distance > 0 && list[0].distance == 0 {
			break // of another case, and no more than that
		}
		out = append(out, parent+c.name)
	}
	return out
}

// nearby are fields of that very name in the parents of the field and one level below them,
// the nearest first: only those in what the body has, where there are any. Never in status,
// which users do not write by hand.
func (w *asked) nearby(name, parent string) []string {
	var out, written []string
	last := len(w.path) - 1
	for i := last; i >= 0; i-- {
		prefix := parent
		if i < last {
			// As the server writes the path: with or without a dot in front.
			if prefix = w.path[:i].String() + "."; !strings.HasPrefix(parent, ".") {
				prefix = strings.TrimPrefix(prefix, ".")
			}
			if slices.Contains(w.shapes[i].Names(), name) {
				out, written = append(out, prefix+name), append(written, prefix+name)
			}
		}
		body, _ := w.bodies[i].(map[string]any)
		for _, n := range w.shapes[i].Names() {
			below := w.path[i].FieldName != nil && *w.path[i].FieldName == n
			if !below && (i > 0 || n != "status") && slices.Contains(w.shapes[i].Field(n).Names(), name) {
				out = append(out, prefix+n+"."+name)
				if object, _ := body[n].(map[string]any); object != nil {
					written = append(written, prefix+n+"."+name)
				}
			}
		}
	}
	if len(written) > 0 {
		return written
	}
	return out
}
