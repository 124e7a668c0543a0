package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMasked: a mask that is read back as a value of a Secret is found where it stands, and
// the same text in another place, or of another kind, is a text.
func TestMasked(t *testing.T) {
	for _, test := range []struct {
		name, object string
		want         []any
	}{
		{"data", `{"kind":"Secret","data":{"a":"YQ==","b":"*** (secret 1)"}}`, []any{"data", "b"}},
		{"data without a number, which is no base64", `{"kind":"Secret","data":{"b":"***"}}`, []any{"data", "b"}},
		{"stringData", `{"kind":"Secret","stringData":{"b":"*** (secret 12)"}}`, []any{"stringData", "b"}},
		{"stringData may be stars", `{"kind":"Secret","stringData":{"b":"***"}}`, nil},
		{"a text with a mask in it is another text", `{"kind":"Secret","stringData":{"b":"is *** (secret 1)"}}`, nil},
		{"an annotation with a mask in it", `{"kind":"Secret","metadata":{"annotations":{"a":"is *** (secret 1)."}}}`, []any{"metadata", "annotations", "a"}},
		{"a label", `{"kind":"Secret","metadata":{"labels":{"a":"*** (secret 3)"}}}`, []any{"metadata", "labels", "a"}},
		{"an unknown field", `{"kind":"Secret","other":[{"x":"*** (secret 3)"}]}`, []any{"other", 0, "x"}},
		{"the first by key", `{"kind":"Secret","stringData":{"a":"*** (secret 2)"},"data":{"z":"*** (secret 1)"}}`, []any{"data", "z"}},
		{"in a list", `{"kind":"List","items":[{"kind":"ConfigMap","data":{"a":"***"}},{"kind":"Secret","data":{"a":"***"}}]}`, []any{"items", 1, "data", "a"}},
		{"in a SecretList", `{"kind":"SecretList","items":[{"data":{"a":"YQ=="}},{"data":{"a":"***"}}]}`, []any{"items", 1, "data", "a"}},
		{"in another kind", `{"kind":"ConfigMap","data":{"a":"*** (secret 1)"}}`, nil},
	} {
		got := Masked(decoded(t, test.object))
		if diff := cmp.Diff(test.want, got); diff != "" || (got == nil) != (test.want == nil) {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestMaskedPatch: a patch of a Secret need not say its kind, and may be operations.
func TestMaskedPatch(t *testing.T) {
	for _, test := range []struct {
		name  string
		patch any
		want  []any
	}{
		{"a merge patch", map[string]any{"data": map[string]any{"a": "***"}}, []any{"data", "a"}},
		{"operations", []any{map[string]any{"op": "test"}, map[string]any{"op": "add", "value": "*** (secret 1)"}}, []any{1, "value"}},
		{"a bare value", "*** (secret 1)", []any{}},
		{"none", map[string]any{"data": map[string]any{"a": "YQ=="}}, nil},
	} {
		got := MaskedPatch(test.patch)
		if diff := cmp.Diff(test.want, got); diff != "" || (got == nil) != (test.want == nil) {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestMasks(t *testing.T) {
	into := map[string]bool{}
	Masks(into, map[string]any{"a": []any{"*** (secret 1)", "is *** (secret 2), and *** (secret 1)"}, "b": "***", "c": 1})
	if diff := cmp.Diff(map[string]bool{"*** (secret 1)": true, "*** (secret 2)": true}, into); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPaths: what a field path of a Secret has in brackets is masked but for names and
// places.
func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		".data.password":                             ".data.password",
		`.data[="hunter22"]`:                         `.data[=***]`,
		`.data[k="hunter22"].x`:                      `.data[***]`,
		`.metadata.finalizers[="example.com/x"]`:     `.metadata.finalizers[="example.com/x"]`,
		`.metadata.finalizers[="hunter22"]`:          `.metadata.finalizers[=***]`,
		`.metadata.ownerReferences[uid="u"].name`:    `.metadata.ownerReferences[uid="u"].name`,
		`.metadata.managedFields[0].fieldsV1.f:data`: `.metadata.managedFields[***]`,
	} {
		if got := (walker{New()}).path(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestLearnPatch: all that a patch puts into a Secret is a value from then on.
func TestLearnPatch(t *testing.T) {
	for name, patch := range map[string]any{
		"a merge patch": map[string]any{"stringData": map[string]any{"a": "hunter2-hunter2"}},
		"operations":    []any{map[string]any{"op": "replace", "path": "/data/a", "value": "aHVudGVyMi1odW50ZXIy"}},
		"a whole field": []any{map[string]any{"op": "add", "path": "/data", "value": map[string]any{"a": "aHVudGVyMi1odW50ZXIy"}}},
		"no operations": []any{"hunter2-hunter2"},
		"a bare value":  "hunter2-hunter2",
		"at the root":   []any{map[string]any{"op": "replace", "path": "", "value": map[string]any{"stringData": map[string]any{"a": "hunter2-hunter2"}}}},
	} {
		m := New()
		m.LearnPatch(patch)
		if got := m.Text("is hunter2-hunter2"); got != "is *** (secret 1)" {
			t.Errorf("%s: %s", name, got)
		}
		if got := m.Text("op replace /data"); got != "op replace /data" {
			t.Errorf("%s: words of the patch are masked: %s", name, got)
		}
		shown := New()
		shown.ShowSecrets()
		shown.LearnPatch(patch)
		if got := shown.Text("is hunter2-hunter2"); got != "is hunter2-hunter2" {
			t.Errorf("%s: masked though Secrets are shown: %s", name, got)
		}
	}
}
