package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEmpty: an empty value is no secret, wherever a Secret has it; a blank one is.
func TestEmpty(t *testing.T) {
	secret := func() map[string]any {
		return map[string]any{
			"kind":       "Secret",
			"data":       map[string]any{"a": "", "b": b64(" "), "n": nil},
			"stringData": map[string]any{"c": ""},
			"unknown":    "",
			"metadata":   map[string]any{"annotations": map[string]any{lastApplied: `{"data":{"a":""},"kind":"Secret"}`}},
		}
	}
	m := New()
	want := secret()
	want["data"].(map[string]any)["b"] = "*** (secret 1)"
	if diff := cmp.Diff(want, m.Object(secret())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sealed := NewSealer([]byte("key")).Object(secret())
	if data := sealed["data"].(map[string]any); data["a"] != "" || data["b"] == b64(" ") {
		t.Errorf("sealed as %v", data)
	}
	disguised, has := Disguised(
		map[string]any{"kind": "Secret", "data": map[string]any{"a": ""}},
		func(string) string { return "x" },
	)
	if has || disguised["data"].(map[string]any)["a"] != "" {
		t.Errorf("disguised as %v", disguised)
	}
	if got := m.Text(`.data.a: Invalid value: "": is empty`); got != `.data.a: Invalid value: "": is empty` {
		t.Errorf("said as %s", got)
	}
}
