package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
)

// facts are the rows that say something of a field, without the API version.
func facts(f fields.Field) []string {
	var out []string
	for _, row := range schemaFacts(fields.Document{Of: fields.Kind{APIVersion: "v1"}, Field: f}).Rows[1:] {
		out = append(out, row[0].String()+": "+row[1].String())
	}
	return out
}

// TestFacts: what is published and stored of a field, and nothing where that is the default.
func TestFacts(t *testing.T) {
	one := any(int64(1))
	for _, test := range []struct {
		name string
		of   fields.Field
		want []string
	}{
		{"a value", fields.Field{Type: "string", Merge: fields.Scalar}, []string{"merge: one value"}},
		{"a value with all that there is", fields.Field{Type: "integer", Merge: fields.Scalar, Required: true, Default: &one, Format: "int32", Inside: ".spec"}, []string{
			"merge: one value", "part of: .spec, which is atomic", "required: yes", "default: 1, where the parent is there", "format: int32"}},
		{"a marker", fields.Field{Type: "list", Merge: fields.Set, Marker: "x-kubernetes-list-type: set"}, []string{"merge: set (x-kubernetes-list-type: set)"}},
		{"no marker", fields.Field{Type: "list", Merge: fields.Atomic}, []string{"merge: atomic (no marker, the default)"}},
		{"any value has no marker", fields.Field{Type: "any", Merge: fields.Granular}, []string{"merge: granular"}},
		{"keys", fields.Field{Type: "list", Merge: fields.Keyed, Marker: "m", PatchKey: "a", Keys: []fields.Key{{Name: "a", Required: true}, {Name: "b", Default: &one}, {Name: "c"}}}, []string{
			"merge: keyed list (m)", "keys: a (required), b (default 1), c (optional)", "client-side: items are merged by a"}},
		{"the same key client-side", fields.Field{Type: "list", Merge: fields.Keyed, Marker: "m", PatchKey: "a", Keys: []fields.Key{{Name: "a", Required: true}}}, []string{"merge: keyed list (m)", "keys: a (required)"}},
		{"a quantity", fields.Field{Type: "quantity", Merge: fields.Scalar, Zero: "Kept"}, []string{"merge: one value", "stored: in canonical form: 1024Mi becomes 1Gi, 1000m becomes 1, 0.5 becomes 500m"}},
		{"a quantity that is not tested", fields.Field{Type: "quantity", Merge: fields.Scalar}, []string{"merge: one value"}},
		{"a zero that is dropped", fields.Field{Type: "boolean", Merge: fields.Scalar, Zero: "Dropped"}, []string{"merge: one value", "stored: false is not stored; applying it still claims the field"}},
		{"a zero that is written", fields.Field{Type: "integer", Merge: fields.Scalar, Zero: "Written"}, []string{"merge: one value", "stored: 0 where nobody sets it"}},
		{"one that is required, and so is set", fields.Field{Type: "integer", Merge: fields.Scalar, Zero: "Written", Required: true}, []string{"merge: one value", "required: yes"}},
		{"only through a subresource", fields.Field{Type: "map", Merge: fields.Granular, Marker: "m", Zero: "Dropped", Reset: true}, []string{"merge: granular (m)",
			"stored: an empty map is not stored; applying it still claims the field; only through a subresource: other writes leave it as it is, and own nothing of it"}},
	} {
		if diff := cmp.Diff(test.want, facts(test.of)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestTwoManagers: what the way to merge means; a parent that is atomic decides, and a
// subresource before it.
func TestTwoManagers(t *testing.T) {
	for want, f := range map[string]fields.Field{
		"An apply to the object cannot set the field":               {Merge: fields.Keyed, Inside: ".spec", Reset: true},
		"The field has no owner of its own: it belongs to .spec.":   {Merge: fields.Keyed, Inside: ".spec"},
		"Two field managers can each own items, and fields":         {Merge: fields.Keyed, Type: "list"},
		"Two field managers can each own values":                    {Merge: fields.Set, Type: "list"},
		"Two field managers can each own keys.":                     {Merge: fields.Granular, Type: "map"},
		"Two field managers can each own fields.":                   {Merge: fields.Granular, Type: "object"},
		"The list is one field.":                                    {Merge: fields.Atomic, Type: "list"},
		"The value is one field.":                                   {Merge: fields.Atomic, Type: "map"},
		"Two field managers share the field while they apply the s": {Merge: fields.Scalar, Type: "string"},
	} {
		if got := twoManagers(f).String(); !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %s, want %s …", f, got, want)
		}
	}
}

// TestNodes: a field below another in a line.
func TestNodes(t *testing.T) {
	one := any(int64(1))
	for _, test := range []struct {
		of         fields.Field
		text, note string
	}{
		{fields.Field{Field: ".spec.a", Type: "string", Merge: fields.Scalar}, "a", "string"},
		{fields.Field{Field: ".spec.a", Type: "object", Merge: fields.Granular, Cut: 1}, "a", "object; 1 field"},
		{fields.Field{Field: ".spec.a", Type: "object", Merge: fields.Granular, Cut: 2, Recursive: true}, "a", "object; recursive"},
		{fields.Field{Field: ".spec.a", Type: "object", Merge: fields.Atomic}, "a", "object, atomic"},
		{fields.Field{Field: ".spec.a", Type: "object", Merge: fields.Atomic, Inside: ".spec"}, "a", "object"},
		{fields.Field{Field: ".spec.a", Type: "map", Of: "quantity", Merge: fields.Granular}, "a", "map of quantities, granular"},
		{fields.Field{Field: ".spec.a", Type: "list", Of: "int-or-string", Merge: fields.Set}, "a", "list of integers or strings, set"},
		{fields.Field{Field: ".spec.a", Type: "list", Merge: fields.Keyed, Keys: []fields.Key{{Name: "k", Required: true}}}, "a", "list of any values, keyed by k (required)"},
		{fields.Field{Field: ".spec.a", Type: "any", Merge: fields.Atomic, Required: true, Default: &one}, "a", "any value; required; default 1"},
		{fields.Field{Field: ".spec.a", Type: "boolean", Merge: fields.Scalar, Zero: "Dropped", Writers: []writers.Writer{{Who: "the scheduler"}, {Who: "another"}}}, "a", "boolean; false is not stored; written by the scheduler"},
		{fields.Field{Field: "", Type: "object", Merge: fields.Granular}, "", "object"},
	} {
		n := schemaNodes([]fields.Field{test.of})[0]
		if n.Text.String() != test.text || n.Note.String() != test.note {
			t.Errorf("%+v: %s %q, want %q", test.of, n.Text, n.Note, test.note)
		}
	}
}

// TestWriters: who writes a field, as whom, and when.
func TestWriters(t *testing.T) {
	for want, w := range map[string]writers.Writer{
		"the API server":   {Who: "the API server"},
		"a, as m (Update)": {Who: "a", Manager: "m", Operation: "Update"},
		".x: a, as m (Update of scale), if it is there": {Field: ".x", Who: "a", Manager: "m", Operation: "Update", Subresource: "scale", When: "if it is there"},
	} {
		if got := writerTexts([]writers.Writer{w})[0].String(); got != want {
			t.Errorf("%+v: %q, want %q", w, got, want)
		}
	}
	if blocks := otherKinds([]fields.Kind{{APIVersion: "a/v1", Kind: "K"}}); len(blocks) != 1 {
		t.Errorf("other kinds: %v", blocks)
	}
	if blocks := otherKinds(nil); blocks != nil {
		t.Errorf("no other kinds: %v", blocks)
	}
}
