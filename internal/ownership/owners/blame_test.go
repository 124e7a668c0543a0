package owners

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

const service = `types:
- name: service
  map:
    fields:
    - {name: metadata, type: {namedType: untyped}}
    - name: spec
      type:
        map:
          fields:
          - name: ports
            type: {list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port, protocol]}}
          - name: items
            type: {list: {elementType: {namedType: item}, elementRelationship: associative, keys: [name, kind]}}
          - name: ips
            type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
          - name: args
            type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}
          - name: selector
            type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: name, type: {scalar: string}}
- name: item
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
- name: untyped
  scalar: untyped
  list: {elementType: {namedType: untyped}, elementRelationship: atomic}
  map: {elementType: {namedType: untyped}, elementRelationship: separable}
`

func serviceShape(t testing.TB) managedfields.Shape {
	t.Helper()
	p, err := typed.NewParser(typed.YAMLObject(service))
	if err != nil {
		t.Fatal(err)
	}
	return managedfields.ShapeOf(p.Type("service"))
}

// object has a spec, and an entry for each set of fields, of managers a, b, c.
func object(t testing.TB, spec string, fields ...string) map[string]any {
	t.Helper()
	var entries []string
	for i, f := range fields {
		entries = append(
			entries,
			fmt.Sprintf(
				`{"manager":"%c","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":%s}`,
				'a'+i,
				f,
			),
		)
	}
	text := `{"metadata":{"name":"x","managedFields":[` + strings.Join(entries, ",") + `]},"spec":` + spec + `}`
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return out
}

// told is a line for each field below the spec.
func told(o *Object) []string {
	out := []string{}
	line := func(f *Field) {
		s := f.Name + " " + string(f.State)
		for _, c := range f.Claims {
			name := o.Entries[c.Entry].Manager
			if c.Inside {
				name = "(" + name + ")"
			}
			s += " " + name
		}
		if f.Repeated {
			s += " repeated"
		}
		out = append(out, strings.TrimPrefix(s, ".spec"))
	}
	o.Root.Each(func(f *Field) {
		if len(f.Path) > 1 && strings.HasPrefix(f.Name, ".spec") {
			line(f)
		}
	})
	for _, f := range o.Stale {
		line(f)
	}
	return out
}

func TestNew(t *testing.T) {
	tcp := `"k:{\"port\":80,\"protocol\":\"TCP\"}"`
	udp := `"k:{\"port\":80,\"protocol\":\"UDP\"}"`
	for _, test := range []struct {
		name    string
		spec    string
		fields  []string
		untyped bool
		want    []string
	}{{
		name:   "keyed items, their keys first, a default in a key",
		spec:   `{"ports":[{"name":"a","port":80},{"name":"b","port":80,"protocol":"UDP"}]}`,
		fields: []string{`{"f:spec":{"f:ports":{` + tcp + `:{".":{},"f:port":{}}}}}`, `{"f:spec":{"f:ports":{` + udp + `:{".":{},"f:name":{}},` + tcp + `:{"f:name":{}}}}}`},
		want: []string{
			".ports Inner",
			`.ports[port=80,protocol="TCP"] Owned a`, `.ports[port=80,protocol="TCP"].port Owned a`, `.ports[port=80,protocol="TCP"].name Owned b`,
			`.ports[port=80,protocol="UDP"] Owned b`, `.ports[port=80,protocol="UDP"].port Unowned`, `.ports[port=80,protocol="UDP"].protocol Unowned`, `.ports[port=80,protocol="UDP"].name Owned b`,
		},
	}, {
		name:   "repeated items are one field, each shown",
		spec:   `{"ports":[{"name":"a","port":80},{"port":81},{"name":"b","port":80}]}`,
		fields: []string{`{"f:spec":{"f:ports":{` + tcp + `:{}}}}`, `{"f:spec":{"f:ports":{` + tcp + `:{"f:name":{}}}}}`},
		want: []string{
			".ports Inner",
			`.ports[port=80,protocol="TCP"] Owned a (b) repeated`,
			`.ports[port=81,protocol="TCP"] Inner`, `.ports[port=81,protocol="TCP"].port Unowned`,
			`.ports[port=80,protocol="TCP"] Owned a (b) repeated`,
		},
	}, {
		name:   "an item that lacks a key without default is meant by what agrees",
		spec:   `{"items":[{"name":"x"},{"name":"y","kind":"K"}]}`,
		fields: []string{`{"f:spec":{"f:items":{"k:{\"kind\":\"K\",\"name\":\"x\"}":{".":{},"f:name":{}},"k:{\"kind\":\"L\",\"name\":\"y\"}":{".":{}}}}}`},
		want: []string{
			".items Inner", `.items[name="x"] Owned a`, `.items[name="x"].name Owned a`,
			`.items[kind="K",name="y"] Inner`, `.items[kind="K",name="y"].kind Unowned`, `.items[kind="K",name="y"].name Unowned`,
			`.items[kind="L",name="y"] Stale a`,
		},
	}, {
		name:   "sets",
		spec:   `{"ips":["x","y","x"]}`,
		fields: []string{`{"f:spec":{"f:ips":{"v:\"x\"":{},"v:\"z\"":{}}}}`, `{"f:spec":{"f:ips":{"v:\"x\"":{}}}}`},
		want:   []string{".ips Inner", `.ips[="x"] Owned a b repeated`, `.ips[="y"] Unowned`, `.ips[="x"] Owned a b repeated`, `.ips[="z"] Stale a`},
	}, {
		name:   "atomic lists and maps are owned as a whole",
		spec:   `{"args":["x"],"selector":{"app":"x"}}`,
		fields: []string{`{"f:spec":{"f:args":{},"f:selector":{}}}`, `{"f:spec":{"f:args":{"i:0":{}},"f:selector":{".":{},"f:app":{}}}}`},
		want:   []string{".args Owned a (b)", ".selector Owned a b"},
	}, {
		name:   "owning a map is not owning what is in it",
		spec:   `{"more":{"x":1,"y":{}}}`,
		fields: []string{`{"f:spec":{"f:more":{}}}`, `{"f:spec":{"f:more":{"f:x":{}}}}`},
		want:   []string{".more Owned a", ".more.x Owned b", ".more.y Unowned"},
	}, {
		name:   "below a scalar, and in an empty list, is nothing",
		spec:   `{"n":1,"ports":[],"null":null}`,
		fields: []string{`{"f:spec":{"f:n":{"f:x":{}},"f:null":{},"f:ports":{` + tcp + `:{".":{},"f:port":{}}}}}`},
		want: []string{
			".n Unowned", ".null Owned a", ".ports Unowned", ".n.x Stale a",
			`.ports[port=80,protocol="TCP"] Stale a`, `.ports[port=80,protocol="TCP"].port Stale a`,
		},
	}, {
		name: "without a type the entries cut lists", untyped: true,
		spec: `{"list":[{"id":1,"v":"x"},{"id":2}],"set":["x","y"],"odd":[1,{"a":1}],"atomic":[1],"whole":{"x":1},"at":[["p"]]}`,
		fields: []string{`{"f:spec":{"f:list":{"k:{\"id\":1}":{".":{},"f:v":{}}},"f:set":{"v:\"y\"":{}},"f:odd":{"k:{\"a\":1}":{".":{}}},"f:atomic":{},"f:whole":{},"f:at":{"i:0":{}}}}`,
			`{"f:spec":{"f:list":{"k:{\"id\":3}":{".":{}}}}}`},
		want: []string{
			".at Inner", ".at[0] Owned a", ".atomic Owned a",
			".list Inner", ".list[id=1] Owned a", ".list[id=1].id Unowned", ".list[id=1].v Owned a", ".list[id=2] Inner", ".list[id=2].id Unowned",
			".odd Inner", ".odd[0] Unowned", ".odd[a=1] Owned a", ".odd[a=1].a Unowned",
			".set Inner", `.set[="x"] Unowned`, `.set[="y"] Owned a`, ".whole Owned a", ".list[id=3] Stale b",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			shape := serviceShape(t)
			if test.untyped {
				shape = managedfields.Shape{}
			}
			o := New(report.Target{}, report.Source{}, object(t, test.spec, test.fields...), shape)
			if diff := cmp.Diff(test.want, told(o)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelect(t *testing.T) {
	o := New(report.Target{}, report.Source{}, object(t,
		`{"ports":[{"port":80,"name":"a"}],"selector":{"app":"x"},"n":1,"size":2}`,
		`{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}},"f:selector":{},"f:gone":{}}}`,
		`{"f:spec":{"f:selector":{},"f:n":{}}}`), serviceShape(t))
	port := `.spec.ports[port=80,protocol="TCP"]`
	for _, test := range []struct {
		name   string
		filter Filter
		want   []string
	}{
		{"all", Filter{}, []string{".spec.n", port, port + ".port", port + ".name", ".spec.selector", ".spec.size", ".spec.gone"}},
		{"manager", Filter{Managers: []string{"b"}}, []string{".spec.n", ".spec.selector"}},
		{"managers by a pattern", Filter{Managers: []string{"[a]", "x"}}, []string{port, port + ".port", ".spec.selector", ".spec.gone"}},
		{"a bad pattern is a name", Filter{Managers: []string{"[a"}}, []string{}},
		{"prefix", Filter{Fields: []string{"spec.ports[port=80,protocol=TCP]"}}, []string{port, port + ".port", port + ".name"}},
		{"a prefix ends where an element ends", Filter{Fields: []string{".spec.s"}}, []string{}},
		{"inside an atomic map", Filter{Fields: []string{".spec.selector.app"}}, []string{".spec.selector"}},
		{"shared", Filter{States: []Kind{SharedFields}}, []string{".spec.selector"}},
		{"one of two states", Filter{States: []Kind{UnownedFields, StaleFields}}, []string{port + ".name", ".spec.size", ".spec.gone"}},
		{"all filters hold together", Filter{Managers: []string{"a"}, Fields: []string{"spec"}, States: []Kind{StaleFields}}, []string{".spec.gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := []string{}
			for _, f := range o.Select(test.filter).Rows() {
				got = append(got, f.Name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	u := o.Unmatched(Filter{Managers: []string{"a", "z*"}, Fields: []string{"spec.n", "spec.m", "spec.selector.app"}})
	if diff := cmp.Diff(Unmatched{Managers: []string{"z*"}, Fields: []string{"spec.m"}}, u); diff != "" {
		t.Errorf("unmatched (-want +got):\n%s", diff)
	}
}

func TestSummaries(t *testing.T) {
	o := New(report.Target{}, report.Source{}, object(t,
		`{"ips":["x","x"],"selector":{"app":"x"},"more":{"n":1,"m":2}}`,
		`{"f:metadata":{"f:labels":{"f:x":{}}},"f:spec":{"f:ips":{"v:\"x\"":{}},"f:selector":{}}}`,
		`{"f:spec":{"f:more":{".":{},"f:n":{}}}}`,
		`{"f:spec":{"f:selector":{}}}`), serviceShape(t))
	want := []Summary{
		{Entry: 0, Fields: 2, Shared: 1, Stale: 1, Roots: []string{".spec", ".metadata.labels.x"}},
		{Entry: 1, Fields: 1, Roots: []string{".spec.more"}},
		{Entry: 2, Fields: 1, Shared: 1, Roots: []string{".spec.selector"}},
	}
	if diff := cmp.Diff(want, o.Summaries()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Counts{Owned: 3, Shared: 1, Unowned: 1, Stale: 1}, o.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	names := []string{".spec.replicas", ".spec.template.spec.containers[name=\"main\"].image", ".status.replicas"}
	for given, want := range map[string]string{
		"spec.replica":           ".spec.replicas",
		".Spec.Replicas":         ".spec.replicas",
		"image":                  ".spec.template.spec.containers[name=\"main\"].image",
		"nothing":                "",
		strings.Repeat("x", 9e3): "",
	} {
		if got := Nearest(given, names); got != want {
			t.Errorf("nearest to %.40q: got %q, want %q", given, got, want)
		}
	}
}

// FuzzNew: no object makes the walk panic; a field that an entry's set has is
// claimed by it; every path of every set is reported.
func FuzzNew(f *testing.F) {
	f.Add(
		`{"ports":[{"port":80},{"port":80,"protocol":"UDP"},{"port":80}],"ips":["x",{},null],"selector":[]}`,
		`{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{}}},"f:ips":{"v:\"x\"":{},"i:0":{}}}}`,
	)
	f.Add(
		`{"list":[{"a":1,"b":2},{"a":1}]}`,
		`{"f:spec":{"f:list":{"k:{\"a\":1}":{},"k:{\"a\":1,\"b\":2}":{"f:b":{}},"k:{\"b\":null}":{}}}}`,
	)
	f.Add(`{"":{"":[[]]},"a.b":{"c":1}}`, `{"f:spec":{"f:":{"f:":{}},"f:a":{"f:b":{"f:c":{}}}},"k:{}":{}}`)
	f.Fuzz(func(t *testing.T, spec, fields string) {
		var a, b any
		if kjson.Unmarshal([]byte(spec), &a) != nil || kjson.Unmarshal([]byte(fields), &b) != nil {
			return
		}
		live := map[string]any{"spec": a, "metadata": map[string]any{"managedFields": []any{map[string]any{
			"manager": "a", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": b,
		}}}}
		for _, shape := range []managedfields.Shape{{}, serviceShape(t)} {
			o := New(report.Target{}, report.Source{}, live, shape)
			checkAllTold(t, o)
			o.Select(Filter{Managers: []string{"a"}, Fields: []string{fields}}).Summaries()
			Answer{Objects: []*Object{o}}.Document()
		}
	})
}

func checkAllTold(t *testing.T, o *Object) {
	t.Helper()
	set := o.Entries[0].Set
	claims, inside := 0, fieldpath.NewSet()
	o.Root.Each(func(f *Field) {
		for _, c := range f.Claims {
			if c.Inside {
				continue
			}
			claims++
		}
		if f.Whole && len(f.Claims) > 0 {
			inside.Insert(f.Path)
		}
		if len(f.Path) > 0 && set.Has(f.Path) && len(f.Claims) == 0 {
			t.Errorf("%s is owned, which is not told", f.Name)
		}
	})
	if paths := set.Size(); paths > 0 && claims+len(o.Stale) == 0 && inside.Empty() {
		t.Errorf("%d paths are owned, and none is told", paths)
	}
}

// manyItems has a list of n items, and a claim on each by a key of this form.
func manyItems(t testing.TB, n int, claim string) map[string]any {
	t.Helper()
	var items, claims []string
	for i := range n {
		items = append(items, fmt.Sprintf(`{"id":%d,"v":1}`, i))
		claims = append(claims, fmt.Sprintf(`"k:`+claim+`":{".":{}}`, i))
	}
	return object(t, `{"list":[`+strings.Join(items, ",")+`]}`, `{"f:spec":{"f:list":{`+strings.Join(claims, ",")+`}}}`)
}

// TestManyAlike: claims that could each mean every item of a long list mean
// none, rather than all.
func TestManyAlike(t *testing.T) {
	var items, claims []string
	for i := range 2000 {
		items = append(items, `{"a":1}`)
		claims = append(claims, fmt.Sprintf(`"k:{\"a\":1,\"b\":%d}":{".":{}}`, i))
	}
	o := New(
		report.Target{},
		report.Source{},
		object(t, `{"list":[`+strings.Join(items, ",")+`]}`, `{"f:spec":{"f:list":{`+strings.Join(claims, ",")+`}}}`),
		managedfields.Shape{},
	)
	if o.Counts.Stale != 2000 || len(o.Root.Fields) != 2 {
		t.Errorf("%+v", o.Counts)
	}
}
