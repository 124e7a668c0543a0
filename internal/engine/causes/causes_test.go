package causes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// lines finds lines by field.
type lines map[string]int

func (l lines) Line(path fieldpath.Path) (report.Source, bool) {
	n, ok := l[path.String()]
	return report.Source{File: "g.yaml", Document: 1, Line: n}, ok
}

func (l lines) Text(n int) report.Source {
	return report.Source{File: "g.yaml", Document: 1, Line: 100 + n}
}

// refusing is a Status of this message, and causes of field and message.
func refusing(message string, causes ...[2]string) *report.Status {
	var list []any
	for _, c := range causes {
		list = append(list, map[string]any{"field": c[0], "message": c[1], "reason": "FieldValueInvalid"})
	}
	return &report.Status{
		Message: message,
		Raw:     map[string]any{"message": message, "details": map[string]any{"causes": list}},
	}
}

// asking is a write of a gadget with this spec and these lines.
func asking(verb api.Verb, live, spec string, at lines) Question {
	const head = `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","labels":{"a.b/c":"x","a":"y","z y":"y"}},"spec":`
	q := Question{Verb: verb, Kind: merging.GadgetKind, Shape: managedfields.ShapeOf(merging.GadgetType()), Locator: at}
	if err := json.Unmarshal([]byte(head+spec+"}"), &q.Body); err != nil {
		panic(err)
	}
	if live != "" {
		if err := json.Unmarshal([]byte(head+live+"}"), &q.Live); err != nil {
			panic(err)
		}
	}
	return q
}

func TestCauses(t *testing.T) {
	const typed = "failed to create typed patch object (d/g; lab.example.com/v1, Kind=Gadget): "
	ports := lines{
		".spec":                  5,
		".spec.type":             14,
		".spec.ports":            6,
		".spec.ports[0]":         7,
		".spec.ports[1]":         8,
		".spec.ports[1].port":    9,
		".spec.args[1]":          10,
		".spec.zones[1]":         11,
		".metadata":              3,
		".metadata.labels":       20,
		`.metadata.labels.a.b/c`: 21,
		".metadata.labels.a":     22,
		".metadata.labels.z y":   23,
		".spec.options.x.y":      12,
		".spec.replicas":         13,
	}
	const two = `{"ports":[{"port":80},{"port":81,"foo":1}]}`
	cases := []struct {
		name    string
		refusal *report.Status
		asked   Question
		// want are the lines of the causes; 0 without.
		want []int
	}{
		{
			"a place in a list",
			refusing("m", [2]string{"spec.ports[1].port", "bad"}),
			asking(api.Create, "", two, ports),
			[]int{9},
		},
		{
			"the nearest parent",
			refusing("m", [2]string{"spec.ports[1].name", "Required value"}),
			asking(api.Create, "", two, ports),
			[]int{8},
		},
		{"the live list begins alike", refusing("m", [2]string{"spec.ports[1].port", "bad"}),
			asking(api.Apply, `{"ports":[{"port":80,"protocol":"TCP"}]}`, two, ports), []int{9}},
		{"the live list begins with another", refusing("m", [2]string{"spec.ports[1].port", "bad"}),
			asking(api.Apply, `{"ports":[{"port":8},{"port":80}]}`, two, ports), []int{6}},
		{"the item that has the quoted value", refusing("m", [2]string{"spec.ports[2].name", `Duplicate value: "b"`}),
			asking(
				api.Apply, `{"ports":[{"port":8,"name":"b"}]}`,
				`{"ports":[{"port":80,"name":"a"},{"port":81,"name":"b"}]}`, ports,
			), []int{8}},
		{"several have the quoted value", refusing("m", [2]string{"spec.ports[1].name", `Duplicate value: "a"`}),
			asking(
				api.Apply, `{"ports":[{"port":8}]}`,
				`{"ports":[{"port":80,"name":"a"},{"port":81,"name":"a"}]}`, ports,
			), []int{6}},
		{"an update has no live list", refusing("m", [2]string{"spec.ports[1].port", "bad"}),
			asking(api.Update, `{"ports":[{"port":8},{"port":80}]}`, two, ports), []int{9}},
		{
			"a list that is replaced",
			refusing("m", [2]string{"spec.args[1]", "bad"}),
			asking(api.Apply, `{"args":["z"]}`, `{"args":["a","b"]}`, ports),
			[]int{10},
		},
		{
			"beyond the list",
			refusing("m", [2]string{"spec.ports[2].port", "bad"}),
			asking(api.Create, "", two, ports),
			[]int{6},
		},
		{
			"nothing of it",
			refusing("m", [2]string{"status.phase", "bad"}, [2]string{"", "bad"}),
			asking(api.Create, "", two, ports),
			[]int{0, 0},
		},
		{
			"told twice",
			refusing("m", [2]string{"spec.replicas", "bad"}, [2]string{"spec.replicas", "bad"}),
			asking(api.Create, "", `{"replicas":-1}`, ports),
			[]int{13},
		},
		{
			"a key in brackets",
			refusing("m", [2]string{"metadata.labels[a.b/c]", "bad"}),
			asking(api.Create, "", two, ports),
			[]int{21},
		},
		{
			"a key with a dot",
			refusing("m", [2]string{"spec.options.x.y", "bad"}),
			asking(api.Create, "", `{"options":{"x":1,"x.y":2}}`, ports),
			[]int{12},
		},
		{
			"the key that is quoted",
			refusing("m", [2]string{"metadata.labels", `Invalid value: "z y": bad`}),
			asking(api.Create, "", two, ports),
			[]int{23},
		},
		{
			"the value that is quoted",
			refusing("m", [2]string{"metadata.labels", `Invalid value: "x": bad`}),
			asking(api.Create, "", two, ports),
			[]int{21},
		},
		{
			"a value that two keys have",
			refusing("m", [2]string{"metadata.labels", `Invalid value: "y": bad`}),
			asking(api.Create, "", two, ports),
			[]int{20},
		},
		{
			"of another type",
			refusing(typed + `.spec.ports[port=81,protocol="TCP"].foo: field not declared in schema`),
			asking(api.Apply, "", two, ports),
			[]int{8},
		},
		{
			"each of two items with one key",
			refusing(
				typed + "errors:\n  .spec.ports[port=81,protocol=\"TCP\"].name: expected string, got &value.valueUnstructured{Value:10}\n" +
					"  .spec.ports[port=81,protocol=\"TCP\"].name: expected string, got &value.valueUnstructured{Value:9}",
			),
			asking(api.Apply, "", `{"ports":[{"port":81,"name":9},{"port":81,"name":10}]}`, ports),
			[]int{7, 8},
		},
		{
			"the second of two items with one key",
			refusing(typed + `.spec.ports[port=81,protocol="TCP"].name: expected string, got &value.valueUnstructured{Value:9}`),
			asking(api.Apply, "", `{"ports":[{"port":81,"name":"a"},{"port":81,"name":9}]}`, ports),
			[]int{8},
		},
		{
			"an unknown field of each of two",
			refusing(
				typed + "errors:\n  .spec.ports[port=81,protocol=\"TCP\"].foo: field not declared in schema\n  .spec.ports[port=81,protocol=\"TCP\"].foo: field not declared in schema",
			),
			asking(api.Apply, "", `{"ports":[{"port":81,"foo":1},{"port":81,"foo":1}]}`, ports),
			[]int{7, 8},
		},
		{
			"an unknown field of the second of two",
			refusing(typed + `.spec.ports[port=81,protocol="TCP"].foo: field not declared in schema`),
			asking(api.Apply, "", `{"ports":[{"port":81},{"port":81,"foo":1}]}`, ports),
			[]int{8},
		},
		{"an item without its key", refusing(typed + `.spec.ports[port=81,protocol="TCP"].foo: field not declared in schema`),
			asking(api.Apply, "", `{"ports":[{"protocol":"TCP"},{"port":81,"foo":1}]}`, ports), []int{8}},
		{
			"a value with what JSON escapes",
			refusing(typed + `.spec.zones[="a&b"]: duplicate`),
			asking(api.Apply, "", `{"zones":["a","a&b"]}`, ports),
			[]int{11},
		},
		{
			"a map with fields, which quotes none",
			refusing("m", [2]string{"spec", `Invalid value: "object": no such key: max`}),
			asking(api.Create, "", `{"replicas":1,"type":"object"}`, ports),
			[]int{5},
		},
		{
			"several of other types",
			refusing(
				typed + "errors:\n  .spec.zones[=\"b: ]c\"]: duplicate\n  .spec.replicas: expected numeric (int or float), got string",
			),
			asking(api.Apply, "", `{"zones":["a","b: ]c"],"replicas":"3"}`, ports),
			[]int{11, 13},
		},
		{"strict", refusing(`g: strict decoding error: unknown field "spec.ports[1].foo", duplicate field "spec.replicas"`),
			asking(api.Create, "", `{"replicas":1,"ports":[{"port":80},{"port":81,"foo":1}]}`, ports), []int{8, 13}},
		{"an item that comes twice", refusing(typed + `.spec.ports: duplicate entries for key [port=81,protocol="TCP"]`),
			asking(api.Apply, "", `{"ports":[{"port":81},{"port":81,"protocol":"TCP"}]}`, ports), []int{8}},
		{
			"an item without keys",
			refusing(typed + `.spec.ports: element 1: associative list with keys has an element that omits all key fields`),
			asking(api.Apply, "", `{"ports":[{"port":81},{}]}`, ports),
			[]int{8},
		},
		{
			"in any order",
			refusing(
				"m",
				[2]string{"status", "bad"},
				[2]string{"spec.ports[1].port", "bad"},
				[2]string{"spec.replicas", "bad"},
				[2]string{"spec.ports[0]", "bad"},
			),
			asking(api.Create, "", two, ports),
			[]int{5, 7, 9, 0},
		},
		{"no field named", refusing("admission webhook denied it"), asking(api.Apply, "", two, ports), nil},
		{
			"a patch",
			refusing("m", [2]string{"spec.replicas", "bad"}),
			asking(api.MergePatch, `{"replicas":1}`, `{"replicas":-1}`, ports),
			[]int{0},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := Of(c.refusal, c.asked)
			var got []int
			for _, cause := range r {
				line := 0
				if cause.Source != nil {
					line = cause.Source.Line
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("lines (-want +got)\n%s\n%+v", diff, r)
			}
		})
	}
}

// TestCauseTexts: field and message come apart.
func TestCauseTexts(t *testing.T) {
	cases := map[string][]report.Cause{
		`failed to create typed patch object (d/g; v1, Kind=G): .a[name="x: y"].b: expected map, got "c: d"`: {
			{Field: `.a[name="x: y"].b`, Message: `expected map, got "c: d"`}},
		`G in version "v1" cannot be handled as a G: strict decoding error: unknown field "a.b", unknown field "c"`: {
			{Field: "a.b", Message: "unknown field"}, {Field: "c", Message: "unknown field"}},
		`strict decoding error: yaml: line 3: key "a" already set in map`: nil,
		"failed to create typed patch object (d/g; v1, Kind=G): nothing":  nil,
	}
	for message, want := range cases {
		r := Of(refusing(message), Question{Verb: api.Apply, Kind: merging.GadgetKind, Body: map[string]any{}})
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s (-want +got)\n%s", message, diff)
		}
	}
}

// TestLinesOfValues: a value that has lines is not taken for more causes.
func TestLinesOfValues(t *testing.T) {
	const typed = "failed to create typed patch object (d/g; v1, Kind=G): "
	for spec, want := range map[string]int{`{"ports":"a\n  .spec.b: c"}`: 0, `{"ports":"a","args":["x\ny"]}`: 1} {
		message := typed + "errors:\n  .spec.ports: expected list, got &{a\n  .spec.b: c}"
		if want == 1 {
			message = typed + ".spec.ports: expected list, got &{a}"
		}
		r := Of(refusing(message), asking(api.Apply, "", spec, nil))
		if len(r) != want {
			t.Errorf("%s: %+v, want %d", spec, r, want)
		}
	}
}

// TestCauseOfNoField: what the Status has in place of a field is none.
func TestCauseOfNoField(t *testing.T) {
	r := Of(
		refusing("m", [2]string{"<nil>", "not all was checked"}, [2]string{"spec", "bad"}),
		asking(api.Create, "", "{}", nil),
	)
	if diff := cmp.Diff([]report.Cause{{Field: "spec", Message: "bad"}, {Message: "not all was checked"}}, r); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestValuesOfAnotherType: a value is reported as the manifest has it.
func TestValuesOfAnotherType(t *testing.T) {
	for spec, want := range map[string]string{
		`1`: "number 1", `2.5`: "number 2.5", `true`: "boolean true", `"a\"b"`: `string "a\"b"`, `[1]`: "list", `{"a":1}`: "map",
	} {
		message := "failed to create typed patch object (d/g; v1, Kind=G): .spec: expected x, got &value.valueUnstructured{Value:1}"
		r := Of(refusing(message), asking(api.Apply, "", spec, nil))
		if diff := cmp.Diff([]report.Cause{{Field: ".spec", Message: "expected x, got " + want}}, r); diff != "" {
			t.Errorf("%s (-want +got)\n%s", spec, diff)
		}
	}
}

// TestRepeatedKeys: the line of the body is reported as one of the file.
func TestRepeatedKeys(t *testing.T) {
	const message = "error strict decoding YAML: yaml: unmarshal errors:\n  line 8: key \"replicas\" already set in map\n  line 9: key \"a\" already set in map"
	r := Of(refusing(message), asking(api.Apply, "", "{}", lines{}))
	want := []report.Cause{
		{Message: `key "replicas" already set in map`, Source: &report.Source{File: "g.yaml", Document: 1, Line: 108}},
		{Message: `key "a" already set in map`, Source: &report.Source{File: "g.yaml", Document: 1, Line: 109}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMistyped: the values of the wrong type are found, in lists and maps.
func TestMistyped(t *testing.T) {
	const head, into = "G cannot be handled as a G: json: cannot unmarshal ", " into Go struct field Port.spec."
	cases := []struct {
		spec, message string
		want          []string
	}{
		{
			`{"ports":[{"name":"a"},{"name":1},{"name":2}]}`,
			"number" + into + "ports.name of type string",
			[]string{".spec.ports[1].name", ".spec.ports[2].name"},
		},
		{`{"replicas":1.5}`, "number 1.5" + into + "replicas of type int32", []string{".spec.replicas"}},
		{`{"replicas":1}`, "number 1.5" + into + "replicas of type int32", nil},
		{`{"args":["a",true]}`, "bool" + into + "args of type string", []string{".spec.args[1]"}},
		{`{"args":"a"}`, "string" + into + "args of type []string", []string{".spec.args"}},
		{`{"selector":{"a":1,"b":"c"}}`, "number" + into + "selector of type string", []string{".spec.selector.a"}},
		{`{"selector":{"a":{"b":"c"}}}`, "object" + into + "selector of type string", []string{".spec.selector.a"}},
		{`{"selector":["a"]}`, "array" + into + "selector of type map[string]string", []string{".spec.selector"}},
		{`{"replicas":{"a":{}}}`, "object" + into + "replicas of type int32", []string{".spec.replicas"}},
		{`{"args":"a"}`, "string" + into + "other of type []string", nil},
	}
	for _, c := range cases {
		r := Of(refusing(head+c.message), asking(api.Create, "", c.spec, nil))
		var got []string
		for _, cause := range r {
			got = append(got, cause.Field)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got)\n%s", c.spec, c.message, diff)
		}
	}
}

// TestUndecoded: a quantity that is none is found where the server says that there
// is one, and nowhere else.
func TestUndecoded(t *testing.T) {
	const wrong = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`
	at4 := &report.Source{File: "g.yaml", Document: 1, Line: 4}
	cases := []struct {
		spec, message string
		want          []report.Cause
	}{
		{`{"cpu":"1GB","options":{"a":"1GB"}}`, "failed to convert new object: " + wrong,
			[]report.Cause{{Field: ".spec.cpu", Message: wrong, Source: at4}}},
		{`{"cpu":true}`, "cannot be handled: " + wrong, []report.Cause{{Field: ".spec.cpu", Message: wrong, Source: at4}}},
		{`{"cpu":"1Gi"}`, "failed to convert new object: " + wrong, nil},
		{`{"cpu":"1GB"}`, "failed to convert new object: cannot convert float64 to int32", nil},
	}
	for _, c := range cases {
		r := Of(refusing(c.message), asking(api.Create, "", c.spec, lines{".spec.cpu": 4}))
		if diff := cmp.Diff(c.want, r); diff != "" {
			t.Errorf("%s: %s (-want +got)\n%s", c.spec, c.message, diff)
		}
	}
}

// TestNearest: what may be meant by a field that does not exist.
func TestNearest(t *testing.T) {
	const typed = "failed to create typed patch object (d/g; v1, Kind=G): "
	cases := []struct {
		spec, message string
		want          []string
	}{
		{`{"replica":1}`, typed + ".spec.replica: field not declared in schema", []string{".spec.replicas"}},
		{`{"REPLICAS":1}`, typed + ".spec.REPLICAS: field not declared in schema", []string{".spec.replicas"}},
		{`{"repilcas":1}`, typed + ".spec.repilcas: field not declared in schema", []string{".spec.replicas"}},
		{`{"prots":1}`, typed + ".spec.prots: field not declared in schema", []string{".spec.ports"}},
		{
			`{"ports":[{"port":1,"Name":2}]}`,
			typed + `.spec.ports[port=1,protocol="TCP"].Name: field not declared in schema`,
			[]string{`.spec.ports[port=1,protocol="TCP"].name`},
		},
		{`{"nothing":1}`, typed + ".spec.nothing: field not declared in schema", nil},
		{`{"replica":1}`, `strict decoding error: unknown field "spec.replica"`, []string{"spec.replicas"}},
		{`{"replica":1}`, `strict decoding error: duplicate field "spec.replica"`, nil},
		{
			`{"ports":[{"port":1,"cpu":2}]}`,
			typed + `.spec.ports[port=1,protocol="TCP"].cpu: field not declared in schema`,
			[]string{".spec.cpu"},
		},
		{
			`{"ports":[{"port":1,"prot":2}]}`,
			typed + `.spec.ports[port=1,protocol="TCP"].prot: field not declared in schema`,
			[]string{`.spec.ports[port=1,protocol="TCP"].port`, `.spec.ports[port=1,protocol="TCP"].protocol`},
		},
		{`1,"cpu":2`, typed + ".cpu: field not declared in schema", []string{".spec.cpu"}},
		{`1,"Spec":2`, typed + ".Spec: field not declared in schema", []string{".spec"}},
		{`{}`, typed + ".spec.replica: field not declared in schema", nil},
	}
	for _, c := range cases {
		r := Of(refusing(c.message), asking(api.Apply, "", c.spec, nil))
		if len(r) != 1 {
			t.Fatalf("%s: %+v", c.message, r)
		}
		if diff := cmp.Diff(c.want, r[0].Nearest); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.message, diff)
		}
	}
}

// TestLongNames: a path is cut into names in a time that its length bounds.
func TestLongNames(t *testing.T) {
	name := strings.Repeat("a.", 1<<20)
	refusal := refusing(
		"m",
		[2]string{"spec." + name + "b", "bad"},
		[2]string{"spec[" + strings.Repeat("]", 1<<20), "bad"},
	)
	spec := `{"` + name + `":1,"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`
	r := Of(refusal, asking(api.Create, "", spec, lines{".spec": 5}))
	if len(r) != 2 || r[0].Source == nil || r[0].Source.Line != 5 {
		t.Errorf("%d causes, want 2, the first at line 5", len(r))
	}
}

// TestOrderOfCauses: the causes are the same in whatever order the server has them,
// more of them than are located, and several of one field.
func TestOrderOfCauses(t *testing.T) {
	var causes [][2]string
	for i := range 300 {
		causes = append(
			causes,
			[2]string{fmt.Sprintf("spec.ports[%d]", i), "bad"},
			[2]string{"metadata.labels", fmt.Sprint("bad ", i)},
		)
	}
	write := asking(api.Create, "", `{"ports":[{"port":80}]}`, lines{".spec": 5, ".metadata": 3})
	want := Of(refusing("m", causes...), write)
	slices.Reverse(causes)
	if diff := cmp.Diff(want, Of(refusing("m", causes...), write)); diff != "" {
		t.Errorf("in the reverse order (-want +got)\n%s", diff)
	}
}

// FuzzCauses: whatever a field is called, it is answered, at a line that the body
// has if at any.
func FuzzCauses(f *testing.F) {
	for _, field := range []string{"spec.ports[1].port", `.spec.ports[port=80,protocol="TCP"].name`, `spec.zones[="a"]`, "metadata.labels[a]", "[", "[1", `[="`, "a[=1,", ".", ""} {
		f.Add(field, `Invalid value: "y": bad`)
	}
	all := lines{".spec": 5, ".spec.type": 14, ".metadata": 3}
	f.Fuzz(func(t *testing.T, field, message string) {
		for _, refusal := range []*report.Status{refusing("m", [2]string{field, message}), refusing("failed to create typed patch object (g): " + field + ": " + message)} {
			w := asking(api.Apply, `{"ports":[{"port":80}]}`, `{"ports":[{"port":80}],"zones":["a"]}`, all)
			for _, c := range Of(refusal, w) {
				if c.Source != nil && c.Source.Line != 5 && c.Source.Line != 3 {
					t.Errorf("%+v", c)
				}
			}
		}
	})
}
