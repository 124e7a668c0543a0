package server

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/gotree"
)

// TestSchemaTrees: schemas of definitions, which read and write parts of themselves,
// go from and to trees and text as upstream has them go.
func TestSchemaTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 9))
	read, equal := 0, 0
	for range 20_000 {
		tree := randomSchema(rng, 4)
		var got, want apiextensionsv1.JSONSchemaProps
		if !gotree.Read(tree, &got) {
			continue
		}
		read++
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree, &want)
		if err != nil || !reflect.DeepEqual(got, want) {
			text, _ := json.Marshal(tree)
			t.Fatalf("%s: %v (-want +got)\n%s", text, err, cmp.Diff(want, got))
		}
		text, err := json.Marshal(&got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := jsontree.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if gotree.Writes(&got, back) {
			equal++
		}
		for _, other := range []map[string]any{tree, randomSchema(rng, 1)} {
			if gotree.Writes(&got, other) && !jsontree.Equal(text, other) {
				other, _ := json.Marshal(other)
				t.Fatalf("%s is taken for %s", text, other)
			}
		}
	}
	t.Logf("%d read, %d seen to be what is written", read, equal)
	if read < 4_000 || equal < read*8/10 {
		t.Errorf("%d read, %d seen to be what is written", read, equal)
	}
}

// randomSchema is one whose fields mostly are as they should be.
func randomSchema(rng *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	for range rng.IntN(6) {
		key := []string{"type", "description", "format", "default", "maximum", "maxLength", "enum", "required", "items", "anyOf", "not", "properties",
			"additionalProperties", "dependencies", "additionalItems", "definitions", "example", "nullable", "x-kubernetes-preserve-unknown-fields",
			"x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-validations", "unknown"}[rng.IntN(23)]
		out[key] = randomPart(rng, key, depth)
	}
	return out
}

func randomPart(rng *rand.Rand, key string, depth int) any {
	pick := func(of ...any) any { return of[rng.IntN(len(of))] }
	if rng.IntN(60) == 0 {
		return pick(nil, true, "x", int64(5), 1.5, []any{}, []any{"a"}, []any{map[string]any{}}, map[string]any{"a": "b"})
	}
	switch key {
	case "default", "example":
		return pick(
			true, "a", "<&>\n", int64(0), int64(10),
			-1.5,
			[]any{},
			[]any{map[string]any{"b": "<", "a": nil}},
			map[string]any{"b": int64(1), "a": 1e21},
		)
	case "maximum":
		return pick(int64(0), int64(300), int64(1)<<62+1, 0.5, 1e-7, 3.0)
	case "maxLength":
		return pick(int64(0), int64(63))
	case "enum":
		return pick([]any{"a", "", nil}, []any{int64(1), true, 0.5}, []any{})
	case "required", "x-kubernetes-list-map-keys":
		return pick([]any{"a"}, []any{}, []any{"b", nil})
	case "nullable", "x-kubernetes-preserve-unknown-fields":
		return rng.IntN(2) == 0
	case "x-kubernetes-validations":
		return []any{map[string]any{"rule": "self.a < 5 && true", "message": "<no>"}}
	case "type", "description", "format", "x-kubernetes-list-type":
		return pick("", "string", "two\nlines", "<a&b>\u2028", "é\"\\\x7f\x01", "\xff")
	}
	if depth == 0 {
		return nil
	}
	inner := randomSchema(rng, depth-1)
	switch key {
	case "items", "anyOf":
		return pick(inner, inner, []any{inner, nil}, []any{})
	case "additionalProperties", "additionalItems":
		return pick(inner, true, false)
	case "properties", "definitions":
		return pick(map[string]any{"a": inner, "<b>": randomSchema(rng, depth-1), "": nil}, map[string]any{})
	case "dependencies":
		return map[string]any{"a": pick(inner, []any{"b"}, []any{}), "b": nil}
	}
	return inner
}
