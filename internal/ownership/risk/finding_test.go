package risk

import (
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// TestNext: what who has lost fields does next.
func TestNext(t *testing.T) {
	for name, tt := range map[string]struct {
		w    report.Writer
		n    int
		want string
	}{
		"a controller": {report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale"}, 1,
			"writes by itself, and may set it back at once"},
		"Argo CD": {report.Writer{Manager: "argocd-controller", Operation: "Apply"}, 2, "takes them back by force at its next sync"},
		"Helm's applies": {report.Writer{Manager: "helm", Operation: "Apply"}, 2,
			"conflicts with yours at its next apply where its values differ"},
		"Helm's updates":  {report.Writer{Manager: "helm", Operation: "Update"}, 1, "sets it back when it is run again"},
		"a person's edit": {report.Writer{Manager: "kubectl-edit", Operation: "Update"}, 1, "does not write again by itself"},
	} {
		if got := Next(tt.w, writers.ManagerKindOf(tt.w, "ci")).For(tt.n).String(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
