package faithful

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// TestMayBeHuge: whatever stands before a number, so that it is at any place, and
// whatever follows it, it is found; and what is none is not.
func TestMayBeHuge(t *testing.T) {
	huge := []string{
		"1e9999999", "1E+9999999", "1.e-9999999", ".e1234567", "7e00000001", `\u0065`, `\x65`, `\u002e`, `\uzzzz`, `\U00000065`, `\\\u0065`,
		strings.Repeat("9", api.MaxDigits/2+1),
	}
	fine := []string{
		"", "1e999999", "e9999999", "1e+-9999999", "1e9999999"[:8], "1 e9999999", "a-9999999", "20260102030405060708", `\n`, `\u003c`, `\\\u0026`, `\x3c`, `\U0001f600`,
		strings.Repeat("9", api.MaxDigits/2), "1e99.9999999", "0x1e", "1e999999e9", "1e123456 1234567",
	}
	for _, after := range []string{"", " ", "x", strings.Repeat("a1", 20)} {
		for shift := range 2 * longRun {
			before := strings.Repeat(" ", shift)
			for _, text := range huge {
				if !mayBeHuge([]byte(before + text + after)) {
					t.Errorf("not found: %.60q", before+text+after)
				}
			}
			for _, text := range fine {
				if mayBeHuge([]byte(before + text + after)) {
					t.Errorf("found: %.60q", before+text+after)
				}
			}
		}
	}
}

func mayBeHuge(text []byte) bool { return hidesNumbers(text) || hasHugeNumber(text) }

// TestCheckQuantities: a quantity that no server is done with is found where the schema has
// one, in objects and JSON patches, and nowhere else.
func TestCheckQuantities(t *testing.T) {
	types, err := NewTypeConverter(mergeschema.Newest(), func(schema.GroupVersion) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	quota := schema.GroupVersionKind{Version: "v1", Kind: "ResourceQuota"}
	for _, c := range []struct{ name, text, want string }{
		{"JSON", `{"spec":{"hard":{"cpu":"1e9999999"}}}`, ".spec.hard.cpu: a server is busy with the quantity 1e9999999"},
		{"YAML", "spec:\n  hard:\n    cpu: '1e9999999'\n", ".spec.hard.cpu: a server"},
		{"with an escape", `{"spec":{"hard":{"cpu":"1\u00659999999"}}}`, ".spec.hard.cpu: a server"},
		{"a JSON patch", `[{"op":"add","path":"/spec/hard/cpu","value":"1e9999999"}]`, "/spec/hard/cpu: a server"},
		{"a JSON patch of a parent", `[{"op":"add","path":"/spec","value":{"hard":{"a/b":"1e9999999"}}}]`, "/spec.hard.a/b: a server"},
		{"one of many digits", `{"spec":{"hard":{"cpu":"` + strings.Repeat("1", 60000) + `"}}}`, "the quantity " + strings.Repeat("1", 40) + "… until"},
		{"what is no quantity", `{"metadata":{"labels":{"a":"1e9999999"}}}`, ""},
		{"a small one", `{"spec":{"hard":{"cpu":"1e3"}}}`, ""},
		{"no object", `"1e9999999"`, ""},
		{"no YAML", "a: [1e9999999", ""},
	} {
		err := types.CheckQuantities(quota, []byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := types.CheckQuantities(schema.GroupVersionKind{Group: "lab.io", Version: "v1", Kind: "Widget"}, []byte(`{"spec":{"hard":{"cpu":"1e9999999"}}}`)); err != nil {
		t.Errorf("of a custom kind: %v", err)
	}
}
