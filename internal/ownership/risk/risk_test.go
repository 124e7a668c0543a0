package risk

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

var web = report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

func scaledBy(t *testing.T) writers.Claims {
	t.Helper()
	a := writers.Claims{}
	a.Add(schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}, "shop", map[string]any{
		"metadata": map[string]any{"name": "scaler"},
		"spec": map[string]any{
			"scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		},
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

// scaledLive is an object whose replicas a manager owns through the scale subresource.
func scaledLive(manager string) map[string]any {
	object := managed(manager, "Update", "f:replicas")
	object["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)["subresource"] = "scale"
	return object
}

// said are the risks in words; nil for none that were looked for.
func said(risks []report.Finding) []string {
	if risks == nil {
		return nil
	}
	out := []string{}
	for _, r := range risks {
		out = append(out, fmt.Sprintf("%s %s: %s: %s", r.Severity, r.Rule, r.Field, r.Message))
	}
	return out
}

func TestOf(t *testing.T) {
	dropped := report.Change{
		Field:  ".spec.replicas",
		Kind:   report.Modified,
		Before: int64(3),
		After:  int64(1),
		Reason: report.ReasonDefaulted,
	}
	applied := report.Change{
		Field:  ".spec.args",
		Kind:   report.Modified,
		Before: []any{"a"},
		After:  []any{"b"},
		Reason: report.ReasonApplied,
		Source: &report.Source{File: "web.yaml", Line: 7},
	}
	taken := func(field, manager, subresource string) report.Transfer {
		return report.Transfer{
			Field:       field,
			Manager:     manager,
			Operation:   "Update",
			Subresource: subresource,
			Kind:        report.Overridden,
		}
	}
	takenFrom := func(field, manager string) report.Transfer {
		return report.Transfer{Field: field, Manager: manager, Operation: "Apply", Kind: report.Overridden}
	}
	overwritten := func(field, manager string) report.Transfer {
		return report.Transfer{
			Field:     field,
			Manager:   manager,
			Operation: "Update",
			Kind:      report.Overridden,
			Cause:     report.ByUpdate,
		}
	}
	ofSecret := map[string]any{
		"apiVersion": "v1",
		"kind":       "Secret",
		"metadata": map[string]any{"name": "db", "managedFields": []any{map[string]any{
			"manager": "kubectl-edit", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:data": map[string]any{"f:password": map[string]any{}}},
		}}},
	}
	composite := report.Change{Field: ".spec.args", Before: []any{"a"}}
	scalar := report.Change{Field: ".spec.args", Before: "a"}
	for _, test := range []struct {
		name   string
		result report.Result
		scaled bool
		// want are severity, rule, field and message of each risk.
		want []string
	}{
		{name: "nothing", result: report.Result{Outcome: report.Configured}, want: []string{}},
		{name: "refused", result: report.Result{Outcome: report.Conflicted, Changes: []report.Change{dropped}}},
		{name: "deleted", result: report.Result{Outcome: report.Configured, Operation: report.Delete, Changes: []report.Change{dropped}}, want: []string{}},
		{name: "a default", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me", Changes: []report.Change{dropped}},
			want: []string{"warning falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default: me drops the field, and no other manager owns it"}},
		{name: "a default after a patch", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "me", Changes: []report.Change{dropped}},
			want: []string{"warning falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default: the write of me removes the field, whichever manager owns it"}},
		{name: "a default of what is scaled", scaled: true, result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me", Changes: []report.Change{dropped}},
			want: []string{"error falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default, until HorizontalPodAutoscaler scaler scales again: me drops the field, and no other manager owns it"}},
		{name: "a default of what is scaled, which the patch owns", scaled: true, result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm", Changes: []report.Change{dropped}, Object: managed("helm", "Update", "f:replicas"),
			Client: &report.Sequence{Name: "helm"}, Transfers: []report.Transfer{overwritten(".spec.replicas", "kube-controller-manager")}},
			want: []string{"error falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default, until HorizontalPodAutoscaler scaler scales again: the write of helm removes the field, whichever manager owns it"}},
		{name: "stringData over what another owns", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me", Live: ofSecret,
			Changes: []report.Change{{Field: ".data.password", Kind: report.Modified, Before: "YQ==", After: "Yg==", Reason: report.ReasonApplied, Detail: report.ThroughStringData}}},
			want: []string{"warning taken-by-force: .data.password: changed by hand as kubectl-edit, overwritten"}},
		{name: "stringData over its own", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "kubectl-edit", Live: ofSecret,
			Changes: []report.Change{{Field: ".data.password", Kind: report.Modified, Before: "YQ==", After: "Yg==", Reason: report.ReasonApplied, Detail: report.ThroughStringData}}},
			want: []string{}},
		{name: "force", result: report.Result{Outcome: report.Configured, Force: true, Operation: report.Apply, Manager: "me", Changes: []report.Change{applied},
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", ""), taken(".spec.replicas", "kube-controller-manager", "scale")}},
			want: []string{"error taken-by-force: .spec.replicas: taken from kube-controller-manager (Update of scale), which writes by itself, and may set it back at once", "warning atomic-replaced: .spec.args: changed by hand as kubectl-edit, overwritten"}},
		{name: "the first of two changes of a field", result: report.Result{Outcome: report.Configured, Force: true, Operation: report.Apply, Manager: "me", Changes: []report.Change{composite, scalar},
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", "")}},
			want: []string{"warning atomic-replaced: .spec.args: changed by hand as kubectl-edit, overwritten"}},
		{name: "an update takes without force", result: report.Result{Outcome: report.Configured, Operation: report.Update, Manager: "me",
			Transfers: []report.Transfer{taken(".spec.args", "kubectl-edit", "")}}, want: []string{}},
		{name: "removed with others, and dropped", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Ownership: []report.FieldOwners{{Field: ".spec.paused", Managers: []report.Writer{{Manager: "helm"}}}},
			Transfers: []report.Transfer{
				{Field: ".spec.paused", Manager: "me", Operation: "Apply", Kind: report.Relinquished},
				{Field: `.spec.containers[name="x"].image`, Manager: "patcher", Operation: "Update", Kind: report.TransferRemoved},
				{Field: `.spec.containers[name="x"]`, Manager: "me", Operation: "Apply", Kind: report.TransferRemoved},
			}},
			want: []string{`warning removed-with-others: .spec.containers[name="x"].image: patcher owns it, and it is removed with what me drops`, "note dropped-stays: .spec.paused: the manifest drops the field, and it stays: helm owns it too"}},
		{name: "injected", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "me", Operation: "Apply"}}}}},
			want: []string{`warning injected-field: .webhooks[name="w"].clientConfig.caBundle: an annotation has cert-manager write this field, and me sets it too`}},
		{name: "an empty value removes what was injected, and says nothing else of it", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "me",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Changes:   []report.Change{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonNormalised}},
			Transfers: []report.Transfer{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Manager: "cainjector", Operation: "Update", Kind: report.TransferRemoved}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "me", Operation: "Apply"}}}}},
			want: []string{`error injected-field: .webhooks[name="w"].clientConfig.caBundle: the empty value removes the CA bundle that cert-manager injected: calls to the webhook fail`}},
		{name: "an empty value of a patch removes what was injected", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Changes:   []report.Change{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonNormalised}},
			Transfers: []report.Transfer{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Manager: "cainjector", Operation: "Update", Kind: report.TransferRemoved}}},
			want: []string{`error injected-field: .webhooks[name="w"].clientConfig.caBundle: the empty value removes the CA bundle that cert-manager injected: calls to the webhook fail`}},
		{name: "a patch removes what was injected, as the former manifest had it", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm",
			Object:  map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Changes: []report.Change{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonApplied}}},
			want: []string{`error injected-field: .webhooks[name="w"].clientConfig.caBundle: the write removes the CA bundle that cert-manager injected: calls to the webhook fail`}},
		{name: "a client's patch overwrites a change made by hand, and those of an earlier release", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm", Client: &report.Sequence{Name: "helm"},
			Transfers: []report.Transfer{overwritten(".spec.args", "kubectl-edit"), overwritten(".spec.image", "kubectl-client-side-apply"), overwritten(".spec.paused", "argocd-controller")}},
			want: []string{"error taken-by-force: .spec.paused: taken from argocd-controller (Update), which takes it back by force at its next sync", "warning taken-by-force: .spec.args: changed by hand as kubectl-edit, overwritten"}},
		{name: "a client moves the entry of a change made by hand, and overwrites it", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "kustomize-controller", Client: &report.Sequence{Name: "flux"},
			Changes: []report.Change{applied},
			Transfers: []report.Transfer{
				{Field: ".spec.args", Manager: "kubectl-patch", Operation: "Update", Kind: report.Relinquished},
				{Field: ".spec.paused", Manager: "kubectl-patch", Operation: "Update", Kind: report.Relinquished},
			}},
			want: []string{"warning atomic-replaced: .spec.args: changed by hand or in a script as kubectl-patch, overwritten"}},
		{name: "a takeover, and what others own", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("helm", "Update", "f:args", "f:paused", "f:image"),
			Object:    managed("argocd-controller", "Apply", "f:args", "f:paused", "f:image"),
			Transfers: []report.Transfer{taken(".spec.paused", "helm", ""), taken(".spec.args", "helm", ""), taken(".spec.image", "kubectl-edit", "")}},
			want: []string{"warning takeover: : helm loses 2 fields to argocd-controller: a takeover. It sets them back when it is run again", "warning taken-by-force: .spec.image: changed by hand as kubectl-edit, overwritten"}},
		{name: "a takeover from a tool that applies server-side", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("helm", "Apply", "f:args", "f:paused", "f:image"),
			Object:    managed("argocd-controller", "Apply", "f:args", "f:paused", "f:image"),
			Transfers: []report.Transfer{takenFrom(".spec.args", "helm"), takenFrom(".spec.image", "helm")}},
			want: []string{"warning takeover: : helm loses 2 fields to argocd-controller: a takeover. It conflicts with yours at its next apply where its values differ"}},
		{name: "a tool that syncs undoes a takeover", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("kustomize-controller", "Apply", "f:args"),
			Object:    managed("argocd-controller", "Apply", "f:args"),
			Transfers: []report.Transfer{takenFrom(".spec.args", "kustomize-controller")}},
			want: []string{"error taken-by-force: .spec.args: taken from kustomize-controller (Apply), which takes it back by force at its next sync"}},
		{name: "a name that is no known tool takes nothing over", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "ci",
			Live:      managed("helm", "Apply", "f:args"),
			Object:    managed("ci", "Apply", "f:args"),
			Transfers: []report.Transfer{takenFrom(".spec.args", "helm")}},
			want: []string{"warning taken-by-force: .spec.args: taken from helm (Apply), which conflicts with yours at its next apply where its value differs"}},
		{name: "a part of what a tool owns", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "argocd-controller",
			Live:      managed("helm", "Update", "f:args", "f:paused", "f:image", "f:a", "f:b"),
			Object:    managed("argocd-controller", "Apply", "f:args"),
			Transfers: []report.Transfer{taken(".spec.args", "helm", "")}},
			want: []string{"warning taken-by-force: .spec.args: taken from helm (Update), which sets it back when it is run again"}},
		{name: "null, and a newline, remove what was injected", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Force: true, Manager: "me",
			Object: map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Changes: []report.Change{
				{Field: `.webhooks[name="n"].clientConfig.caBundle`, Kind: report.Modified, Before: "Q0E=", After: "Cg==", Reason: report.ReasonApplied},
				{Field: `.webhooks[name="w"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonApplied},
				{Field: `.webhooks[name="x"].clientConfig.caBundle`, Kind: report.Removed, Before: "Q0E=", Reason: report.ReasonUnowned},
				{Field: `.webhooks[name="y"].clientConfig.caBundle`, Kind: report.Modified, Before: "Q0E=", After: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=", Reason: report.ReasonApplied},
			}},
			want: []string{
				`error injected-field: .webhooks[name="n"].clientConfig.caBundle: the value, which has no certificate, removes the CA bundle that cert-manager injected: calls to the webhook fail`,
				`error injected-field: .webhooks[name="w"].clientConfig.caBundle: the empty value removes the CA bundle that cert-manager injected: calls to the webhook fail`,
			}},
		{name: "stringData over the entry that the client moves to its own", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "kubectl", Client: &report.Sequence{Name: "kubectl"},
			Live: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "db", "managedFields": []any{map[string]any{
				"manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:data": map[string]any{"f:password": map[string]any{}}},
			}}}},
			Changes:   []report.Change{{Field: ".data.password", Kind: report.Modified, Before: "YQ==", After: "Yg==", Reason: report.ReasonApplied, Detail: report.ThroughStringData}},
			Transfers: []report.Transfer{{Field: ".data.password", Manager: "kubectl-client-side-apply", Operation: "Update", Kind: report.Relinquished}}},
			want: []string{}},
		{name: "a client takes an entry over: one speaks of a field with its parents, and none of what was never stored", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "kustomize-controller", Client: &report.Sequence{Name: "flux"},
			Changes: []report.Change{{Field: ".metadata.labels.added", Kind: report.Removed, Before: "x", Reason: report.ReasonUnowned}, {Field: `.spec.env[name="X"]`, Kind: report.Removed, Reason: report.ReasonUnowned}},
			Transfers: []report.Transfer{
				{Field: ".metadata.labels", Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
				{Field: ".metadata.labels.added", Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
				{Field: ".spec.env", Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
				{Field: `.spec.env[name="X"]`, Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
				{Field: `.spec.env[name="X"].name`, Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
				{Field: `.stringData.password`, Manager: "kubectl-edit", Operation: "Update", Kind: report.TransferRemoved},
			}},
			want: []string{
				"warning removed-with-others: .metadata.labels.added: kustomize-controller takes over what kubectl-edit owns, and removes this field, which the manifest lacks",
				`warning removed-with-others: .spec.env[name="X"]: kustomize-controller takes over what kubectl-edit owns, and removes this field, which the manifest lacks`,
			}},
		{name: "what the server itself writes at every change of a template", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Changes: []report.Change{{Field: ".metadata.annotations.deprecated.daemonset.template.generation", Kind: report.Modified, Before: "1", After: "2", Reason: report.ReasonDefaulted}}},
			want: []string{}},
		{name: "injected by the injector", result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "cert-manager-cainjector",
			Object:    map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cert-manager.io/inject-ca-from": "a/b"}}},
			Ownership: []report.FieldOwners{{Field: `.webhooks[name="w"].clientConfig.caBundle`, Managers: []report.Writer{{Manager: "cert-manager-cainjector", Operation: "Apply"}}}}}, want: []string{}},
		{name: "taken from several, the one that writes by itself first", result: report.Result{
			Outcome: report.Configured, Operation: report.Apply, Manager: "me", Force: true,
			Changes: []report.Change{{Field: ".spec.args", Kind: report.Modified, Before: []any{"a"}, After: []any{"b"}}},
			Transfers: []report.Transfer{
				{Field: ".spec.args", Manager: "a-team", Operation: "Apply", Kind: report.Overridden},
				{Field: ".spec.args", Manager: "b-team", Operation: "Apply", Kind: report.Overridden},
				{Field: ".spec.args", Manager: "kube-controller-manager", Operation: "Update", Kind: report.Overridden},
				{Field: ".spec.args", Manager: "kubectl-edit", Operation: "Update", Kind: report.Overridden},
				{Field: ".spec.port", Manager: "a-team", Operation: "Apply", Kind: report.Overridden},
				{Field: ".spec.port", Manager: "b-team", Operation: "Apply", Kind: report.Overridden},
			}},
			want: []string{
				"error atomic-replaced: .spec.args: taken from kube-controller-manager (Update), which writes by itself, and may set it back at once; taken from a-team (Apply), which conflicts with yours at its next apply where its value differs; from b-team (Apply) too; changed by hand as kubectl-edit, overwritten",
				"warning taken-by-force: .spec.port: taken from a-team (Apply), which conflicts with yours at its next apply where its value differs; from b-team (Apply) too",
			}},
		{name: "autoscaled, with the live number", scaled: true, result: report.Result{Outcome: report.Configured, Operation: report.Apply, Manager: "me",
			Object: managed("me", "Apply", "f:replicas")},
			want: []string{"warning replicas-autoscaled: .spec.replicas: an autoscaler writes it too, and each apply undoes its scaling: HorizontalPodAutoscaler scaler"}},
		{name: "a patch that leaves replicas alone", scaled: true, result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm",
			Object: managed("helm", "Update", "f:replicas")}, want: []string{}},
		{name: "replicas that an autoscaler owns fall back, and no input has it", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm",
			Live: scaledLive("kube-controller-manager"), Changes: []report.Change{dropped}},
			want: []string{"error falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default, until kube-controller-manager scales again: the write of helm removes the field, whichever manager owns it"}},
		{name: "replicas that a person scaled fall back", result: report.Result{Outcome: report.Configured, Operation: report.Patch, Manager: "helm",
			Live: scaledLive("kubectl"), Changes: []report.Change{dropped}},
			want: []string{"warning falls-back-to-default: .spec.replicas: 3 becomes 1, the server's default: the write of helm removes the field, whichever manager owns it"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.result.Target = web
			var autoscalers writers.Claims
			if test.scaled {
				autoscalers = scaledBy(t)
			}
			risks := Of(test.result, autoscalers, nil)
			if diff := cmp.Diff(test.want, said(risks)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestFixOf: a client that patches or replaces removes what its manifest no longer has.
func TestFixOf(t *testing.T) {
	autoscaled := report.Finding{Rule: ReplicasAutoscaled, Severity: report.SeverityError, Field: writers.Replicas}
	fallen := report.Finding{Rule: FallsBackToDefault, Severity: report.SeverityError, Field: writers.Replicas}
	by := func(operation report.Operation, name, version string) report.Result {
		return report.Result{Operation: operation, Client: &report.Sequence{Name: name, Version: version}}
	}
	const (
		helm     = "keep the field in the manifest, with the live value: an upgrade without a field that the deployed revision has sets the server's default"
		annotate = "first remove the field from the last-applied annotation (kubectl apply edit-last-applied), then from the manifest: removed from the manifest alone, it becomes the server's default."
	)
	for name, test := range map[string]struct {
		result report.Result
		risk   report.Finding
		want   string
	}{
		"an apply":            {by(report.Apply, "helm", "4"), autoscaled, rules.Of(ReplicasAutoscaled).Fix},
		"no client":           {report.Result{Operation: report.Patch}, autoscaled, rules.Of(ReplicasAutoscaled).Fix},
		"Helm 3":              {by(report.Patch, "helm", "3"), autoscaled, helm + "."},
		"Helm 4":              {by(report.Patch, "helm", "4"), fallen, helm + "; or upgrade without it, and with --server-side=true."},
		"kubectl":             {by(report.Patch, "kubectl", "1.37"), autoscaled, annotate},
		"kubectl, dropped":    {by(report.Patch, "kubectl", "1.37"), fallen, annotate},
		"Argo CD":             {by(report.Patch, "argocd", "3"), autoscaled, annotate},
		"replaced":            {by(report.Update, "argocd", "3"), autoscaled, "keep the field in the manifest, with the live value: an object that is replaced without it gets the server's default."},
		"another field falls": {by(report.Patch, "helm", "3"), report.Finding{Rule: FallsBackToDefault, Field: ".spec.paused"}, rules.Of(FallsBackToDefault).Fix},
	} {
		if got := FixOf(test.result, test.risk); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
