package conflict

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/merging"
)

// TestHeed is the table of heed: a policy that keeps the field from some managers.
func TestHeed(t *testing.T) {
	edited := merging.Writing{Verb: api.Update, Manager: "kubectl-edit", Manifest: deployment("5", "a")}
	deployed := merging.Writing{Verb: api.Apply, Manager: "helm", Manifest: deployment("5", "a")}
	for _, test := range []struct {
		name      string
		owner     merging.Writing
		needs     string
		forbidden []string
		want      string
	}{
		{"nobody", edited, "", nil, "Force: kubectl-edit was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted."},
		{"the owner, who does not come back", edited, "", []string{"kubectl-edit"}, "Force: kubectl-edit was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted."},
		{"the manager that applies", edited, "", []string{"ci"}, "StopManaging: The policy does not let ci own the field: it belongs to others."},
		{"the manager, of a field that no object is without", edited, "replicas", []string{"ci"}, "None: No option is safe: the policy does not let ci own the field; without the field the apply is refused. Decide with the owners whose manifest has the field, and change the other one first."},
		{"the owner, who comes back", deployed, "", []string{"helm"}, "None: No option is safe: after force, helm sets the value back; the policy does not let helm own the field. Decide with the owners whose manifest has the field, and change the other one first."},
		{"both", deployed, "", []string{"helm", "ci"}, "StopManaging: The field is in the manifest of helm too, and two manifests cannot decide one value: change it there, or remove it there and set it here."},
	} {
		e := Explain(t.Context(), needing(test.needs), written(t, deployment("3", "a"), test.owner), Judges{
			Forbids: func(_ map[string]any, path fieldpath.Path, role managedfields.Role) bool {
				return path.String() == ".spec.replicas" && slices.Contains(test.forbidden, role.Manager)
			},
		})
		var got string
		for _, c := range e.Conflicts {
			got += string(c.Recommended) + ": " + c.Reason.String()
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s may not own it (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestStopping: fields that a manifest leaves out.
func TestStopping(t *testing.T) {
	w := written(t, deployment("2", "a"),
		merging.Writing{Verb: api.Apply, Manager: "ci", Manifest: deployment("2", "a")},
		merging.Writing{Verb: api.Apply, Manager: "flux", Manifest: deployment("", "a")})
	got := map[string]string{}
	for _, s := range Stopping(t.Context(), needing("image"), w, []string{".spec.replicas", image, ".spec.paused", ".spec.replicas"}) {
		got[s.Field] += string(s.Resolution.Outcome)
		if s.Resolution.Safe {
			got[s.Field] += ", safe"
		}
		for _, c := range s.Resolution.Changes {
			got[s.Field] += ", " + c.Field + " is " + string(c.Kind)
		}
	}
	want := map[string]string{".spec.replicas": "Configured, .spec.replicas is Removed", image: "Invalid"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
			owners = append(owners, Owner{Writer: w, ManagerKind: writers.ManagerKindOf(w, "me")})
		}
		if diff := cmp.Diff(test.want, comesBack(owners)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.owners, diff)
		}
	}
}

// TestRecommend: who wrote the value, and what each option does, decide.
func TestRecommend(t *testing.T) {
	accepted, refused := Resolution{
		Attempt: report.Attempt{Outcome: report.Configured},
		Safe:    true,
	}, Resolution{
		Attempt: report.Attempt{Outcome: report.Invalid, Message: "no"},
	}
	impossible, unsafe := Resolution{
		Impossible: text.New("nothing is stored"),
	}, Resolution{
		Attempt: report.Attempt{Outcome: report.Configured},
		Changes: []report.Change{{}},
	}
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
			Owners:      []Owner{{Writer: h, ManagerKind: writers.ManagerKindOf(h, "me")}},
			Resolutions: []Resolution{c.take, c.give, c.useLiveValue},
		})
		if got != c.want || reason.Kind == "" {
			t.Errorf("%s: got %s (%+v), want %s", c.name, got, reason, c.want)
		}
	}
}
