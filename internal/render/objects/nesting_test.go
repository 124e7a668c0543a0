package objects

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// TestInside: each hunk says in which fields it is, also below keys in quotes and with
// colons, in lists of lists, and in a text with lines of YAML and empty ones.
func TestInside(t *testing.T) {
	fields := func(value string) map[string]any {
		return map[string]any{"a": "1", "b": "2", "c": "3", "d": "4", "value": value, "w": "5", "x": "6", "y": "7", "z": "8"}
	}
	object := func(value string) map[string]any {
		return map[string]any{
			"first": value,
			"keys": map[string]any{
				`k:{"type":"Ready"}`: map[string]any{"f:status": fields(value), "-dash": fields(value)},
				"yes":                fields(value),
			},
			"lists": []any{"scalar", []any{"one", map[string]any{"deep": fields(value), "key": "x"}}, "last"},
			"true": strings.Repeat(
				"a\n\n",
				9,
			) + "yaml:\n\n  at: http://x\n" + strings.Repeat(
				"  b:\n",
				9,
			) + "  c: " + value + "\n",
		}
	}
	d, err := DiffOf(report.Result{Outcome: report.Configured, Live: object("old"), Object: object("new")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		nil,
		{"keys", `k:{"type":"Ready"}`, "-dash"},
		{"keys", `k:{"type":"Ready"}`, "f:status"},
		{"keys", `"yes"`},
		{"lists", "deep"},
		{`"true"`, "yaml"},
	}
	if diff := cmp.Diff(want, d.Inside()); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, d.Unified())
	}
}

// BenchmarkInside finds what encloses the hunks of a long text in which every tenth line
// changes.
func BenchmarkInside(b *testing.B) {
	text := func(tenth string) string {
		var out strings.Builder
		for i := range 50_000 {
			if i%10 == 0 {
				out.WriteString(tenth)
			}
			fmt.Fprintf(&out, "a line: of the number %d\n", i)
		}
		return out.String()
	}
	object := func(tenth string) map[string]any { return map[string]any{"data": map[string]any{"text": text(tenth)}} }
	d, err := DiffOf(report.Result{Outcome: report.Configured, Live: object("old "), Object: object("new ")}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(d.Hunks)), "hunks")
	for b.Loop() {
		d.Inside()
	}
}
