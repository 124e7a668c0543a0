package writers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// TestManagersAreFound: each row of the table is found by each of its names, so that none
// hides behind one before it.
func TestManagersAreFound(t *testing.T) {
	for _, m := range managers {
		for _, name := range append(m.names, "x")[:max(len(m.names), 1)] {
			w := report.Writer{Manager: strings.ReplaceAll(name, "*", "-x"), Operation: m.operation, Subresource: m.subresource}
			if w.Operation == "" {
				w.Operation = managedfields.Update
			}
			if got, _, ok := find(w); !ok || got != m.Manager {
				t.Errorf("%+v is %+v, want %+v", w, got, m.Manager)
			}
		}
		if m.Name == "" || m.Who == "" || m.Kind == "" || m.Returns == "" || !strings.HasPrefix(m.Name, m.Who) {
			t.Errorf("the row of %q says too little: %+v", m.names, m.Manager)
		}
		if m.Applies != "" && !m.Whole {
			t.Errorf("%q applies server-side, and writes no whole objects", m.names)
		}
	}
}

// TestManagersApply: the name under which a program applies server-side is one of its own,
// and writes whole objects too.
func TestManagersApply(t *testing.T) {
	for _, m := range managers {
		if m.Applies == "" {
			continue
		}
		if to, ok := ManagerNamed(m.Applies, managedfields.Apply); !ok || !to.Whole || to.Applies != m.Applies {
			t.Errorf("%q applies as %s, which is %+v", m.names, m.Applies, to)
		}
	}
}

func TestManagerNamed(t *testing.T) {
	for _, tt := range []struct {
		name, operation string
		who, applies    string
		whole, found    bool
	}{
		{"kubectl-client-side-apply", "Update", "kubectl apply without --server-side", "kubectl", true, true},
		{"kubectl", "Update", "kubectl", "kubectl", true, true},
		{"kubectl", "Apply", "kubectl apply --server-side", "kubectl", true, true},
		{"kubectl-edit", "Update", "a person with kubectl edit", "", false, true},
		{"kubectl-plugin", "Update", "", "", false, false},
		{"helm3", "Update", "Helm", "helm", true, true},
		{"gotk", "Update", "Flux", "kustomize-controller", true, true},
		{"pulumi-kubernetes-1a2b", "Update", "Pulumi", "", true, true},
		{"terraform-provider-kubernetes", "Update", "Terraform", "", true, true},
		{"OpenAPI-Generator", "Update", unnamed, "", true, true},
		{"manager", "Update", "a controller or operator that did not choose a name of its own", "", false, true},
		{"acme-controller", "Update", "", "", false, false},
		{"acme", "Update", "", "", false, false},
		{"before-first-apply", "Update", "the server", "", false, true},
	} {
		m, found := ManagerNamed(tt.name, tt.operation)
		if found != tt.found || m.Who != tt.who || m.Applies != tt.applies || m.Whole != tt.whole {
			t.Errorf("%s (%s): %+v, found %t", tt.name, tt.operation, m, found)
		}
	}
}

// TestManagerKindOf: every entry has a kind with a name; who asks is known to itself.
func TestManagerKindOf(t *testing.T) {
	for _, tt := range []struct {
		w    report.Writer
		want ManagerKind
	}{
		{report.Writer{Manager: "me", Operation: "Update"}, ManagerKind{Kind: Self, Returns: Never, Certain: true}},
		{report.Writer{Manager: "me", Operation: "Apply"}, ManagerKind{Kind: OtherApplier, Returns: OnRun}},
		{report.Writer{Manager: "team-b", Operation: "Update"}, ManagerKind{Kind: OtherWriter, Returns: Always}},
		{report.Writer{Manager: "argocd-controller", Operation: "Apply"}, ManagerKind{Kind: GitOps, Returns: OnSync, Forces: true, Certain: true, Client: report.ArgoCD}},
		{report.Writer{Manager: "curl", Operation: "Update"}, ManagerKind{Kind: Person, Returns: Never, Certain: true}},
		{report.Writer{Manager: "kubectl-auth-reconcile", Operation: "Update"}, ManagerKind{Kind: Deployer, Returns: OnRun, Certain: true}},
		{report.Writer{Manager: "team-b", Operation: "Update", Subresource: "scale"}, ManagerKind{Kind: Autoscaler, Returns: Always}},
	} {
		got := ManagerKindOf(tt.w, "me")
		if got.Name == "" {
			t.Errorf("%+v has no name", tt.w)
		}
		got.Name = ""
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", tt.w, diff)
		}
	}
}

// TestWhoWrites: what the name, the operation and the subresource of an entry say of its
// manager, and how sure that is.
func TestWhoWrites(t *testing.T) {
	type verdict struct {
		Kind    WriterKind
		Returns Persistence
		Certain bool
	}
	cases := []struct {
		manager, operation, subresource string
		want                            verdict
	}{
		{"kube-controller-manager", "Update", "scale", verdict{Autoscaler, Always, true}},
		{"kube-controller-manager", "Update", "", verdict{Controller, Always, true}},
		{"horizontal-pod-autoscaler", "Update", "", verdict{Autoscaler, Always, true}},
		{"something", "Update", "scale", verdict{Autoscaler, Always, false}},
		{"kubectl", "Update", "scale", verdict{Person, Never, true}},
		{"kubectl", "Apply", "", verdict{Deployer, OnRun, true}},
		{"kubectl", "Update", "", verdict{Person, Never, false}},
		{"kubectl-edit", "Update", "", verdict{Person, Never, true}},
		{"kubectl-rollout", "Update", "", verdict{Person, Never, true}},
		{"kubectl-client-side-apply", "Update", "", verdict{ClientSide, OnRun, true}},
		{"before-first-apply", "Update", "", verdict{Bookkeeping, Never, true}},
		{"ancient-changes", "Update", "", verdict{Bookkeeping, Never, true}},
		{"argocd-controller", "Apply", "", verdict{GitOps, OnSync, true}},
		{"kustomize-controller", "Apply", "", verdict{GitOps, OnSync, true}},
		{"helm", "Update", "", verdict{Deployer, OnRun, true}},
		{"pulumi-kubernetes-1a2b", "Apply", "", verdict{Deployer, OnRun, true}},
		{"acme-operator", "Update", "", verdict{Controller, Always, false}},
		{"manager", "Update", "", verdict{Controller, Always, false}},
		{"team-b", "Apply", "", verdict{OtherApplier, OnRun, false}},
		{"team-b", "Update", "", verdict{OtherWriter, Always, false}},
		{"", "Update", "", verdict{OtherWriter, Always, false}},
		{"me", "Update", "", verdict{Self, Never, true}},
		{"me", "Update", "status", verdict{Controller, Always, false}},
	}
	for _, c := range cases {
		got := ManagerKindOf(report.Writer{Manager: c.manager, Operation: c.operation, Subresource: c.subresource}, "me")
		if diff := cmp.Diff(c.want, verdict{got.Kind, got.Returns, got.Certain}); diff != "" {
			t.Errorf("%s %s %s: (-want +got)\n%s", c.manager, c.operation, c.subresource, diff)
		}
		if got.Name == "" {
			t.Errorf("%s has no name", c.manager)
		}
	}
}
