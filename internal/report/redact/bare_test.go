package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBareObjects(t *testing.T) {
	claims := func(text string, data map[string]any) []any {
		return []any{text, map[string]any{"manager": "m", "fieldsV1": map[string]any{"f:data": data, "f:type": map[string]any{}}}}
	}
	given := func() map[string]any {
		object := secret("", map[string]any{"user": b64("admin"), "password": b64("hunter22")})
		object["metadata"].(map[string]any)["managedFields"] = claims("text", map[string]any{
			"f:user": map[string]any{}, `v:"hunter22"`: map[string]any{}, `k:{"a":"hunter22"}`: map[string]any{".": map[string]any{}},
		})
		return object
	}
	object := given()
	want := secret("*** (secret 3)", map[string]any{"user": "*** (secret 2)", "password": "*** (secret 1)"})
	want["metadata"].(map[string]any)["annotations"].(map[string]any)["team"] = "*** (secret 4)"
	want["metadata"].(map[string]any)["managedFields"] = claims("***", map[string]any{
		"f:user": map[string]any{}, `v:"***"`: map[string]any{}, `k:{"***":"***"}`: map[string]any{".": map[string]any{}},
	})
	masks := New()
	if diff := cmp.Diff(want, masks.Object(object)); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(given(), object); diff != "" {
		t.Errorf("the given object was changed (-want +got):\n%s", diff)
	}
	second := map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"again": b64("admin")}}
	if got := masks.Object(second)["data"].(map[string]any)["again"]; got != "*** (secret 2)" {
		t.Errorf("an equal value of another object is masked as %v", got)
	}
	other := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"k": "v"}}
	if diff := cmp.Diff(other, masks.Object(other)); diff != "" {
		t.Errorf("a ConfigMap is masked (-want +got):\n%s", diff)
	}
	if masks.Object(nil) != nil {
		t.Error("nil is masked")
	}
}
