package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server/api"
)

func TestConfidenceOf(t *testing.T) {
	assigned := func(field string) Caveat { return Caveat{Kind: api.ServerAssigned, Field: field} }
	doubt := Caveat{Kind: api.Admission, Message: "A plug-in did not run.", Rule: RuleNotGiven}
	for _, test := range []struct {
		reasons []Caveat
		level   Level
		notes   []string
	}{
		{nil, Exact, nil},
		{[]Caveat{assigned(".metadata.uid"), assigned(".spec.clusterIP")}, Exact, []string{"Only a server can give .metadata.uid, .spec.clusterIP: left out."}},
		{[]Caveat{doubt}, Partial, []string{doubt.Message}},
		{[]Caveat{doubt, assigned(".metadata.uid"), doubt}, Partial, []string{doubt.Message, "Only a server can give .metadata.uid: left out.", doubt.Message}},
	} {
		c := ConfidenceOf(test.reasons)
		if c.Level != test.level || c.Has(RuleNotGiven) != (test.level == Partial) {
			t.Errorf("%v: level %s, has the rule: %v", test.reasons, c.Level, c.Has(RuleNotGiven))
		}
		if diff := cmp.Diff(test.notes, c.Notes); diff != "" {
			t.Errorf("%v (-want +got)\n%s", test.reasons, diff)
		}
	}
}

// TestPattern: what is taken out of a path and filled in again gives the path.
func TestPattern(t *testing.T) {
	for _, test := range []struct{ field, pattern, keys string }{
		{".spec.replicas", ".spec.replicas", ""},
		{`.spec.ports[port=80,protocol="TCP"].name`, ".spec.ports[*].name", `port=80,protocol="TCP"`},
		{`.a[name="x]\"]"].b[0]`, ".a[*].b[*]", `name="x]\"]" 0`},
		{".a[open", ".a[open", ""},
	} {
		pattern, keys := Pattern(test.field)
		if pattern != test.pattern || strings.Join(keys, " ") != test.keys || Filled(pattern, keys) != test.field {
			t.Errorf("%s: %s, %q, filled %s", test.field, pattern, keys, Filled(pattern, keys))
		}
	}
}

func TestSnapshotCovers(t *testing.T) {
	s := Snapshot{
		Fetched: []Covered{
			{Group: "apps", Kind: "Deployment", Namespace: "shop", Names: []string{"web"}},
			{Kind: "Namespace"},
		},
		Missing: []Missing{{Covered{Kind: "Secret", Namespace: "shop"}, "forbidden"}},
	}
	for _, test := range []struct {
		group, kind, namespace, name string
		covers                       bool
		lacks                        string
	}{
		{"apps", "Deployment", "shop", "web", true, ""},
		{"apps", "Deployment", "shop", "db", false, ""},
		{"apps", "Deployment", "other", "web", false, ""},
		// Whether a custom kind has namespaces is not always known.
		{"apps", "Deployment", "", "web", true, ""},
		{"", "Namespace", "", "any", true, ""},
		{"", "Secret", "shop", "token", false, "forbidden"},
		{"", "Secret", "other", "token", false, ""},
	} {
		covers, lacks := s.Covers(
			test.group, test.kind, test.namespace, test.name,
		), s.Lacks(
			test.group, test.kind, test.namespace, test.name,
		)
		if covers != test.covers || lacks != test.lacks {
			t.Errorf("%+v: covered %v, lacking %q", test, covers, lacks)
		}
	}
}

// TestPatchOperation: null is a value, and a removal has none.
func TestPatchOperation(t *testing.T) {
	for want, o := range map[string]PatchOperation{
		`{"op":"remove","path":"/a"}`:                 {Op: "remove", Path: "/a", Value: 1},
		`{"op":"add","path":"/a","value":null}`:       {Op: "add", Path: "/a"},
		`{"op":"test","path":"/a","value":"<&>"}`:     {Op: "test", Path: "/a", Value: "<&>"},
		`{"op":"replace","path":"/a","value":[true]}`: {Op: "replace", Path: "/a", Value: []any{true}},
	} {
		got, err := o.MarshalJSON()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestClientFixOn(t *testing.T) {
	fix := ClientFix{
		Client:   Helm,
		Fields:   []string{".a", ".b"},
		Places:   []Place{{{Name: "a"}}, {{Name: "b"}}},
		Managers: []string{"x", "y"},
	}
	got, ok := fix.On(".b", "y")
	want := ClientFix{Client: Helm, Fields: []string{".b"}, Places: []Place{{{Name: "b"}}}, Managers: []string{"y"}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
	if _, ok := fix.On(".c"); ok {
		t.Error("it is not about .c")
	}
}

// tops has the lines of the fields of an object.
type tops map[string]int

func (l tops) Line(path fieldpath.Path) (Source, bool) {
	line, ok := l[path.String()]
	return Source{Line: line}, ok
}

func (tops) Text(line int) Source { return Source{Line: line} }

func TestNearest(t *testing.T) {
	lines := tops{".spec": 3, ".spec.replicas": 4}
	for path, want := range map[string]int{"replicas": 4, "paused": 3} {
		if got := Nearest(lines, fieldpath.MakePathOrDie("spec", path)); got == nil || got.Line != want {
			t.Errorf("%s: got %v, want line %d", path, got, want)
		}
	}
	if got := Nearest(lines, fieldpath.MakePathOrDie("status")); got != nil {
		t.Errorf("status: got %v", got)
	}
	if got := Nearest(nil, fieldpath.MakePathOrDie("spec")); got != nil {
		t.Errorf("without a locator: got %v", got)
	}
}

// TestStatus: a Status keeps all that the server says, whole numbers included.
func TestStatus(t *testing.T) {
	var s Status
	text := `{"code":409,"details":{"retryAfterSeconds":1},"message":"m","reason":"Conflict"}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(s)
	if err != nil || string(again) != text || s.Message != "m" || s.Reason != "Conflict" ||
		fmt.Sprintf("%T", s.Raw["code"]) != "int64" {
		t.Errorf("got %s, %+v, %v", again, s, err)
	}
}
