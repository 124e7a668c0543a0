package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/writers"
)

// facts are the rows that say something of a field, without the API version.
func facts(f Field) []string {
	var out []string
	for _, row := range schemaFacts(Document{Of: Kind{APIVersion: "v1"}, Field: f}).Rows[1:] {
		out = append(out, row[0].String()+": "+row[1].String())
	}
	return out
}

// TestFacts: what is published and stored of a field, and nothing where that is the default.
func TestFacts(t *testing.T) {
	one := any(int64(1))
	for _, test := range []struct {
		name string
		of   Field
		want []string
	}{
		{"a value", Field{Type: "string", Merge: Scalar}, []string{"merge: one value"}},
		{"a value with all that there is", Field{Type: "integer", Merge: Scalar, Required: true, Default: &one, Format: "int32", Inside: ".spec"}, []string{
			"merge: one value", "part of: .spec, which is atomic", "required: yes", "default: 1, where the parent is there", "format: int32"}},
		{"a marker", Field{Type: "list", Merge: Set, Marker: "x-kubernetes-list-type: set"}, []string{"merge: set (x-kubernetes-list-type: set)"}},
		{"no marker", Field{Type: "list", Merge: Atomic}, []string{"merge: atomic (no marker, the default)"}},
		{"any value has no marker", Field{Type: "any", Merge: Granular}, []string{"merge: granular"}},
		{"keys", Field{Type: "list", Merge: Keyed, Marker: "m", PatchKey: "a", Keys: []Key{{Name: "a", Required: true}, {Name: "b", Default: &one}, {Name: "c"}}}, []string{
			"merge: keyed list (m)", "keys: a (required), b (default 1), c (optional)", "client-side: items are merged by a"}},
		{"the same key client-side", Field{Type: "list", Merge: Keyed, Marker: "m", PatchKey: "a", Keys: []Key{{Name: "a", Required: true}}}, []string{"merge: keyed list (m)", "keys: a (required)"}},
		{"a quantity", Field{Type: "quantity", Merge: Scalar, Zero: "Kept"}, []string{"merge: one value", "stored: in canonical form: 1024Mi becomes 1Gi, 1000m becomes 1, 0.5 becomes 500m"}},
		{"a quantity that is not tested", Field{Type: "quantity", Merge: Scalar}, []string{"merge: one value"}},
		{"a zero that is dropped", Field{Type: "boolean", Merge: Scalar, Zero: "Dropped"}, []string{"merge: one value", "stored: false is not stored; applying it still claims the field"}},
		{"a zero that is written", Field{Type: "integer", Merge: Scalar, Zero: "Written"}, []string{"merge: one value", "stored: 0 where nobody sets it"}},
		{"one that is required, and so is set", Field{Type: "integer", Merge: Scalar, Zero: "Written", Required: true}, []string{"merge: one value", "required: yes"}},
		{"only through a subresource", Field{Type: "map", Merge: Granular, Marker: "m", Zero: "Dropped", Reset: true}, []string{"merge: granular (m)",
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
	for want, f := range map[string]Field{
		"An apply to the object cannot set the field":               {Merge: Keyed, Inside: ".spec", Reset: true},
		"The field has no owner of its own: it belongs to .spec.":   {Merge: Keyed, Inside: ".spec"},
		"Two field managers can each own items, and fields":         {Merge: Keyed, Type: "list"},
		"Two field managers can each own values":                    {Merge: Set, Type: "list"},
		"Two field managers can each own keys.":                     {Merge: Granular, Type: "map"},
		"Two field managers can each own fields.":                   {Merge: Granular, Type: "object"},
		"The list is one field.":                                    {Merge: Atomic, Type: "list"},
		"The value is one field.":                                   {Merge: Atomic, Type: "map"},
		"Two field managers share the field while they apply the s": {Merge: Scalar, Type: "string"},
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
		of         Field
		text, note string
	}{
		{Field{Field: ".spec.a", Type: "string", Merge: Scalar}, "a", "string"},
		{Field{Field: ".spec.a", Type: "object", Merge: Granular, Cut: 1}, "a", "object; 1 field"},
		{Field{Field: ".spec.a", Type: "object", Merge: Granular, Cut: 2, Recursive: true}, "a", "object; recursive"},
		{Field{Field: ".spec.a", Type: "object", Merge: Atomic}, "a", "object, atomic"},
		{Field{Field: ".spec.a", Type: "object", Merge: Atomic, Inside: ".spec"}, "a", "object"},
		{Field{Field: ".spec.a", Type: "map", Of: "quantity", Merge: Granular}, "a", "map of quantities, granular"},
		{Field{Field: ".spec.a", Type: "list", Of: "int-or-string", Merge: Set}, "a", "list of integers or strings, set"},
		{Field{Field: ".spec.a", Type: "list", Merge: Keyed, Keys: []Key{{Name: "k", Required: true}}}, "a", "list of any values, keyed by k (required)"},
		{Field{Field: ".spec.a", Type: "any", Merge: Atomic, Required: true, Default: &one}, "a", "any value; required; default 1"},
		{Field{Field: ".spec.a", Type: "boolean", Merge: Scalar, Zero: "Dropped", Writers: []writers.Writer{{Who: "the scheduler"}, {Who: "another"}}}, "a", "boolean; false is not stored; written by the scheduler"},
		{Field{Field: "", Type: "object", Merge: Granular}, "", "object"},
	} {
		n := schemaNodes([]Field{test.of})[0]
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
	if blocks := otherKinds([]Kind{{APIVersion: "a/v1", Kind: "K"}}); len(blocks) != 1 {
		t.Errorf("other kinds: %v", blocks)
	}
	if blocks := otherKinds(nil); blocks != nil {
		t.Errorf("no other kinds: %v", blocks)
	}
}
