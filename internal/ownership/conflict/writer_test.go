package conflict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

func TestCharacterOf(t *testing.T) {
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

// TestComesBack: a field is left to the manager that decides it; the others are not named.
func TestComesBack(t *testing.T) {
	for _, test := range []struct {
		owners []report.Writer
		want   Reason
	}{
		{[]report.Writer{{Manager: "helm", Operation: "Apply"}, {Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale"}}, Reason{Kind: Autoscaled, Managers: []string{"kube-controller-manager"}}},
		{[]report.Writer{{Manager: "helm", Operation: "Apply"}, {Manager: "cert-manager", Operation: "Update"}}, Reason{Kind: Controlled, Managers: []string{"cert-manager"}}},
		{[]report.Writer{{Manager: "helm", Operation: "Apply"}, {Manager: "web-team", Operation: "Apply"}, {Manager: "script", Operation: "Update"}}, Reason{Kind: OtherManifest, Managers: []string{"helm", "web-team"}}},
		{[]report.Writer{{Manager: "script", Operation: "Update"}}, Reason{Kind: WrittenByUpdates, Managers: []string{"script"}}},
	} {
		var owners []Owner
		for _, w := range test.owners {
			owners = append(owners, Owner{Writer: w, ManagerKind: ManagerKindOf(w, "me")})
		}
		if diff := cmp.Diff(test.want, comesBack(owners)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.owners, diff)
		}
	}
}

func TestRecommend(t *testing.T) {
	accepted, refused := Resolution{Attempt: report.Attempt{Outcome: report.Configured}, Safe: true}, Resolution{Attempt: report.Attempt{Outcome: report.Invalid, Message: "no"}}
	impossible, unsafe := Resolution{Impossible: text.New("nothing is stored")}, Resolution{Attempt: report.Attempt{Outcome: report.Configured}, Changes: []report.Change{{}}}
	cases := []struct {
		name                     string
		kind                     DifferenceKind
		manager                  string
		take, give, useLiveValue Resolution
		want                     ResolutionKind
	}{
		{"an autoscaler holds it", Real, "keda", accepted, accepted, accepted, StopManaging},
		{"a person left it", Real, "kubectl-edit", accepted, accepted, accepted, Force},
		{"a person left it, and the value is refused", Real, "kubectl-edit", refused, accepted, accepted, StopManaging},
		{"the object changes without the field", Real, "keda", accepted, unsafe, accepted, None},
		{"only a spelling", Spelling, "kubectl-edit", accepted, accepted, accepted, UseLiveValue},
		{"nothing is stored", Dropped, "kubectl-edit", accepted, accepted, impossible, StopManaging},
		{"sharing breaks the other", Defaulted, "helm", accepted, accepted, unsafe, StopManaging},
		{"everything is refused alike", Real, "helm", refused, refused, refused, None},
	}
	for _, c := range cases {
		h := report.Writer{Manager: c.manager, Operation: "Update"}
		got, reason := recommend(Conflict{
			Difference:  Difference{Kind: c.kind},
			Owners:      []Owner{{Writer: h, ManagerKind: ManagerKindOf(h, "me")}},
			Resolutions: []Resolution{c.take, c.give, c.useLiveValue},
		})
		if got != c.want || reason.Kind == "" {
			t.Errorf("%s: got %s (%+v), want %s", c.name, got, reason, c.want)
		}
	}
}
