package client

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestUnpatchable: whether a client-side dry run fails is known from what names an object,
// for kinds without Go types. It is what the whole patch says.
func TestUnpatchable(t *testing.T) {
	object := func(apiVersion, name string, more any) map[string]any {
		metadata := map[string]any{"labels": map[string]any{"a": "b"}}
		if name != "" {
			metadata["name"] = name
		}
		return map[string]any{"apiVersion": apiVersion, "kind": "A", "metadata": metadata, "spec": more}
	}
	live := object("e.io/v1", "x", map[string]any{"list": []any{int64(1)}, "map": map[string]any{"k": "v"}})
	var failed int
	for _, kind := range []schema.GroupVersionKind{{Group: "e.io", Version: "v1", Kind: "A"}, {Version: "v1", Kind: "ConfigMap"}} {
		for _, original := range []string{
			"", "no JSON", "[]", "null", "5", "{}", `{"metadata": null}`, `{"metadata": {"name": "x"}, "spec": {"list": {}}}`,
			`{"apiVersion": "e.io/v1beta1", "kind": "B", "metadata": {"name": "y", "labels": {"c": "d"}}, "spec": 5}`,
		} {
			for _, manifest := range []map[string]any{
				object("e.io/v1", "x", nil), object("e.io/v2", "x", "text"), object("e.io/v1", "", nil),
				object("e.io/v1", "y", map[string]any{"list": nil}),
			} {
				_, _, err := patchOf(kind, []byte(original), Annotated(runtime.DeepCopyJSON(manifest)), live)
				got := Unpatchable(kind, []byte(original), runtime.DeepCopyJSON(manifest), live)
				if fmt.Sprint(got) != fmt.Sprint(err) {
					t.Errorf("%s, %s, %v: got %v, want %v", kind, original, manifest, got, err)
				}
				if err != nil {
					failed++
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no patch fails")
	}
}
