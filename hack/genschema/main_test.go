package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// converted is what the server makes of definitions: types by name.
func converted(t *testing.T, definitions map[string]*spec.Schema) map[string]smd.TypeDef {
	t.Helper()
	models, err := schemaconv.ToSchemaFromOpenAPI(definitions, false)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]smd.TypeDef{}
	for _, d := range models.Types {
		types[d.Name] = d
	}
	return types
}

// equalTypes compares types by what they say; upstream's caches do not count.
var equalTypes = []cmp.Option{
	cmpopts.IgnoreUnexported(smd.Map{}),
	cmpopts.SortSlices(func(a, b smd.StructField) bool { return a.Name < b.Name }),
	cmp.FilterPath(func(p cmp.Path) bool { return !isDefault(p) }, cmpopts.EquateEmpty()),
	// A default is a JSON value: 80 and 80.0 are the same.
	cmp.FilterPath(isDefault, cmp.Comparer(func(a, b any) bool { return asJSON(a) == asJSON(b) })),
}

func isDefault(p cmp.Path) bool { return p.Last().String() == ".Default" }

// reachable follows references from a kind's type.
func reachable(types map[string]smd.TypeDef, root string) map[string]smd.TypeDef {
	found := map[string]smd.TypeDef{}
	var visit func(string)
	var visitAtom func(smd.Atom)
	visitRef := func(r smd.TypeRef) {
		if r.NamedType != nil {
			visit(*r.NamedType)
		}
		visitAtom(r.Inlined)
	}
	visitAtom = func(a smd.Atom) {
		if a.List != nil {
			visitRef(a.List.ElementType)
		}
		if a.Map != nil {
			visitRef(a.Map.ElementType)
			for _, f := range a.Map.Fields {
				visitRef(f.Type)
			}
		}
	}
	visit = func(name string) {
		if _, ok := found[name]; ok {
			return
		}
		found[name] = types[name]
		visitAtom(types[name].Atom)
	}
	visit(root)
	return found
}

// TestEmbedded proves that what is embedded for the release that this test
// links is, kind by kind, what a server builds from its definitions.
func TestEmbedded(t *testing.T) {
	definitions, err := serverDefinitions()
	if err != nil {
		t.Fatal(err)
	}
	types := converted(t, definitions)
	set, err := mergeschema.Open(newest())
	if err != nil {
		t.Fatal(err)
	}
	names := map[schema.GroupVersionKind]string{}
	for name, definition := range definitions {
		for _, kind := range kindsOf(definition) {
			names[kind] = name
		}
	}
	if kinds := set.Kinds(); len(kinds) < 150 {
		t.Errorf("%d kinds are embedded only", len(kinds))
	}
	for _, kind := range set.Kinds() {
		if names[kind] == "" {
			t.Errorf("%s is embedded, but no definition of the server has it", kind)
			continue
		}
		compareKind(t, set, kind, reachable(types, names[kind]))
	}
}

func compareKind(t *testing.T, set *mergeschema.Set, kind schema.GroupVersionKind, want map[string]smd.TypeDef) {
	t.Helper()
	parseable, ok := set.Type(kind)
	if !ok {
		t.Errorf("%s is not embedded", kind)
		return
	}
	got := map[string]smd.TypeDef{}
	for _, d := range parseable.Schema.Types {
		got[d.Name] = d
	}
	if diff := cmp.Diff(want, got, equalTypes...); diff != "" {
		t.Errorf("%s (-server +embedded):\n%s", kind, diff)
	}
}
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newest is the release that this module links.
func newest() string {
	releases := mergeschema.Releases()
	return releases[len(releases)-1].Name()
}

func TestEncodeKeepsEverything(t *testing.T) {
	text, atomic := smd.Scalar("string"), smd.Atomic
	named := "b"
	types := []smd.TypeDef{
		{Name: "b", Atom: smd.Atom{Scalar: &text}},
		{Name: "a", Atom: smd.Atom{Map: &smd.Map{
			Fields: []smd.StructField{
				{Name: "list", Type: smd.TypeRef{Inlined: smd.Atom{List: &smd.List{
					ElementType: smd.TypeRef{NamedType: &named}, ElementRelationship: smd.Associative, Keys: []string{"x", "y"}}}}},
				{Name: "text", Type: smd.TypeRef{NamedType: &named, ElementRelationship: &atomic}, Default: "TCP"},
			},
			ElementType: smd.TypeRef{NamedType: &named}, ElementRelationship: smd.Separable,
		}}},
	}
	kind := schema.GroupVersionKind{Version: "v1", Kind: "A"}
	raw, err := encodeTypes(types, map[schema.GroupVersionKind]string{kind: "a"})
	if err != nil {
		t.Fatal(err)
	}
	set, err := mergeschema.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := set.Type(kind)
	if !ok {
		t.Fatal("the kind is lost")
	}
	want := []smd.TypeDef{types[1], types[0]}
	ignore := cmp.FilterPath(
		func(p cmp.Path) bool { return p.Last().String() == ".once" || p.Last().String() == ".m" },
		cmp.Ignore(),
	)
	if diff := cmp.Diff(want, got.Schema.Types, ignore); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := encodeTypes(types, map[schema.GroupVersionKind]string{kind: "missing"}); err == nil {
		t.Error("a kind without a type encodes")
	}
}
