package owners

import (
	"fmt"
	"testing"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// TestManyEntries: an object with as many entries as fields is gone through once, and
// not once for each of them, which would take minutes.
func TestManyEntries(t *testing.T) {
	const many = 20_000
	entries, spec := make([]any, many), map[string]any{}
	for i := range entries {
		key := fmt.Sprintf("k%06d", i)
		spec[key] = "v"
		entries[i] = map[string]any{
			"manager": fmt.Sprint("m", i), "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:spec": map[string]any{"f:" + key: map[string]any{}}},
		}
	}
	live := map[string]any{"metadata": map[string]any{"managedFields": entries}, "spec": spec}
	o := New(report.Target{}, report.Source{}, live, managedfields.Shape{})
	if o.Counts.Owned != many || o.Counts.Stale+o.Counts.Shared > 0 {
		t.Errorf("%+v", o.Counts)
	}
}
