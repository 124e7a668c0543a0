package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/owners"
)

const gadget = `types:
- name: gadget
  map:
    fields:
    - {name: metadata, type: {namedType: untyped}}
    - name: spec
      type:
        map:
          fields:
          - {name: replicas, type: {scalar: numeric}}
          - {name: script, type: {scalar: string}}
          - name: ports
            type: {list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port, protocol]}}
          - name: zones
            type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
          - name: args
            type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}
          - name: selector
            type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
          - name: options
            type: {map: {elementType: {scalar: untyped}}}
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

func gadgetShape(t testing.TB) managedfields.Shape {
	t.Helper()
	p, err := typed.NewParser(typed.YAMLObject(gadget))
	if err != nil {
		t.Fatal(err)
	}
	return managedfields.ShapeOf(p.Type("gadget"))
}

// ownersObject reads testdata/owners/<name>.json.
func ownersObject(t testing.TB, name string) *owners.Object {
	t.Helper()
	b, err := os.ReadFile("testdata/owners/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := kjson.Unmarshal(b, &object); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	target := owners.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Namespace: "shop", Name: "web"}
	return owners.New(target, owners.Source{File: "live.json", Document: 1, Line: 1}, object, gadgetShape(t))
}

func TestOwnersGolden(t *testing.T) {
	web := []*owners.Object{ownersObject(t, "web")}
	for _, view := range OwnersViews() {
		for _, width := range []int{60, 80, 160} {
			for _, color := range []bool{false, true} {
				name := fmt.Sprintf("%s_%d", view, width)
				if color {
					name += "_color"
				}
				t.Run(name, func(t *testing.T) {
					o := OwnersOptions{Options: Options{Width: width, Color: color, Now: now}, View: view}
					checkOwners(t, name, web, o)
				})
			}
		}
	}
	for _, c := range []struct {
		name    string
		view    OwnersView
		verbose bool
		objects []*owners.Object
		filter  owners.Filter
	}{
		{"blame_verbose", OwnersBlame, true, web, owners.Filter{}},
		{"tree_verbose", OwnersTree, true, web, owners.Filter{}},
		{"table_verbose", OwnersTable, true, web, owners.Filter{}},
		{"blame_shared", OwnersBlame, false, web, owners.Filter{States: []owners.Kind{owners.SharedFields}}},
		{"blame_stale", OwnersBlame, false, web, owners.Filter{States: []owners.Kind{owners.StaleFields}}},
		{"table_unowned", OwnersTable, false, web, owners.Filter{States: []owners.Kind{owners.UnownedFields}}},
		{"table_unmatched", OwnersTable, false, web, owners.Filter{Managers: []string{"nobody"}, Fields: []string{"spec.replica", "spec.args[0]"}}},
		{"table_untracked", OwnersTable, false, web, owners.Filter{Fields: []string{"metadata.name"}}},
		{"managers_one", OwnersManagers, false, web, owners.Filter{Managers: []string{"kube*"}}},
		{"tree_field", OwnersTree, false, web, owners.Filter{Fields: []string{"spec.ports[port=80"}}},
		{"table_none", OwnersTable, false, []*owners.Object{ownersObject(t, "none"), ownersObject(t, "broken")}, owners.Filter{}},
		{"blame_hostile", OwnersBlame, false, []*owners.Object{ownersObject(t, "hostile")}, owners.Filter{}},
		{"tree_hostile", OwnersTree, false, []*owners.Object{ownersObject(t, "hostile")}, owners.Filter{}},
		{"managers_hostile", OwnersManagers, false, []*owners.Object{ownersObject(t, "hostile")}, owners.Filter{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := OwnersOptions{Options: Options{Width: 80, Verbose: c.verbose, Now: now}, View: c.view, Filter: c.filter}
			checkOwners(t, c.name, c.objects, o)
		})
	}
}

// checkOwners compares with a golden, and checks what holds for every one:
// nothing acts on a terminal, nothing is wider than it, colour adds nothing.
func checkOwners(t *testing.T, name string, objects []*owners.Object, o OwnersOptions) {
	t.Helper()
	got := ownersText(t, objects, o)
	checkGolden(t, "owners/"+name+".text", got)
	plain := ansi.ReplaceAllString(got, "")
	for i, l := range strings.Split(plain, "\n") {
		if columns(l) > o.Width && !strings.HasPrefix(l, "  kubectl get") {
			t.Errorf("line %d has %d columns: %s", i+1, columns(l), l)
		}
		if !isVisible(l) {
			t.Errorf("line %d acts: %q", i+1, l)
		}
	}
	o.Color = false
	if diff := cmp.Diff(ownersText(t, objects, o), plain); diff != "" {
		t.Errorf("colour changes the text (-want +got):\n%s", diff)
	}
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

func ownersText(t *testing.T, objects []*owners.Object, o OwnersOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := Owners(&out, OwnersAnswer{Objects: objects}, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOwnersDocument(t *testing.T) {
	objects := []*owners.Object{ownersObject(t, "web"), ownersObject(t, "none"), ownersObject(t, "broken")}
	answer := OwnersAnswer{
		Objects:     objects,
		Problems:    []owners.Problem{{Source: owners.Source{File: "x.yaml"}, Message: "no such file"}},
		Interrupted: &owners.Interruption{Answered: 3, Total: 7},
	}
	var asJSON, asYAML bytes.Buffer
	if err := OwnersJSON(&asJSON, answer, owners.Filter{}); err != nil {
		t.Fatal(err)
	}
	if err := OwnersYAML(&asYAML, answer, owners.Filter{}); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "owners/document.json", asJSON.String())
	converted, err := yaml.YAMLToJSON(asYAML.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(asJSON.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(converted, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YAML differs from JSON (-json +yaml):\n%s", diff)
	}
}

// TestOwnersEmpty: no objects, and an object without anything, are no error.
func TestOwnersEmpty(t *testing.T) {
	for _, view := range OwnersViews() {
		o := OwnersOptions{Options: Options{Width: 80}, View: view}
		if got := ownersText(t, nil, o); got != "" {
			t.Errorf("%s of nothing: %q", view, got)
		}
		empty := owners.New(owners.Target{}, owners.Source{}, nil, managedfields.Shape{})
		if got := ownersText(t, []*owners.Object{empty}, o); !strings.Contains(got, "without managedFields") {
			t.Errorf("%s of an empty object: %q", view, got)
		}
	}
}

// FuzzOwnersYAML: the lines of the blame view are the object, in YAML.
func FuzzOwnersYAML(f *testing.F) {
	for _, seed := range []string{
		`{"a":{"b":[1,"x",null,{"c":"d"}],"":{"y":true}},"text":"two\nlines\n","n":"0x1","e":{},"l":[]}`,
		`{"spec":{"ports":[{"port":80,"name":"a"},{"port":80},{"port":81,"protocol":"UDP","x":{"y":[[]]}}],"zones":["a","a"]}}`,
		`{"? odd: key":{"- x":1},"#":[{"":null}],"very long key ` + strings.Repeat("k", 150) + `":{"a":1}}`,
		`{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:l":{"k:{\"n\":1}":{".":{}},"i:0":{"i:0":{}}}}}]},"l":[[["x"]],{"n":1,"m":{"a":1}}]}`,
	} {
		f.Add(seed)
	}
	typedShape := gadgetShape(f)
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]any
		if kjson.Unmarshal([]byte(text), &object) != nil || !isVisible(text) || tooOdd(text) {
			return
		}
		for _, shape := range []managedfields.Shape{{}, typedShape} {
			o := owners.New(owners.Target{}, owners.Source{}, object, shape)
			lines, err := yamlLines(o.Root)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, l := range lines {
				b.WriteString(l.text + "\n")
			}
			var got map[string]any
			if err := yaml.Unmarshal([]byte(b.String()), &got); err != nil {
				t.Fatalf("%v:\n%s", err, b.String())
			}
			want := asFloats(t, withoutManagedFields(object))
			if len(lines) == 0 {
				got = map[string]any{}
			}
			if diff := cmp.Diff(want, asFloats(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, b.String())
			}
		}
	})
}

// tooOdd leaves out what YAML cannot carry: escapes of what cannot be shown
// stay escapes in the view.
func tooOdd(text string) bool { return strings.Contains(text, `\u`) || strings.Contains(text, `\b`) }

func asFloats(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
