package client

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestVerdict is the result by which a client succeeds or fails.
func TestVerdict(t *testing.T) {
	step := func(request Request, outcome report.Outcome, warned bool) Step {
		return Step{Request: request, Result: report.Result{Outcome: outcome, Manager: string(request)}, Warned: warned}
	}
	for _, test := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"the last", []Step{step(DryRun, report.Configured, false), step(Apply, report.Configured, false)}, "Apply Configured"},
		{"the first that is refused", []Step{step(DryRun, report.Invalid, false), step(Apply, report.Conflicted, false)}, "DryRun Invalid"},
		{"not one about which the client only warns", []Step{step(Apply, report.Configured, false), step(KeepAnnotation, report.Invalid, true)}, "Apply Configured"},
		{"not the move of entries", []Step{step(Apply, report.Created, false), step(MoveEntries, report.Configured, false)}, "Apply Created"},
		{"but its refusal", []Step{step(MoveEntries, report.Invalid, false)}, "MoveEntries Invalid"},
	} {
		r := &sequence{steps: test.steps}
		if got := r.verdict(); got.Manager+" "+string(got.Outcome) != test.want {
			t.Errorf("%s: %s %s, want %s", test.name, got.Manager, got.Outcome, test.want)
		}
	}
}

// TestWithMoves: what a moved entry owned is given up, not overridden; what was the manager's
// own stays its own.
func TestWithMoves(t *testing.T) {
	helm, edit := managedfields.Role{
		Manager:   "helm",
		Operation: "Update",
	}, managedfields.Role{
		Manager:   "kubectl-edit",
		Operation: "Update",
	}
	transfer := func(field string, role managedfields.Role, kind report.TransferKind) report.Transfer {
		return report.Transfer{Field: field, Manager: role.Manager, Operation: role.Operation, Kind: kind}
	}
	overridden := transfer(".a", edit, report.Overridden)
	overridden.Cause = report.ByUpdate
	got := withMoves([]report.Transfer{
		overridden, transfer(".b", helm, report.Relinquished), transfer(".b", managedfields.Role{Manager: "helm", Operation: "Apply"}, report.Acquired),
		transfer(
			".c",
			managedfields.Role{Manager: "flux", Operation: "Apply"},
			report.Overridden,
		), transfer(".d", helm, report.TransferRemoved),
	}, []managedfields.Role{helm, edit}, "helm")
	want := []report.Transfer{
		transfer(
			".a",
			edit,
			report.Relinquished,
		), transfer(".c", managedfields.Role{Manager: "flux", Operation: "Apply"}, report.Overridden), transfer(".d", helm, report.TransferRemoved),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSequence: each request is simulated on what the one before leaves.
func TestSequence(t *testing.T) {
	c := &Client{Program: about.Kubectl}
	w := write(t, c, configMap("a", "", "k: v"), "")
	r := &sequence{ctx: t.Context(), server: fake(), write: w, sent: w}
	if got := r.run().Whole(); got.Outcome != report.Unchanged || got.Object != nil {
		t.Errorf("without a request: %s", got.Outcome)
	}
	tried := w
	tried.DryRun = true
	if !r.send(DryRun, tried) || r.object() != nil {
		t.Error("a dry run leaves an object")
	}
	if !r.send(Apply, w) || text(r.object(), "data", "k") != "v" {
		t.Errorf("an apply leaves %v", r.object())
	}
	if !r.delete(w, "Background") || r.object() != nil {
		t.Errorf("a delete leaves %v", r.object())
	}
	if got := r.run().Whole(); !got.Deleted || got.Object != nil {
		t.Errorf("the whole is %+v", got)
	}
	if r.send(Create, asCreate(w, object(t, configMap("a", "", "refuse: me")))) || r.object() != nil {
		t.Error("a refused create leaves an object")
	}
	whole := r.run().Whole()
	if len(whole.Notices) != 1 ||
		!strings.HasPrefix(whole.Notices[0], "the client deletes the object before this request") {
		t.Errorf("says %q", whole.Notices)
	}
}

// TestRefusedMove: a run that ends where entries are moved keeps its manager in the answer.
func TestRefusedMove(t *testing.T) {
	c := &Client{Program: about.ArgoCD}
	w := write(t, c, configMap("a", "", "k: w"), configMap("a", "", "k: v"))
	w.Force = true
	r := &sequence{ctx: t.Context(), server: fake(), write: w, sent: w}
	other := w
	other.Manager, other.Force = argoAgent, false
	r.stop(MoveEntries, other, "refused")
	if got := r.run().Whole(); got.Manager != c.Manager || !got.Force {
		t.Errorf("as %s, force %v", got.Manager, got.Force)
	}
}

// TestFinalizers: an object that a finalizer keeps is not created again.
func TestFinalizers(t *testing.T) {
	c := &Client{Program: about.Kubectl}
	w := write(t, c, configMap("a", "", "k: w"), configMap("a", ", finalizers: [x/y]", "k: v"))
	r := &sequence{ctx: t.Context(), server: fake(), write: w, sent: w}
	if r.delete(w, "Background") {
		t.Error("the object is gone")
	}
	if got := r.last().Answer().Message; got != "the object is not deleted before its finalizers are removed" {
		t.Errorf("says %q", got)
	}
}

// TestRecreation: for which refusals clients recreate an object.
func TestRecreation(t *testing.T) {
	for code, want := range map[int]bool{200: false, 403: false, 409: true, 422: true, 500: false} {
		if got := mayRecreate(report.Result{Code: code}); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
}

// TestSaid is how a client is introduced.
func TestSaid(t *testing.T) {
	for want, c := range map[string]*Client{
		"Helm 3, client-side: nothing conflicts": {Program: about.Helm, Version: "3", ClientSide: true, Force: true},
		"Flux 2, forces":                         {Program: about.Flux, Version: "2", Force: true},
		"kubectl 1.37, does not force":           {Program: about.Kubectl, Version: "1.37"},
	} {
		if got := c.Said(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOptions: which clients take a flag, and which one has a field manager.
func TestOptions(t *testing.T) {
	for option, want := range map[string][]string{
		"prune": {"kubectl", "argocd", "flux"}, "server-side": {"kubectl", "helm", "argocd"}, "release": {"helm"}, "none": nil,
	} {
		if diff := cmp.Diff(want, about.With(option)); diff != "" {
			t.Errorf("--%s (-want +got):\n%s", option, diff)
		}
	}
	for manager, want := range map[string]string{"kustomize-controller": "flux", "helm": "helm", "bob": "", "": ""} {
		if about, is := about.Managing(manager); about.Name != want || is != (want != "") {
			t.Errorf("%s: %q", manager, about.Name)
		}
	}
	for _, test := range []struct {
		kind schema.GroupKind
		name string
		want bool
	}{
		{applications, "web", true}, {kustomizations, "web", true}, {secrets, "sh.helm.release.v1.web.v1", true}, {secrets, "web", false},
		{schema.GroupKind{Kind: "ConfigMap"}, "sh.helm.release.v1.web.v1", false},
	} {
		if got := IsSetting(test.kind, test.name); got != test.want {
			t.Errorf("%s %s is a setting: %v", test.kind, test.name, got)
		}
	}
	if !about.Helm.IsSetting(object(t, `{apiVersion: v1, kind: Secret}`)) || about.Kubectl.IsSetting(map[string]any{}) {
		t.Error("a client has settings of another kind")
	}
}

// TestRefuse: a refused object is not sent, and what the client says is the answer.
func TestRefuse(t *testing.T) {
	c, err := New("kubectl", "", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	w := write(t, c, configMap("a", "", "k: v"), "")
	c.Refuse(KeyOf(w), "not today")
	for name, got := range map[string]report.Result{"sent": c.Simulate(t.Context(), fake(), w), "contested": c.Unforced(t.Context(), fake(), w)} {
		want := report.Invalid
		if name == "contested" {
			// kubectl itself is asked of the server.
			want = report.Created
		}
		if got.Outcome != want {
			t.Errorf("%s: %s %s", name, got.Outcome, got.Answer().Message)
		}
	}
	if unknown, err := New("other", "", Settings{}); unknown != nil || err != nil {
		t.Errorf("%v, %v", unknown, err)
	}
}

// TestContested is the request in which a manifest may conflict.
func TestContested(t *testing.T) {
	live := configMap("a", `, uid: u, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}`, "k: v")
	for _, test := range []struct {
		name, client string
		settings     Settings
		verb         api.Verb
		refused      string
	}{
		{"kubectl", "kubectl", Settings{ForceConflicts: true}, api.Apply, ""},
		{"Argo CD, without force", "argocd", Settings{}, api.Apply, ""},
		{"a client that patches: the apply that is asked", "argocd", Settings{ServerSide: "false"}, api.Apply, ""},
		{"Helm refuses what is not its own", "helm", Settings{Release: "shop", Namespace: "team"}, "", "unable to continue with install"},
	} {
		c, err := New(test.client, "", test.settings)
		if err != nil {
			t.Fatal(err)
		}
		w := write(t, c, configMap("a", "", "k: w"), live)
		w.Force = true
		c.Plan(t.Context(), fake(), []engine.Write{w})
		sent, refusal := c.Contested(t.Context(), fake(), w)
		switch {
		case test.refused != "" && (refusal == nil || !strings.HasPrefix(refusal.Answer().Message, test.refused)):
			t.Errorf("%s: %v", test.name, refusal)
		case test.refused == "" && (refusal != nil || sent.Verb != test.verb || sent.Force):
			t.Errorf("%s: %s, force %v, %v", test.name, sent.Verb, sent.Force, refusal)
		}
	}
	c, err := New("flux", "", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	stays := write(t, c, configMap("a", "", "k: w"), live)
	c.stopped[KeyOf(stays)] = stopped{notice: "not applied: another object is refused"}
	sent, refusal := c.Contested(t.Context(), fake(), stays)
	if refusal != nil || annotationsOf(liveOf(sent))[LastApplied] != "" {
		t.Errorf(
			"what another object keeps from being applied is asked on %s before its entries move (%v)",
			sent.Live,
			refusal,
		)
	}
	var none *Client
	w := write(t, &Client{}, configMap("a", "", "k: w"), "")
	if got := none.Unforced(t.Context(), fake(), w); got.Outcome != report.Created {
		t.Errorf("the bare request is %s", got.Outcome)
	}
}
