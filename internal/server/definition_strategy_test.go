package server

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestDefinitionStrategy: what upstream says of an update of a definition, it says of
// it without the schemas that are plain.
func TestDefinitionStrategy(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 16))
	upstream := customresourcedefinition.NewStrategy(apiextensionsapiserver.Scheme)
	ours := definitionStrategy{upstream}
	refused, lean, warned := 0, 0, 0
	for range 1_000 {
		mistakes := rng.IntN(3)
		schemas := []map[string]any{writtenSchema(rng, 4, &mistakes), writtenSchema(rng, 3, &mistakes)}
		old := versionsOf(t, schemas...)
		mistakes = rng.IntN(2)
		changed := []map[string]any{schemas[0], schemas[rng.IntN(2)]}
		changed[rng.IntN(2)] = writtenSchema(rng, 4, &mistakes)
		obj := versionsOf(t, changed...)
		want := upstream.ValidateUpdate(context.Background(), obj, old)
		got := ours.ValidateUpdate(context.Background(), obj, old)
		if (len(want) == 0) != (len(got) == 0) {
			text, _ := json.MarshalIndent([]any{obj, old}, "", " ")
			t.Fatalf("upstream says %v, and without plain schemas %v\n%s", want, got, text)
		}
		warnings := upstream.WarningsOnUpdate(context.Background(), obj, old)
		slices.Sort(warnings)
		mine := ours.WarningsOnUpdate(context.Background(), obj, old)
		if slices.Sort(mine); !slices.Equal(warnings, mine) {
			t.Fatalf("upstream warns %v, and without plain schemas %v", warnings, mine)
		}
		if len(want) > 0 {
			refused++
		}
		if len(warnings) > 0 {
			warned++
		}
		if a, b, ok := leanUpdate(obj, old); ok && len(want) == 0 && len(upstream.ValidateUpdate(context.Background(), a, b)) == 0 {
			lean++
		}
	}
	t.Logf("%d refused, %d warned of, %d accepted without plain schemas", refused, warned, lean)
	if refused < 300 || warned < 30 || lean < 300 {
		t.Errorf("%d refused, %d warned of, %d accepted without plain schemas", refused, warned, lean)
	}
}

// TestLeanKnowsAllFields: a field that a later release gives to schemas is looked at
// before any schema that has it is taken for plain.
func TestLeanKnowsAllFields(t *testing.T) {
	const looked = 44
	if n := reflect.TypeFor[apiextensions.JSONSchemaProps]().NumField(); n != looked {
		t.Errorf("schemas have %d fields, and %d were looked at: see definition_plain.go and governs", n, looked)
	}
}

// versionsOf is a definition with a version for each schema, in its internal form.
func versionsOf(t *testing.T, schemas ...map[string]any) *apiextensions.CustomResourceDefinition {
	t.Helper()
	var versions []any
	for i, schema := range schemas {
		versions = append(versions, map[string]any{
			"name": fmt.Sprintf("v%d", i+1), "served": true, "storage": i == 0, "schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{"metadata": map[string]any{"type": "object"}, "spec": schema},
			}}})
	}
	tree := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "things.example.com", "uid": "1", "resourceVersion": "1"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "versions": versions,
			"names": map[string]any{"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
		},
		"status": map[string]any{"storedVersions": []any{"v1"}},
	}
	var v1 apiextensionsv1.CustomResourceDefinition
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree, &v1); err != nil {
		t.Fatal(err)
	}
	apiextensionsapiserver.Scheme.Default(&v1)
	out, err := apiextensionsapiserver.Scheme.UnsafeConvertToVersion(&v1, apiextensions.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	return out.(*apiextensions.CustomResourceDefinition)
}

// writtenSchema is one as people write them, with some mistakes.
func writtenSchema(rng *rand.Rand, depth int, mistakes *int) map[string]any {
	pick := func(of ...any) any { return of[rng.IntN(len(of))] }
	kind := pick("string", "string", "integer", "number", "boolean", "any", "port", "object", "object", "array", "map").(string)
	if depth == 0 {
		kind = pick("string", "integer", "boolean").(string)
	} else if depth > 2 {
		kind = pick("object", "object", "object", "array").(string)
	}
	out := map[string]any{"type": kind, "description": pick("a", "b")}
	some := func(n int, key string, value any) {
		if rng.IntN(n) == 0 {
			out[key] = value
		}
	}
	below := func() map[string]any { return writtenSchema(rng, depth-1, mistakes) }
	switch kind {
	case "string":
		some(4, "format", pick("date-time", "byte", "uuid", "date", "odd"))
		some(4, "pattern", pick("^[a-z]*$", "^a+$"))
		some(4, "enum", []any{"a", "b"})
		some(8, "default", pick("a", "b"))
		some(4, "maxLength", int64(10))
	case "integer":
		some(3, "format", pick("int32", "int64"))
		some(6, "default", pick(int64(1), int64(7)))
		some(3, "minimum", pick(0.0, 1.0))
		some(3, "maximum", 7.0)
		some(8, "exclusiveMinimum", true)
	case "boolean":
		some(2, "default", true)
	case "any":
		delete(out, "type")
		out["x-kubernetes-preserve-unknown-fields"] = true
	case "port":
		delete(out, "type")
		out["x-kubernetes-int-or-string"] = true
		some(2, "anyOf", []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}})
		some(8, "default", int64(80))
	case "object":
		properties := map[string]any{}
		for range 1 + rng.IntN(4) {
			properties[pick("name", "key", "c", "d", "e", "metadata", "status").(string)] = below()
		}
		out["properties"] = properties
		some(3, "required", []any{"name"})
		some(6, "x-kubernetes-map-type", "atomic")
		some(40, "x-kubernetes-validations", []any{map[string]any{"rule": pick("has(self.c) == has(self.c)", "true", "self.c == 'a'")}})
		some(25, "default", pick(map[string]any{}, map[string]any{"c": "a"}))
	case "array":
		out["items"] = below()
		some(4, "maxItems", int64(5))
		switch rng.IntN(4) {
		case 0:
			out["x-kubernetes-list-type"] = pick("atomic", "set")
		case 1:
			out["x-kubernetes-list-type"], out["x-kubernetes-list-map-keys"] = "map", []any{"name"}
			if *mistakes > 0 && rng.IntN(2) == 0 {
				*mistakes--
				out["x-kubernetes-list-map-keys"] = pick([]any{}, []any{"name", "name"}, []any{"other"}, []any{"c"})
			}
			out["items"] = map[string]any{"type": "object", "required": []any{"name"}, "nullable": rng.IntN(12) == 0, "properties": map[string]any{"name": pick(map[string]any{"type": "string"}, below()), "c": below()}}
		}
	case "map":
		out["type"], out["additionalProperties"] = "object", pick(below(), below(), true)
	}
	some(10, "nullable", true)
	if *mistakes > 0 && rng.IntN(4) == 0 {
		*mistakes--
		mistake(rng, out, below)
	}
	return out
}

// mistake makes one, or what looks like one.
func mistake(rng *rand.Rand, in map[string]any, below func() map[string]any) {
	part := map[string]any{"pattern": "^x"}
	all := []struct {
		key   string
		value any
	}{
		{"type", "text"}, {"type", nil}, {"type", "array"}, {"items", map[string]any{"type": "string"}}, {"pattern", "(["}, {"uniqueItems", true},
		{"x-kubernetes-list-type", "set"}, {"x-kubernetes-list-type", "list"}, {"x-kubernetes-list-map-keys", []any{"c", "c"}}, {"x-kubernetes-list-map-keys", []any{}},
		{"default", "x"}, {"default", 1.5}, {"default", map[string]any{"other": true}}, {"x-kubernetes-preserve-unknown-fields", false},
		{"x-kubernetes-preserve-unknown-fields", true}, {"x-kubernetes-int-or-string", true}, {"x-kubernetes-embedded-resource", true}, {"x-kubernetes-map-type", "other"},
		{"multipleOf", 2.0}, {"not", part}, {"oneOf", []any{part}}, {"anyOf", []any{map[string]any{"type": "string"}}}, {"allOf", []any{map[string]any{"properties": map[string]any{"zz": part}}}},
		{"id", "x"}, {"$ref", "x"}, {"definitions", map[string]any{"a": part}}, {"additionalProperties", map[string]any{"type": "string"}}, {"additionalProperties", false},
		{"additionalItems", true}, {"x-kubernetes-validations", []any{map[string]any{"rule": "self.nothing"}}}, {"x-kubernetes-validations", []any{map[string]any{"rule": "oldSelf == self"}}},
		{"externalDocs", map[string]any{"url": "x"}}, {"nullable", true}, {"required", []any{"none"}}, {"patternProperties", map[string]any{"a": part}}, {"dependencies", map[string]any{"a": []any{"b"}}},
	}
	m := all[rng.IntN(len(all))]
	if m.value == nil {
		delete(in, m.key)
		return
	}
	in[m.key] = m.value
}
