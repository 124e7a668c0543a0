package lint

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

var givenTwice = finding.Rule{
	Name: "given-twice", Severity: report.SeverityWarning,
	Title: "An object is given twice in the inputs.",
	Why:   "Who applies both as one field manager removes with the second what only the first has, at every run.",
	Fix:   "keep one of the two, or merge them",
}

var clientRewrites = finding.Rule{
	Name: "client-rewrites", Severity: report.SeverityNote,
	Title: "A typed client writes another spelling of a value of a custom resource.",
	Why:   "The API server stores values of custom resources as they are written. A controller in Go that updates the whole object writes durations, quantities and times in its own spelling, and owns the field from then on: the next apply of the manifest conflicts, or sets it back where it forces.",
}

// findTwice finds an object that the inputs have before.
func findTwice(s *subject) {
	if s.First != nil {
		s.find(
			givenTwice,
			nil,
			text.New("the object is given twice: at %v and at %v", fileLine(*s.First), fileLine(s.Source)),
		)
	}
}

// fileLine is a place as file:line.
func fileLine(s report.Source) text.Arg {
	if s.Line == 0 {
		return text.Name(s.File)
	}
	return text.Name(fmt.Sprintf("%s:%d", s.File, s.Line))
}

// findRespelled finds values of a custom resource that a typed client spells otherwise: the
// server stores them as they are written.
func findRespelled(s *subject) {
	if s.Fields == nil || s.Object == nil {
		return
	}
	for _, leaf := range s.Shape.Leaves(s.Object) {
		if managedfields.Untracked(leaf.Path) || s.seen[s.field(leaf.Path)] {
			continue
		}
		respelledIn(s, leaf.Value, leaf.Path)
	}
}

// respelledIn looks at a value, or at those in an atomic list or map.
func respelledIn(s *subject, v any, path fieldpath.Path) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			respelledIn(s, v[key], below(path, key))
		}
	case []any:
		for i, item := range v {
			respelledIn(s, item, append(path.Copy(), fieldpath.PathElement{Index: &i}))
		}
	default:
		if typed, ok := spelled(s.Fields.Field(namesOf(s.Shape, path)), v); ok {
			field := path.String()
			fix := text.New("write %v", s.spelling(field, typed))
			if !s.holds(s.written(path, typed), s.Result.Causes) {
				fix = noFix
			}
			says := text.New("%v: a typed client writes %v for %v", text.Path(field), s.value(field, typed), s.value(field, v))
			s.fixing(clientRewrites, s.line(path), says, fix, field)
		}
	}
}

// namesOf is a path as api.KindFields has it: without the items of lists, and the keys of
// maps that have any.
func namesOf(shape managedfields.Shape, path fieldpath.Path) []string {
	var out []string
	for _, pe := range path {
		name := api.Each
		if pe.FieldName != nil && !shape.Open() {
			name = *pe.FieldName
		}
		out, shape = append(out, name), shape.Child(pe)
	}
	return out
}

// quantityPattern is that of resource.Quantity in definitions that are generated from
// Go types.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// spelled is what a typed client writes for a value; false where that is the value.
func spelled(f api.Field, v any) (string, bool) {
	text, isText := v.(string)
	switch {
	case f.Format == "int-or-string" && f.Pattern == quantityPattern:
		return quantity(v)
	case !isText:
		return "", false
	case f.Format == "duration":
		d, err := time.ParseDuration(text)
		return d.String(), err == nil && d.String() != text
	case f.Format == "date-time":
		t, err := time.Parse(time.RFC3339, text)
		utc := t.UTC().Format(time.RFC3339)
		return utc, err == nil && utc != text
	}
	return "", false
}

// quantity is one as it is written, from a text or a whole number.
func quantity(v any) (string, bool) {
	text := fmt.Sprint(v)
	if api.EndlessQuantity(text) {
		return "", false
	}
	q, err := resource.ParseQuantity(text)
	return q.String(), err == nil && any(q.String()) != v
}
