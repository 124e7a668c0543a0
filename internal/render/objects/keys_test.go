package objects

import (
	"fmt"
	"maps"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
)

// TestOrder: keys that the encoder has no order for are still written in one, next
// to anything that has to be read back.
func TestOrder(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"plain":           {"more": int64(1)},
		"read back":       {"more": 1e22},
		"written whole":   {"two\nlines": "x"},
		"hidden":          {"more": "\u200b"},
		"a hidden key":    {"1\u200ba": "x", "12\u200b": "x", "::": "x"},
		"read back, deep": {"more": []any{map[string]any{"2": []any{}, "10": "x", "1a": 1e22}}},
	} {
		t.Run(name, func(t *testing.T) {
			first := ""
			for range 64 {
				fields := map[string]any{}
				for _, key := range []string{"1a", "2", "10", "5", "12:3", "1e3"} {
					fields[key] = "x"
				}
				live := map[string]any{"data": fields}
				changed := maps.Clone(fields)
				maps.Copy(changed, more)
				merged := map[string]any{"data": changed, "more": more}
				text, err := YAML(merged)
				if err != nil {
					t.Fatal(err)
				}
				texts, err := TextsOf(report.Result{Live: live, Object: merged}, Options{})
				if err != nil {
					t.Fatal(err)
				}
				both := fmt.Sprint(text, texts.Live, texts.Merged)
				if first == "" {
					first = both
				}
				if both != first || text != texts.Merged {
					t.Fatalf("it is written in two ways\n%s\n%s", first, both)
				}
			}
		})
	}
}
