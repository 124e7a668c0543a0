package fixes

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
			o := Call{Repeated: tt.flags}
			on := report.Target{Kind: "ConfigMap", Namespace: tt.namespace, Name: "c"}
			line := o.OnObject(on, report.Source{File: "c.yaml"}, nil, "ci", false).Force().String()
			_, got, _ := strings.Cut(line, " -f c.yaml")
			if strings.TrimSpace(got) != tt.want {
				t.Errorf("%q, want %q", line, tt.want)
			}
		})
	}
	all := Call{Repeated: given, Inputs: []shell.Flag{shell.File("-f", "c.yaml")}}.Run("ci", "").Force().String()
	if !strings.HasSuffix(all, "--namespace=pay") {
		t.Errorf("%q leaves out the namespace that was given for all", all)
	}
}

// TestHandOver: a command on live objects reads the same ones, and no kustomization.
func TestHandOver(t *testing.T) {
	c := Call{Inputs: []shell.Flag{shell.File("-f", "a.yaml"), shell.File("--live", "live.yaml")}}
	c.Repeated = []shell.Flag{shell.File("-k", "overlay"), shell.Value("-n", "shop")}
	on := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	want := "ssactl transfer -f live.yaml -n shop --from=helm --to-controller -- deployment.apps/web .spec.replicas"
	if got := c.HandOver("helm", ".spec.replicas", on).String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.Inputs = c.Inputs[:1]
	if got := c.HandOver("helm", ".spec.replicas", on); !got.None() {
		t.Errorf("%s without live objects", got)
	}
}
