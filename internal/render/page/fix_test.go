package page

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// TestForceNamespace: kubectl refuses a namespace other than that of a document, and has a
// default of its own for documents without one.
func TestForceNamespace(t *testing.T) {
	given := []shell.Flag{shell.Value("-n", "pay")}
	tests := []struct {
		name      string
		flags     []shell.Flag
		namespace string
		want      string
	}{
		{"a document may name none", nil, "default", "--namespace=default"},
		{"no flag says it, so that the document does", nil, "pay", ""},
		{"a flag says it", given, "pay", "--namespace=pay"},
		{"the document names another", given, "shop", ""},
		{"the object has none", nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Call: Call{Repeated: tt.flags}}
			line := o.OnResult(report.Result{Target: report.Target{Kind: "ConfigMap", Namespace: tt.namespace, Name: "c"}, Source: report.Source{File: "c.yaml"}, Manager: "ci"}).Force()
			_, got, _ := strings.Cut(line, " -f c.yaml")
			if strings.TrimSpace(got) != tt.want {
				t.Errorf("%q, want %q", line, tt.want)
			}
		})
	}
	all := Options{Call: Call{Repeated: given, Inputs: []shell.Flag{shell.File("-f", "c.yaml")}}}.Run("ci", "").Force()
	if !strings.HasSuffix(all, "--namespace=pay") {
		t.Errorf("%q leaves out the namespace that was given for all", all)
	}
}
