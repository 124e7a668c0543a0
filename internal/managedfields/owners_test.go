package managedfields

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const service = `types:
- name: service
  map:
    fields:
    - name: metadata
      type: {namedType: untyped}
    - name: spec
      type:
        map:
          fields:
          - name: ports
            type: {list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port, protocol]}}
          - name: ips
            type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
          - name: selector
            type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
          - {name: type, type: {scalar: string}}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: name, type: {scalar: string}}
- name: untyped
  scalar: untyped
  list: {elementType: {namedType: untyped}, elementRelationship: atomic}
  map: {elementType: {namedType: untyped}, elementRelationship: separable}
`

func serviceShape(t testing.TB) Shape {
	t.Helper()
	p, err := typed.NewParser(typed.YAMLObject(service))
	if err != nil {
		t.Fatal(err)
	}
	return ShapeOf(p.Type("service"))
}

const liveService = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","labels":{"a.b":"1","free":"x"},"managedFields":[
	{"manager":"helm","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{
		"f:metadata":{"f:labels":{"f:a.b":{},"f:a":{"f:b":{}}}},
		"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},"k:{\"port\":53,\"protocol\":\"UDP\"}":{".":{}}},"f:selector":{}}}},
	{"manager":"edit","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:selector":{},"f:ips":{"v:\"10.0.0.1\"":{}}}}},
	{"manager":"edit","operation":"Update","apiVersion":"v2","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:type":{}}}}
	]},"spec":{"ports":[{"port":80,"name":"web"},{"port":443,"protocol":"TCP"}],"ips":["10.0.0.1","10.0.0.2"],"selector":{"app":"s"},"type":"ClusterIP"}}`

func told(owned []Owned) []string {
	out := []string{}
	for _, o := range owned {
		line := o.Field + " by"
		for _, e := range o.By {
			line += " " + e.Manager + "/" + e.APIVersion
		}
		out = append(out, line)
	}
	return out
}

func TestOwners(t *testing.T) {
	object := parse(t, liveService)
	o, shape := Of(object), serviceShape(t)
	for _, test := range []struct {
		name      string
		want, got []string
	}{{
		name: "every path",
		want: []string{
			".metadata.labels.a.b by helm/v1",
			".metadata.labels.a.b by helm/v1",
			`.spec.ips[="10.0.0.1"] by edit/v1`,
			`.spec.ports[port=53,protocol="UDP"] by helm/v1`,
			`.spec.ports[port=80,protocol="TCP"] by helm/v1`,
			`.spec.ports[port=80,protocol="TCP"].port by helm/v1`,
			".spec.selector by edit/v1 helm/v1",
			".spec.type by edit/v2",
		},
		got: told(o.Paths()),
	}, {
		name: "a field whose text stands for two paths",
		want: []string{".metadata.labels.a.b by helm/v1", ".metadata.labels.a.b by helm/v1"},
		got:  told(o.Field(".metadata.labels.a.b")),
	}, {
		name: "shared",
		want: []string{".spec.selector by edit/v1 helm/v1"},
		got:  told(o.Shared()),
	}, {
		name: "stale",
		want: []string{".metadata.labels.a.b by helm/v1", `.spec.ports[port=53,protocol="UDP"] by helm/v1`},
		got:  told(o.Stale(object, shape)),
	}, {
		name: "unowned",
		want: []string{
			".metadata.labels.free", `.spec.ips[="10.0.0.2"]`, `.spec.ports[port=80,protocol="TCP"].name`,
			`.spec.ports[port=443,protocol="TCP"].port`, `.spec.ports[port=443,protocol="TCP"].protocol`,
		},
		got: fields(o.Unowned(object, shape)),
	}} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if n := len(o.Roles()); n != 2 {
		t.Errorf("%d roles, want 2: API versions are not part of a role", n)
	}
	if at := o.At(fieldpath.MakePathOrDie("spec")); len(at) > 0 {
		t.Errorf("owners of a parent: %v", at)
	}
}

func fields(leaves []Leaf) []string {
	out := []string{}
	for _, l := range leaves {
		out = append(out, l.Path.String())
	}
	return out
}

func TestLookup(t *testing.T) {
	object := parse(
		t,
		`{"spec":{"ports":[{"port":80,"name":"a"},{"port":80,"protocol":"UDP","name":"b"},{"port":81},{"port":81}],"ips":["x","y","x"],"null":null}}`,
	)
	key := func(port int, protocol string) *fieldpath.PathElement {
		pe := fieldpath.KeyElementByFields("port", port, "protocol", protocol)
		return &pe
	}
	ports := func(pe *fieldpath.PathElement, rest ...any) fieldpath.Path {
		return fieldpath.MakePathOrDie(append([]any{"spec", "ports", *pe}, rest...)...)
	}
	for _, test := range []struct {
		path           fieldpath.Path
		typed, untyped string
	}{
		{ports(key(80, "TCP"), "name"), "[a]", "[a]"},
		{ports(key(80, "UDP"), "name"), "[b]", "[b]"},
		{ports(key(81, "UDP")), "[]", "[map[port:81] map[port:81]]"},
		{ports(key(81, "TCP")), "[map[port:81] map[port:81]]", "[map[port:81] map[port:81]]"},
		{ports(key(82, "TCP")), "[]", "[]"},
		{fieldpath.MakePathOrDie("spec", "ips", 1), "[y]", "[y]"},
		{fieldpath.MakePathOrDie("spec", "ips", -1), "[]", "[]"},
		{fieldpath.MakePathOrDie("spec", "ips", 3), "[]", "[]"},
		{fieldpath.MakePathOrDie("spec", "null"), "[<nil>]", "[<nil>]"},
		{fieldpath.MakePathOrDie("spec", "null", "below"), "[]", "[]"},
		{fieldpath.MakePathOrDie("spec", 0), "[]", "[]"},
		{fieldpath.Path{{}}, "[]", "[]"},
	} {
		if got := fmt.Sprint(serviceShape(t).Lookup(object, test.path)); got != test.typed {
			t.Errorf("typed %s: got %s, want %s", test.path, got, test.typed)
		}
		if got := fmt.Sprint(Lookup(object, test.path)); got != test.untyped {
			t.Errorf("untyped %s: got %s, want %s", test.path, got, test.untyped)
		}
	}
}

// TestLookupOtherKeys: an item with more keys than are asked for is found only where no
// item has just these.
func TestLookupOtherKeys(t *testing.T) {
	parser, err := typed.NewParser(
		`types: [{name: root, map: {fields: [{name: list, type: {list: {elementRelationship: associative, keys: [name, of],
		elementType: {map: {elementType: {scalar: string}}}}}}]}}]`,
	)
	if err != nil {
		t.Fatal(err)
	}
	shape := ShapeOf(parser.Type("root"))
	path := fieldpath.MakePathOrDie("list", fieldpath.KeyByFields("name", "a"))
	for text, want := range map[string]string{
		`{"list":[{"name":"a","of":"x"},{"name":"a"}]}`: "[map[name:a]]",
		`{"list":[{"name":"a","of":"x"},{"name":"b"}]}`: "[map[name:a of:x]]",
	} {
		if got := fmt.Sprint(shape.Lookup(parse(t, text), path)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestAfter: what an object's entries say does not depend on what was known before;
// those that own the same share a set.
func TestAfter(t *testing.T) {
	before := parse(t, liveService)
	known := Of(before)
	for name, text := range map[string]string{
		"the same":       liveService,
		"another time":   strings.Replace(liveService, `"manager":"helm",`, `"manager":"helm","time":"2026-01-02T03:04:05Z",`, 1),
		"a field more":   strings.Replace(liveService, `"f:type":{}`, `"f:type":{},"f:selector":{}`, 1),
		"a field less":   strings.Replace(liveService, `"f:selector":{},`, ``, 1),
		"an entry less":  strings.Replace(liveService, `{"manager":"edit","operation":"Update","apiVersion":"v2"`, `{"manager":"edit","operation":"Odd","apiVersion":"v2"`, 1),
		"broken fields":  strings.Replace(liveService, `{"f:type":{}}`, `{"f:type":1}`, 1),
		"no fields":      strings.Replace(liveService, `"fieldsV1":{"f:spec":{"f:type":{}}}`, `"fieldsV1":null`, 1),
		"no list at all": `{"metadata":{"managedFields":1}}`,
	} {
		object := parse(t, text)
		want, got := Of(object), known.After(before, object)
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *fieldpath.Set) bool { return a.Equals(b) }), cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if name == "another time" && got.Entries[0].Set != known.Entries[0].Set {
			t.Error("what did not change was read again")
		}
	}
}

// TestCovering: it gives what asking each entry gives, for paths that are owned, below
// what is, above it, and by none.
func TestCovering(t *testing.T) {
	set := func(paths ...fieldpath.Path) *fieldpath.Set { return fieldpath.NewSet(paths...) }
	path := fieldpath.MakePathOrDie
	var o Owners
	for i, s := range []*fieldpath.Set{
		set(path("spec")),
		set(path("spec"), path("spec", "a")),
		set(path("spec", "a"), path("spec", "b")),
		set(path("spec", "a", "x")),
		set(path("spec", "a"), path("spec", "a", "y")),
		set(),
		set(path("spec", "a")),
	} {
		e := Entry{Set: s, Index: i}
		e.Manager = fmt.Sprint("m", 9-i)
		o.Entries = append(o.Entries, e)
	}
	covering := o.Covering()
	for _, p := range []fieldpath.Path{
		path("spec"), path("spec", "a"), path("spec", "b"), path("spec", "c"),
		path("spec", "a", "x"), path("spec", "a", "y"), path("spec", "a", "x", "z"), path("status"), nil,
	} {
		var want, got []int
		for _, e := range o.Entries {
			if Covers(e.Set, p) {
				want = append(want, e.Index)
			}
		}
		for _, e := range covering(p) {
			got = append(got, e.Index)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", p, diff)
		}
	}
}

// TestManyEntries: as many writers as fields are read, and what they own together is
// found, in about as much time for each as for one: in pairs, they would take minutes.
func TestManyEntries(t *testing.T) {
	const many = 20_000
	object := func() map[string]any {
		entries := make([]any, many)
		for i := range entries {
			entries[i] = map[string]any{
				"manager": fmt.Sprint("m", i), "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{
					"f:spec": map[string]any{"f:ips": map[string]any{fmt.Sprintf(`v:"%06d"`, i): map[string]any{}}},
				},
			}
		}
		return map[string]any{"metadata": map[string]any{"managedFields": entries}}
	}
	before := object()
	o := Of(before)
	after := o.After(before, object())
	if after.Entries[many-1].Set != o.Entries[many-1].Set {
		t.Error("the same fields are read again")
	}
	at := o.Index()
	for i, e := range o.Entries {
		e.Set.Iterate(func(p fieldpath.Path) {
			if got := at(p); len(got) != 1 || got[0].Index != i {
				t.Errorf("%s is owned by %v", p, got)
			}
		})
	}
	if got := o.Set().Size(); got != many {
		t.Errorf("%d paths are owned", got)
	}
	items := make([]any, many)
	for i := range items {
		items[i] = fmt.Sprintf("%06d", i)
	}
	before["spec"] = map[string]any{"ips": items[1:]}
	if stale := o.Stale(before, serviceShape(t)); len(stale) != 1 {
		t.Errorf("%d paths are stale", len(stale))
	}
}
