package causes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/suggest"
)

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
	for _, n := range w.above().Names() {
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
// the nearest first. Never in status, which users do not write by hand.
func (w *asked) nearby(name, parent string) []string {
	var out []string
	last := len(w.path) - 1
	for i := last; i >= 0; i-- {
		prefix := parent
		if i < last {
			prefix = w.prefix(i, parent)
			if slices.Contains(w.shapes[i].Names(), name) {
				out = append(out, prefix+name)
			}
		}
		for _, n := range w.shapes[i].Names() {
			below := w.path[i].FieldName != nil && *w.path[i].FieldName == n
			if !below && (i > 0 || n != "status") && slices.Contains(w.shapes[i].Field(n).Names(), name) {
				out = append(out, prefix+n+"."+name)
			}
		}
	}
	return out
}

// prefix is the path of so many elements as the server writes those of fields in
// it, with or without a dot in front.
func (w *asked) prefix(elements int, like string) string {
	text := w.path[:elements].String() + "."
	if !strings.HasPrefix(like, ".") {
		text = strings.TrimPrefix(text, ".")
	}
	return text
}
