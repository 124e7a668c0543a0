package writes

import (
	"testing"

	"github.com/ssactl/ssactl/internal/report"
)

func entry(manager, operation, version, time string) map[string]any {
	return map[string]any{
		"manager":    manager,
		"operation":  operation,
		"apiVersion": version,
		"time":       time,
		"fieldsType": "FieldsV1",
		"fieldsV1":   map[string]any{},
	}
}

func TestEntriesOnly(t *testing.T) {
	const one, two = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
	result := func(before, after []any) report.Result {
		object := func(entries []any) map[string]any {
			return map[string]any{"metadata": map[string]any{"managedFields": entries}}
		}
		return report.Result{
			Outcome: report.Configured,
			Changes: []report.Change{},
			Live:    object(before),
			Object:  object(after),
		}
	}
	const only = "No field and no owner changes, only managed fields entries: "
	a, b := entry("a", "Apply", "v1", one), entry("b", "Apply", "v1", one)
	changed := result([]any{a}, []any{entry("a", "Apply", "v1", two)})
	changed.Changes = []report.Change{{Field: ".data"}}
	shared := result([]any{a}, []any{entry("a", "Apply", "v1", two)})
	shared.Transfers = []report.Transfer{{Field: ".data"}}
	unknown := result([]any{a}, []any{entry("a", "Apply", "v1", two)})
	unknown.Changes = nil
	cases := map[string]struct {
		result report.Result
		want   string
	}{
		"a time": {
			result([]any{a}, []any{entry("a", "Apply", "v1", two)}),
			only + "that of a (Apply) gets another time",
		},
		"a time, and places": {
			result([]any{a, b}, []any{b, entry("a", "Apply", "v1", two)}),
			only + "that of a (Apply) gets another time; so their order changes",
		},
		"a version": {
			result([]any{a}, []any{entry("a", "Apply", "v2", two)}),
			only + "that of a (Apply) is at v2, and was at v1",
		},
		"an entry less": {result([]any{a, b}, []any{a}), only + "there are 1, and were 2"},
		"a spelling":    {result([]any{a}, []any{a}), only + "their text changes"},
		"a field":       {changed, ""},
		"an owner":      {shared, ""},
		"not looked at": {unknown, ""},
	}
	for name, c := range cases {
		if got := entriesOnly(c.result); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
