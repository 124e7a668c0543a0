package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/server"
)

// gadget is a definition of which tests change some lines.
const gadget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.lab.example.com}
spec:
  group: lab.example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              owner: {type: string, maxLength: 6}
              size: {type: integer, maximum: 20}
              tags: {type: array, items: {type: string}}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    port: {type: integer}
                    mode: {type: string}
              limits: {type: object, additionalProperties: {type: integer}}
              place: {type: object, properties: {zone: {type: string}, rack: {type: integer}}}
          status: {type: object, properties: {phase: {type: string}}}
`

// TestImpactAlike: where objects share a fate, each gets the one that it has by
// itself, whatever changes.
func TestImpactAlike(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"nothing", "", ""},
		{"bound", "maximum: 20", "maximum: 9"},
		{"length", "maxLength: 6", "maxLength: 2"},
		{"default", "rack: {type: integer}", "rack: {type: integer, default: 7}"},
		{"default of items", "mode: {type: string}", "mode: {type: string, default: fast}"},
		{"removed", "tags: {type: array, items: {type: string}}", "other: {type: string}"},
		{"removed in items", "                    mode: {type: string}\n", ""},
		{"atomic", "list-type: map\n                x-kubernetes-list-map-keys: [name]", "list-type: atomic"},
		{"keys", "list-map-keys: [name]", "list-map-keys: [name, mode]"},
		{"set", "tags: {type: array,", "tags: {type: array, x-kubernetes-list-type: set,"},
		{"atomic map", "place: {type: object,", "place: {type: object, x-kubernetes-map-type: atomic,"},
		{"required", "place: {type: object,", "place: {type: object, required: [zone],"},
		{"fewer", "limits: {type: object,", "limits: {type: object, maxProperties: 1,"},
		{"values", "additionalProperties: {type: integer}", "additionalProperties: {type: integer, minimum: 3}"},
		{"rule", "place: {type: object,", "place: {type: object, x-kubernetes-validations: [{rule: 'has(self.zone)'}],"},
		{"rule on top", "        type: object\n        properties:\n          spec:", "        type: object\n        x-kubernetes-validations: [{rule: 'self.metadata.name != \"g7\"'}]\n        properties:\n          spec:"},
		{"status", "phase: {type: string}", "phase: {type: string, enum: [Ready]}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			objects := gadgets(30)
			files := map[string]string{"old.yaml": gadget, "new.yaml": strings.Replace(gadget, c.old, c.new, 1), "live.json": asList(t, objects)}
			args := []string{"schema", "impact", "--old", "old.yaml", "--new", "new.yaml", "--live", "live.json", "-o", "json"}
			_, short, problems := run(t, files, args...)
			_, full, _ := run(t, files, append(args, "--full-path")...)
			if diff := cmp.Diff(full, short); diff != "" {
				t.Errorf("(-each by itself +shared)\n%s", diff)
			}
			if problems != "" {
				t.Error(problems)
			}
			if n := len(marksOf(t, files, objects)); n == len(objects) && c.name != "rule on top" {
				t.Error("no two objects are alike: the comparison means nothing")
			}
		})
	}
}

// BenchmarkImpact is a run over a thousand objects that are all affected: with shared
// fates, and with each simulated by itself.
func BenchmarkImpact(b *testing.B) {
	var items []string
	for i := range 1000 {
		items = append(items, fmt.Sprintf(`{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g%[1]d","namespace":"lab","uid":"%[1]d","resourceVersion":"1","managedFields":[`+
			`{"manager":"helm","operation":"Apply","apiVersion":"lab.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:owner":{},"f:size":{},"f:place":{"f:zone":{}}}}}]},`+
			`"spec":{"owner":"o%[2]d","size":%[3]d,"place":{"zone":"z%[1]d"}}}`, i, i%90, i%20))
	}
	text := `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + "]}"
	b.Chdir(b.TempDir())
	for name, text := range map[string]string{"old.yaml": gadget, "new.yaml": strings.Replace(gadget, "rack: {type: integer}", "rack: {type: integer, default: 7}", 1), "live.json": text} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, more := range map[string][]string{"shared": nil, "alone": {"--full-path"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				args := append([]string{"schema", "impact", "--old", "old.yaml", "--new", "new.yaml", "--live", "live.json", "-q"}, more...)
				if code := Main(args, iostreams.New(strings.NewReader(""), io.Discard, io.Discard, nil), nil); code == 2 {
					b.Fatal("no answer")
				}
			}
		})
	}
}

// marksOf are those of the objects.
func marksOf(t *testing.T, files map[string]string, objects []any) map[impact.Mark]bool {
	t.Helper()
	definition := func(name string) *impact.Definition {
		text, err := yaml.YAMLToJSON([]byte(files[name]))
		if err != nil {
			t.Fatal(err)
		}
		object, err := server.StoredDefinition(text)
		if err != nil {
			t.Fatal(err)
		}
		return &impact.Definition{Object: object}
	}
	likeness := impact.LikenessOf(impact.Kind{GroupKind: schema.GroupKind{Group: "lab.example.com", Kind: "Gadget"}, Old: definition("old.yaml"), New: definition("new.yaml")})
	out := map[impact.Mark]bool{}
	for i, object := range objects {
		mark := likeness.MarkOf(object.(map[string]any))
		if mark == (impact.Mark{}) {
			mark[0] = byte(i) + 1
		}
		out[mark] = true
	}
	return out
}

// gadgets are objects with values and owners at random, some of them broken.
func gadgets(n int) []any {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	var out []any
	for i := range n {
		spec := map[string]any{}
		fields := map[string]any{}
		set := func(name string, owned any, values ...any) {
			if v := pick(values...); v != nil && r.IntN(4) > 0 {
				spec[name] = v
			}
			if r.IntN(3) > 0 {
				fields["f:"+name] = owned
			}
		}
		none := map[string]any{}
		set("owner", none, "ann", "bob", "eve")
		set("size", none, 3, 12, 15, pick(4, 4, 4, 30))
		set("tags", pick(none, none, map[string]any{`v:"a"`: none}), []any{"a"}, []any{"a", "b"}, []any{"b", "b"})
		port := func(name string) any {
			return map[string]any{"name": name, "port": pick(80, 81), "mode": pick("slow", "fast")}
		}
		item := map[string]any{".": none, "f:name": none, "f:port": none}
		set("ports", pick(none, map[string]any{`k:{"name":"a"}`: item}, map[string]any{`k:{"name":"a"}`: item}), []any{port("a")}, []any{port("a"), port("b")}, []any{map[string]any{"name": "a"}})
		set("limits", map[string]any{"f:cpu": none}, map[string]any{"cpu": pick(1, 5)}, map[string]any{"cpu": 1, "memory": 2})
		set("place", pick(none, map[string]any{"f:zone": none}), map[string]any{"zone": pick("x", "y")}, map[string]any{"rack": 1}, map[string]any{})
		object := map[string]any{
			"apiVersion": "lab.example.com/v1", "kind": "Gadget", "spec": spec,
			"metadata": map[string]any{"name": fmt.Sprintf("g%d", i), "namespace": "lab", "uid": fmt.Sprint(i), "resourceVersion": "1", "managedFields": []any{
				map[string]any{"manager": pick("helm", "helm", "argo"), "operation": pick("Apply", "Apply", "Update"), "apiVersion": pick("lab.example.com/v1", "lab.example.com/v1", "lab.example.com/v1", "lab.example.com/v0"),
					"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": fields}, "time": "2026-01-01T00:00:00Z"},
				map[string]any{"manager": "operator", "operation": "Update", "apiVersion": "lab.example.com/v1", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:size": none}, "f:status": none}, "time": "2026-01-02T00:00:00Z"},
			}},
		}
		if r.IntN(2) == 0 {
			object["status"] = map[string]any{"phase": pick("Ready", "Gone")}
		}
		out = append(out, object)
	}
	// As often as not, an object is like another but for what nothing looks at.
	for i := n / 2; i < n; i++ {
		copied := map[string]any{}
		text, _ := json.Marshal(out[i-n/2])
		if json.Unmarshal(text, &copied) == nil {
			metadata := copied["metadata"].(map[string]any)
			metadata["name"], metadata["labels"] = fmt.Sprintf("g%d", i), map[string]any{"n": fmt.Sprint(i)}
			if place, ok := copied["spec"].(map[string]any)["place"].(map[string]any); ok && place["zone"] != nil {
				place["zone"] = fmt.Sprintf("z%d", i)
			}
			out[i] = copied
		}
	}
	return out
}

func asList(t *testing.T, objects []any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
