package risk

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
)

var web = report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

func scaledBy(t *testing.T) writers.Claims {
	t.Helper()
	a := writers.Claims{}
	a.Add(schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}, "shop", map[string]any{
		"metadata": map[string]any{"name": "scaler"},
		"spec":     map[string]any{"scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
	})
	return a
}

// managed is an object with an entry that owns fields of the spec.
func managed(manager, operation string, fields ...string) map[string]any {
	spec := map[string]any{}
	for _, f := range fields {
		spec[f] = map[string]any{}
	}
	return map[string]any{"metadata": map[string]any{"managedFields": []any{map[string]any{
		"manager": manager, "operation": operation, "apiVersion": "apps/v1", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": spec},
	}}}}
}

func TestOf(t *testing.T) {
	dropped := report.Change{Field: ".spec.replicas", Kind: report.Modified, Before: int64(3), After: int64(1), Reason: report.ReasonDefaulted}
	applied := report.Change{Field: ".spec.args", Kind: report.Modified, Before: []any{"a"}, After: []any{"b"}, Reason: report.ReasonApplied, Source: &report.Source{File: "web.yaml", Line: 7}}
	taken := func(field, manager, subresource string) report.Transfer {
		return report.Transfer{Field: field, Manager: manager, Operation: "Update", Subresource: subresource, Kind: report.Overridden}
	}
	composite := report.Change{Field: ".spec.args", Before: []any{"a"}}
	scalar := report.Change{Field: ".spec.args", Before: "a"}
	for _, test := range []struct {
		name   string
		result report.Result
		scaled bool
		// want are rule, severity, field and manager of each risk.
		want [][4]string
	}{
		{name: "nothing", result: report.Result{Outcome: report.Configured}, want: [][4]string{}},
		{name: "refused", result: report.Result{Outcome: report.Conflicted, Changes: []report.Change{dropped}}},
		{name: "deleted", result: report.Result{Outcome: report.Configured, Operation: report.Delete, Changes: []report.Change{dropped}}, want: [][4]string{}},
		{name: "a default", result: report.Result{Outcome: report.Configured, Manager: "me", Changes: []report.Change{dropped}},
			want: [][4]string{{"falls-back-to-default", "warning", ".spec.replicas", "me"}}},
		{name: "a default of what is scaled", scaled: true, result: report.Result{Outcome: report.Configured, Manager: "me", Changes: []report.Change{dropped}},
			want: [][4]string{{"falls-back-to-default", "error", ".spec.replicas", "HorizontalPodAutoscaler scaler"}}},
		{name: "force", result: report.Result{Outcome: report.Configured, Force: true, Operation: report.Apply, Manager: "me", Changes: []report.Change{applied},
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", ""), taken(".spec.replicas", "kube-controller-manager", "scale")}},
			want: [][4]string{{"taken-by-force", "error", ".spec.replicas", "kube-controller-manager"}, {"atomic-replaced", "warning", ".spec.args", "kubectl-edit"}}},
		{name: "the first of two changes of a field", result: report.Result{Outcome: report.Configured, Force: true, Operation: report.Apply, Manager: "me", Changes: []report.Change{composite, scalar},
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", "")}},
			want: [][4]string{{"atomic-replaced", "warning", ".spec.args", "kubectl-edit"}}},
		{name: "an update takes without force", result: report.Result{Outcome: report.Configured, Operation: report.Update, Manager: "me",
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", "")}}, want: [][4]string{}},
		{name: "removed with others, and dropped", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Ownership: []report.FieldOwners{{Field: ".spec.paused", Managers: []report.Writer{{Manager: "helm"}}}},
			Transfers: []report.Transfer{
				{Field: ".spec.paused", Manager: "me", Operation: "Apply", Kind: report.Relinquished},
				{Field: `.spec.containers[name="x"].image`, Manager: "patcher", Operation: "Update", Kind: report.TransferRemoved},
				{Field: `.spec.containers[name="x"]`, Manager: "me", Operation: "Apply", Kind: report.TransferRemoved},
			}},
			want: [][4]string{{"removed-with-others", "warning", `.spec.containers[name="x"].image`, "patcher"}, {"dropped-stays", "note", ".spec.paused", "helm"}}},
		{name: "injected", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "me", Operation: "Apply"}}}}},
			want: [][4]string{{"injected-field", "warning", `.webhooks[name="w"].clientConfig.caBundle`, "cert-manager"}}},
		{name: "an empty value removes what was injected, and says nothing else of it", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "me",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Changes:   []report.Change{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonNormalised}},
			Transfers: []report.Transfer{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Manager: "cainjector", Operation: "Update", Kind: report.TransferRemoved}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "me", Operation: "Apply"}}}}},
			want: [][4]string{{"injected-field", "error", `.webhooks[name="w"].clientConfig.caBundle`, "cert-manager"}}},
		{name: "a takeover, and what others own", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("helm", "Update", "f:args", "f:paused", "f:image"),
			Object:    managed("argocd-controller", "Apply", "f:args", "f:paused", "f:image"),
			Transfers: []report.Transfer{taken(".spec.paused", "helm", ""), taken(".spec.args", "helm", ""), taken(".spec.image", "kubectl-edit", "")}},
			want: [][4]string{{"takeover", "warning", "", "helm"}, {"taken-by-force", "warning", ".spec.image", "kubectl-edit"}}},
		{name: "a part of what a tool owns", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("helm", "Update", "f:args", "f:paused", "f:image", "f:a", "f:b"),
			Object:    managed("argocd-controller", "Apply", "f:args"),
			Transfers: []report.Transfer{taken(".spec.args", "helm", "")}},
			want: [][4]string{{"taken-by-force", "warning", ".spec.args", "helm"}}},
		{name: "injected by the injector", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "cert-manager-cainjector",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "cert-manager-cainjector", Operation: "Apply"}}}}}, want: [][4]string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.result.Target = web
			var autoscalers writers.Claims
			if test.scaled {
				autoscalers = scaledBy(t)
			}
			risks := Of(test.result, autoscalers)
			got := make([][4]string, 0, len(risks))
			for _, r := range risks {
				got = append(got, [4]string{r.Rule, string(r.Severity), r.Field, r.Manager})
				if r.Message.IsZero() {
					t.Errorf("%s says nothing", r.Rule)
				}
			}
			if risks == nil {
				got = nil
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
