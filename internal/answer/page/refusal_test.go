package page

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	words "github.com/ssactl/ssactl/internal/text"
)

// TestRefusals: why an apply is rejected, and how it is accepted.
func TestRefusals(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ago := func(days int) *time.Time {
		at := now.AddDate(0, 0, -days)
		return &at
	}
	port := report.RefusedField{
		Field:          ".spec.ports[port=80]",
		Live:           map[string]any{"port": int64(80)},
		AppliedMissing: true,
		Source:         &report.Source{File: "web.yaml", Line: 7},
		Owners: []report.Writer{
			{Manager: "helm", Operation: "Update", Time: ago(90)},
			{Manager: "kubectl-edit", Operation: "Update", Time: ago(3)},
		},
	}
	size := report.RefusedField{Field: ".spec.size", Live: "3Gi", Applied: "6Gi"}
	for name, tt := range map[string]struct {
		of   report.Refusal
		want string
	}{
		"a leftover": {report.Refusal{Kind: report.Leftover, Fields: []report.RefusedField{port}, Fixes: []report.RefusalFix{
			{Kind: report.RemoveLive, Command: shell.Command("kubectl", "patch").On("x")}, {Kind: report.MigrateLeftover, From: []string{"helm"}, Removes: []string{".spec.a", ".spec.b"}},
		}}, `
The manifest lacks this, and the apply leaves it in the live object:
.spec.ports[port=80]  {port: 80}  kubectl-edit (Update), 3d ago; helm (Update), 90d ago  web.yaml:7
Recommended: remove it from the live object, and apply again (simulated: accepted).
  kubectl patch -- x
Or migrate what helm left, so that the apply removes it, and .spec.a and .spec.b (simulated: accepted).
  ssactl migrate -f web.yaml --live=live.yaml -n shop --from=helm --to=me --claim=leftover -- service/web
`},
		"of a controller, with no way that was found": {report.Refusal{Kind: report.Leftover, Fields: []report.RefusedField{
			{Field: ".spec.a", Live: true, AppliedMissing: true, Owners: []report.Writer{{Manager: "kube-controller-manager", Operation: "Update"}}},
			{Field: ".spec.b", Live: true, AppliedMissing: true},
		}}, `
The manifest lacks this, and the apply leaves it in the live object:
.spec.a  true  kube-controller-manager (Update)
.spec.b  true  no owner
No single step was found that removes it and is accepted; edit the live object (kubectl edit).
kube-controller-manager sets it again: change it there first.
`},
		"immutable": {report.Refusal{Kind: report.Immutable, Fields: []report.RefusedField{size}, Costs: words.New("it stops"),
			Fixes: []report.RefusalFix{{Kind: report.KeepLive}, {Kind: report.Recreate, Command: shell.Command("kubectl", "delete").On("x")}}}, `
The API server does not let the live object change so:
.spec.size  3Gi -> 6Gi
Recommended: write "3Gi" in the manifest (simulated: accepted).
Or replace the object (simulated: accepted): it stops.
  kubectl delete -- x
`},
		"one of several reasons, which costs data": {report.Refusal{Kind: report.Immutable, Partly: true, Fields: []report.RefusedField{size, {
			Field: ".spec.class", LiveMissing: true, Applied: "fast",
		}}, Costs: words.New("the data is lost"), Fixes: []report.RefusalFix{{Kind: report.KeepLive}}}, `
The API server does not let the live object change so:
.spec.size   3Gi -> 6Gi
.spec.class  (not set) -> fast
Recommended: write the live values in the manifest (simulated: this reason is gone).
Or replace the object, at a cost: the data is lost.
`},
	} {
		r := report.Result{
			Target:  report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
			Manager: "me",
			Source: report.Source{
				File: "web.yaml",
			},
			LiveSource: &report.Source{File: "live.yaml"},
			Refusals:   []report.Refusal{tt.of},
		}
		got := text.Blocks(Options{Now: now}.Refusals(r), text.Options{Width: 1000})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
