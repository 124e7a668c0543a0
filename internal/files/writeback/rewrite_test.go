package writeback

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// configMap is an object with one value.
func configMap(name, value string) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": name},
		"data":     map[string]any{"k": value},
	}
}

func whole1() Place { return Place{Document: 1, Item: NotInList} }

// step is one call on a plan.
type step struct {
	verb   verb
	at     Place
	object map[string]any
}

const yamlA = "apiVersion: v1\ndata:\n  k: a\nkind: ConfigMap\nmetadata:\n  name: a\n"
const yamlB = "apiVersion: v1\ndata: {k: b}   # flow\nkind: ConfigMap\nmetadata:\n    name: b\n"

func TestRewrite(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		steps []step
		want  string
	}{
		{"one document", "# head\n---\n# second\n" + yamlA + "# tail\n",
			[]step{{at: whole1(), object: configMap("a", "x")}},
			"# head\n---\n# second\napiVersion: v1\ndata:\n  k: x\nkind: ConfigMap\nmetadata:\n  name: a\n# tail\n"},
		{"equal object keeps its bytes", yamlB, []step{{at: whole1(), object: configMap("b", "b")}}, yamlB},
		{"second of three", yamlB + "---\n" + yamlA + "---\n" + yamlB,
			[]step{{at: Place{Document: 2, Item: NotInList}, object: configMap("a", "")}},
			yamlB + "---\napiVersion: v1\ndata:\n  k: \"\"\nkind: ConfigMap\nmetadata:\n  name: a\n---\n" + yamlB},
		{"empty documents count", "# nothing\n---\n---\n# nothing\n---\n" + yamlA,
			[]step{{at: Place{Document: 3, Item: NotInList}, object: configMap("a", "x")}},
			"# nothing\n---\n---\n# nothing\n---\napiVersion: v1\ndata:\n  k: x\nkind: ConfigMap\nmetadata:\n  name: a\n"},
		{"CRLF", "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\n",
			[]step{{at: whole1(), object: configMap("a", "x")}},
			"apiVersion: v1\r\ndata:\r\n  k: x\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\n"},
		{"no final line break", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}",
			[]step{{at: whole1(), object: configMap("a", "x")}},
			"apiVersion: v1\ndata:\n  k: x\nkind: ConfigMap\nmetadata:\n  name: a"},
		{
			"delete first",
			yamlA + "---\n" + yamlB,
			[]step{{verb: deleteObject, at: whole1(), object: configMap("a", "a")}},
			"---\n" + yamlB,
		},
		{"delete last", yamlA + "---\n" + yamlB,
			[]step{{verb: deleteObject, at: Place{Document: 2, Item: NotInList}, object: configMap("b", "b")}}, yamlA},
		{"delete only", yamlA, []step{{verb: deleteObject, at: whole1(), object: configMap("a", "a")}}, ""},

		{
			"JSON of four blanks",
			"{\n    \"kind\": \"ConfigMap\",\n    \"apiVersion\": \"v1\",\n    \"metadata\": {\"name\": \"a\"}\n}\n",
			[]step{{at: whole1(), object: configMap("a", "<x>")}},
			"{\n    \"apiVersion\": \"v1\",\n    \"data\": {\n        \"k\": \"\\u003cx\\u003e\"\n    },\n    \"kind\": \"ConfigMap\",\n    \"metadata\": {\n        \"name\": \"a\"\n    }\n}\n",
		},
		{
			"JSON of tabs without final line break",
			"{\n\t\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\", \"labels\": {\"l\": \"a&b\"}}}",
			[]step{{at: whole1(), object: configMap("a", "<")}},
			"{\n\t\"apiVersion\": \"v1\",\n\t\"data\": {\n\t\t\"k\": \"<\"\n\t},\n\t\"kind\": \"ConfigMap\",\n\t\"metadata\": {\n\t\t\"name\": \"a\"\n\t}\n}",
		},
		{
			"JSON lines",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}` + "\n" + `{"kind": "X", "metadata": {"name": "z"}}` + "\n",
			[]step{{at: whole1(), object: configMap("a", "x")}},
			`{"apiVersion":"v1","data":{"k":"x"},"kind":"ConfigMap","metadata":{"name":"a"}}` + "\n" + `{"kind": "X", "metadata": {"name": "z"}}` + "\n",
		},
		{
			"JSON lines with blanks, delete",
			`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}` + "\n" + `{"apiVersion":"v1","kind": "ConfigMap", "metadata": {"name": "b"}}` + "\n",
			[]step{{verb: deleteObject, at: whole1(), object: configMap("a", "x")},
				{at: Place{Document: 2, Item: NotInList}, object: configMap("b", `,:"`)}},
			`{"apiVersion": "v1", "data": {"k": ",:\""}, "kind": "ConfigMap", "metadata": {"name": "b"}}` + "\n",
		},

		{
			"YAML List",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n# about b\n- kind: ConfigMap\n  metadata: {name: b}   # b\n  apiVersion: v1\nkind: List\n",
			[]step{{at: Place{Document: 1, Item: 0}, object: configMap("a", "l1\nl2\n\n")}},
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    k: |+\n      l1\n      l2\n\n  kind: ConfigMap\n  metadata:\n    name: a\n# about b\n- kind: ConfigMap\n  metadata: {name: b}   # b\n  apiVersion: v1\nkind: List\n",
		},
		{
			"indented YAML List, delete all",
			"kind: List\napiVersion: v1\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n  -\n    kind: ConfigMap\n    metadata: {name: b}\n    apiVersion: v1\n",
			[]step{{verb: deleteObject, at: Place{Document: 1, Item: 0}, object: configMap("a", "")},
				{verb: deleteObject, at: Place{Document: 1, Item: 1}, object: configMap("b", "")}},
			"kind: List\napiVersion: v1\nitems: []\n",
		},
		{
			"indented YAML List, last item without line break",
			"kind: List\napiVersion: v1\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}",
			[]step{{at: Place{Document: 1, Item: 0}, object: configMap("a", "x")}},
			"kind: List\napiVersion: v1\nitems:\n  - apiVersion: v1\n    data:\n      k: x\n    kind: ConfigMap\n    metadata:\n      name: a",
		},
		{
			"JSON List",
			"{\n  \"kind\": \"List\",\n  \"items\": [\n    {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}},\n    {\n      \"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"b\"}\n    }\n  ],\n  \"apiVersion\": \"v1\"\n}\n",
			[]step{{at: Place{Document: 1, Item: 1}, object: configMap("b", "x")}},
			"{\n  \"kind\": \"List\",\n  \"items\": [\n    {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}},\n    {\n      \"apiVersion\": \"v1\",\n      \"data\": {\n        \"k\": \"x\"\n      },\n      \"kind\": \"ConfigMap\",\n      \"metadata\": {\n        \"name\": \"b\"\n      }\n    }\n  ],\n  \"apiVersion\": \"v1\"\n}\n",
		},
		{
			"typed JSON List that leaves the kind out",
			`{"kind":"ConfigMapList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"metadata":{"name": "b"},"data":{"k":"b"}}]}`,
			[]step{
				{at: Place{Document: 1, Item: 0}, object: configMap("a", "x")},
				{at: Place{Document: 1, Item: 1}, object: configMap("b", "b")},
			},
			`{"kind":"ConfigMapList","apiVersion":"v1","items":[{"data":{"k":"x"},"metadata":{"name":"a"}},{"metadata":{"name": "b"},"data":{"k":"b"}}]}`,
		},
		{"typed YAML List that leaves the kind out", "apiVersion: v1\nitems:\n- metadata: {name: a}\nkind: ConfigMapList\n",
			[]step{{at: Place{Document: 1, Item: 0}, object: configMap("a", "x")}},
			"apiVersion: v1\nitems:\n- data:\n    k: x\n  metadata:\n    name: a\nkind: ConfigMapList\n"},
		{
			"JSON List, delete the last two",
			`{"items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}},{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}, {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}]}`,
			[]step{{verb: deleteObject, at: Place{Document: 1, Item: 1}, object: configMap("b", "")},
				{verb: deleteObject, at: Place{Document: 1, Item: 2}, object: configMap("c", "")}},
			`{"items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitText(t, "live.yaml", tt.text, tt.steps)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// commitText runs a plan on one file of the given text and gives its text
// afterwards.
func commitText(t *testing.T, name, text string, steps []step) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var plan Plan
	for _, s := range steps {
		s.at.File = file
		if s.verb == deleteObject {
			plan.Delete(s.at, s.object)
		} else {
			plan.Replace(s.at, s.object)
		}
	}
	_, err := plan.Commit(context.Background(), atomic.OS{})
	return read(t, file), err
}

// TestRewriteOrder: an object is written alike in each run, also where the encoder has no
// order for keys.
func TestRewriteOrder(t *testing.T) {
	for range 64 {
		object := configMap("a", "x")
		object["data"] = map[string]any{"1a": "x", "2": "x", "10": "x"}
		got, err := commitText(t, "live.yaml", yamlA, []step{{at: whole1(), object: object}})
		want := "apiVersion: v1\ndata:\n  \"10\": x\n  1a: x\n  \"2\": x\nkind: ConfigMap\nmetadata:\n  name: a\n"
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%v: (-want +got)\n%s", err, diff)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestRewriteRefuses(t *testing.T) {
	shared := "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, labels: &l {x: y}}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b, labels: *l}\n"
	tests := []struct {
		name, text string
		steps      []step
		want       error
		message    string
	}{
		{"another object", yamlA, []step{{at: whole1(), object: configMap("b", "x")}}, ErrWrongObject,
			"another object is there: v1 ConfigMap a, not v1 ConfigMap b"},
		{
			"no such document",
			yamlA,
			[]step{{at: Place{Document: 2, Item: NotInList}, object: configMap("b", "x")}},
			ErrWrongObject,
			"",
		},
		{"no such item", shared, []step{{at: Place{Document: 1, Item: 2}, object: configMap("b", "x")}}, ErrWrongObject, ""},
		{"not a list", yamlA, []step{{at: Place{Document: 1, Item: 0}, object: configMap("b", "x")}}, ErrWrongObject, ""},
		{
			"twice",
			yamlA,
			[]step{{at: whole1(), object: configMap("a", "x")}, {at: whole1(), object: configMap("a", "y")}},
			ErrTwice,
			"",
		},
		{"shared anchor", shared, []step{{at: Place{Document: 1, Item: 0}, object: configMap("a", "x")}}, ErrUnsafe, ""},
		{"items in brackets", "kind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]\n",
			[]step{{at: Place{Document: 1, Item: 0}, object: configMap("a", "x")}}, ErrUnsafe, ""},
		{"UTF-16", "\xFF\xFEa\x00", []step{{at: whole1(), object: configMap("a", "x")}}, errUTF16, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitText(t, "live.yaml", tt.text, tt.steps)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if got != tt.text {
				t.Errorf("the file has changed:\n%s", cmp.Diff(tt.text, got))
			}
			var place *PlaceError
			if !errors.As(err, &place) {
				t.Fatalf("no place in %v", err)
			}
			if tt.message != "" && place.Err.Error() != tt.message {
				t.Errorf("message %q, want %q", place.Err, tt.message)
			}
		})
	}
}
