package transfer

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/test/lab"
)

// TestImpossible: why nothing can be handed over.
func TestImpossible(t *testing.T) {
	size, gone := fieldpath.MakePathOrDie("spec", "size"), fieldpath.MakePathOrDie("spec", "args")
	for _, tt := range []struct {
		name    string
		entries []string
		edit    func(*Request)
		want    string
	}{
		{"to itself", []string{former}, func(q *Request) { q.To = "a" }, "a cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry"},
		{"the object does not have it", []string{former}, func(q *Request) { q.Fields = []fieldpath.Path{gone} }, "the live object does not have .spec.args, so that there is no value to hand over"},
		{"others own it", []string{former, next}, func(q *Request) { q.Fields = []fieldpath.Path{size}; q.To = "c" }, "a does not own .spec.size (owned by b)"},
		{"no manager owns it", []string{former}, func(q *Request) { q.Fields = []fieldpath.Path{size} }, "a does not own .spec.size (no manager does)"},
		{"it may be owned by another name", []string{former, "c Update lab/v0 .: spec/amount"}, func(q *Request) { q.Fields = []fieldpath.Path{size} },
			"a does not own .spec.size (no manager does) (at other API versions, where fields may have other names, there are entries of c at lab/v0)"},
	} {
		p := planned(lab.Gadget(tt.entries...), tt.edit)
		if p.Chosen != "" || p.Message.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, p.Message, tt.want)
		}
	}
}

// TestRemarks: what a plan rests on, and what is left to do in a source.
func TestRemarks(t *testing.T) {
	manifest := appliedManifest(
		`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2}}`,
	)
	dropped := appliedManifest(`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":2}}`)
	note := `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2}}`
	noted := lab.Gadget(
		"kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/mode spec/replicas",
		next,
	)
	noted["metadata"].(map[string]any)["annotations"] = map[string]any{
		"kubectl.kubernetes.io/last-applied-configuration": note,
	}
	for _, tt := range []struct {
		name string
		live map[string]any
		edit func(*Request)
		want []string
	}{
		{"both manifests are put together", lab.Gadget(former, next), nil, []string{"manifest-unknown", "manifest-unknown"}},
		{"the former's is given", lab.Gadget(former, next), func(q *Request) { q.FromManifest = manifest }, []string{"manifest-unknown"}},
		{"the former's does not have the field", lab.Gadget(former, next), func(q *Request) { q.FromManifest, q.ToManifest = dropped, manifest }, []string{"manifest-drops"}},
		{"another owner stays", lab.Gadget(former, next, "c Apply lab/v1 .: spec/mode"), func(q *Request) { q.FromManifest, q.ToManifest = manifest, manifest }, []string{"co-owner"}},
		{"the former writes by updates", lab.Gadget(updates, next), func(q *Request) { q.ToManifest = manifest }, []string{"writes-by-updates"}},
		{"kubectl would move entries", noted, func(q *Request) { q.From = "kubectl-client-side-apply" }, []string{"kubectl-moves-entries", "manifest-unknown", "manifest-unknown"}},
	} {
		p := planned(tt.live, tt.edit)
		var got []string
		for _, f := range p.Findings {
			got = append(got, f.Rule)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || p.Chosen == "" {
			t.Errorf("%s: %q %s (-want +got)\n%s\n%v", tt.name, p.Chosen, p.Reason, diff, p.Findings)
		}
	}
}

// TestMigratedFirst: where kubectl would move the client-side entry to the manager of the
// first step, the entry is migrated before, and the plan goes on with its new name.
func TestMigratedFirst(t *testing.T) {
	note := `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2}}`
	live := lab.Gadget(
		"kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/mode spec/replicas",
		next,
	)
	live["metadata"].(map[string]any)["annotations"] = map[string]any{
		"kubectl.kubernetes.io/last-applied-configuration": note,
	}
	for _, tt := range []struct {
		to     string
		chosen OptionKind
		steps  []string
		then   string
	}{
		{"b", ShareThenDrop, []string{"kubectl Patch: fast kubectl", "b Apply: fast b kubectl", "kubectl Apply: fast b"}, "kubectl"},
		{"kubectl", MigrateOnly, []string{"kubectl Patch: fast kubectl"}, "kubectl"},
	} {
		p := planned(live, func(q *Request) { q.From, q.To = "kubectl-client-side-apply", tt.to })
		if p.Chosen != tt.chosen || p.FromThen != tt.then ||
			!strings.Contains(p.Findings[0].Message.String(), "step 1 prevents that") {
			t.Fatalf("to %s: %q, then %q: %s %v", tt.to, p.Chosen, p.FromThen, p.Reason, p.Findings)
		}
		if diff := cmp.Diff(tt.steps, stepsOf(p)); diff != "" {
			t.Errorf("to %s: steps (-want +got)\n%s", tt.to, diff)
		}
	}
}

// TestEditedTexts: steps apply the given manifests with their comments, but for edits that
// cannot be made in place.
func TestEditedTexts(t *testing.T) {
	const text = "# mine\napiVersion: lab/v1\nkind: Gadget\nmetadata: {name: g}\nspec:\n  # fast is fine\n  mode: fast\n  replicas: 2\n"
	parsed := lab.Object(
		`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2}}`,
	)
	given := func(body string) *Manifest {
		return &Manifest{Kind: gadgets, Body: []byte(body), Decoded: parsed, Source: report.Source{File: "a.yaml"}}
	}
	p := planned(lab.Gadget(former, both), func(q *Request) { q.FromManifest = given(text) })
	step := p.Options[0].Steps[0]
	if want := "# mine\napiVersion: lab/v1\nkind: Gadget\nmetadata: {name: g}\nspec:\n  replicas: 2\n"; step.Text != want ||
		step.NotEdited != "" ||
		step.Source == nil {
		t.Errorf("%q (%s), want %q", step.Text, step.NotEdited, want)
	}
	p = planned(
		lab.Gadget(former, both),
		func(q *Request) { q.FromManifest = given(strings.Replace(text, "mode: fast", "<<: {mode: fast}", 1)) },
	)
	if step = p.Options[0].Steps[0]; step.NotEdited == "" || step.Text != "" {
		t.Errorf("a text that cannot be edited: %q (%s)", step.Text, step.NotEdited)
	}
	concealed, err := json.Marshal(p.Options[0].Steps[0].Concealed())
	if err != nil || strings.Contains(string(concealed), "# mine") {
		t.Errorf("%v: %s", err, concealed)
	}
}

// TestStepFiles: steps have files by their managers, and what needs no command has none.
func TestStepFiles(t *testing.T) {
	for want, s := range map[string]Step{
		"":                       {Kind: ByItself, Manager: "hpa"},
		"step-1-a.json":          {Kind: Patch, Manager: "a"},
		"step-1-b.yaml":          {Kind: Apply, Manager: "b", Text: "kind: Gadget"},
		"step-1-c.json":          {Kind: Apply, Manager: "c", Text: " {\"kind\":\"Gadget\"}"},
		"step-1-etc-passwd.yaml": {Kind: Apply, Manager: "../../etc/passwd"},
		"step-1-manager.yaml":    {Kind: Apply, Manager: "…"},
		"step-1-" + strings.Repeat("x", 60) + ".yaml": {Kind: Apply, Manager: strings.Repeat("x", 128)},
	} {
		got := fileOf(0, s)
		if got != want || got != "" && !stepFile.MatchString(got) {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// TestSummary: plans are counted by whether they are safe, and the run's verdict is made
// of that.
func TestSummary(t *testing.T) {
	safe, done := planned(lab.Gadget(former, next), nil), planned(lab.Gadget("a Apply lab/v1 .: spec/replicas", both), nil)
	unsafe, failed := planned(
		lab.Gadget(former),
		func(q *Request) { q.To = "a" },
	), Failure(
		Request{Object: engine.Write{Kind: gadgets, Name: "g"}},
		errors.New("unread"),
	)
	o := &transferOptions{}
	for _, tt := range []struct {
		plans   []Plan
		want    Summary
		verdict error
	}{
		{[]Plan{safe, done}, Summary{Total: 2, Safe: 2, Without: 1}, nil},
		{[]Plan{safe, unsafe}, Summary{Total: 2, Safe: 1, Unsafe: 1, Without: 1}, app.ErrNo},
		{[]Plan{failed, unsafe}, Summary{Total: 2, Unsafe: 1, Failed: 1, Without: 1}, app.ErrTrouble},
	} {
		d := NewDocument(report.Run{}, tt.plans, 1)
		if diff := cmp.Diff(tt.want, d.Summary); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if err := o.inquiry().Verdict(nil, d); !errors.Is(err, tt.verdict) {
			t.Errorf("%+v: the verdict is %v, want %v", tt.want, err, tt.verdict)
		}
	}
}

// TestSought: the one owner of the fields is found, and several are named.
func TestSought(t *testing.T) {
	for _, tt := range []struct {
		entries   []string
		want, err string
	}{
		{[]string{former}, "a", ""},
		{[]string{former, "b Apply lab/v1 .: spec/mode"}, "a", ""},
		{[]string{"b Apply lab/v1 .: spec/mode"}, "", "no other manager owns it: there is nothing to hand over"},
		{[]string{former, "c Update lab/v1 .: spec/mode"}, "", "several managers own it, a and c: name one with --from"},
		{[]string{"b Apply lab/v1 .: spec/mode", "c Update lab/v0 .: spec/way"}, "", "no other manager owns it: there is nothing to hand over (at other API versions, where fields may have other names, there are entries of c at lab/v0)"},
	} {
		s := sought{object: engine.Write{LiveObject: lab.Gadget(tt.entries...)}, fields: []fieldpath.Path{mode}}
		got, err := s.onlyOwner("b")
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%v: %q, %v; want %q, %s", tt.entries, got, err, tt.want, tt.err)
		}
	}
}

// TestSecretsHaveValues: which plans have manifests with values of Secrets.
func TestSecretsHaveValues(t *testing.T) {
	plan := func(kind string, steps ...Step) Plan {
		return Plan{Target: report.Target{APIVersion: "v1", Kind: kind}, Chosen: DropOnly, Options: []Option{{Steps: steps}}}
	}
	unplanned := plan("Secret")
	unplanned.Chosen = ""
	for name, tt := range map[string]struct {
		plan Plan
		want bool
	}{
		"a Secret":                {plan("Secret"), true},
		"a Secret without a plan": {unplanned, false},
		"a ConfigMap":             {plan("ConfigMap", Step{Manifest: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}), false},
	} {
		if got := ofSecret(tt.plan); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestFlags: wrong flags are found before anything is read.
func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-f", "x", "spec.mode", "--to", "b"}, ""},
		{[]string{"-f", "x", "spec.replicas", "--to-controller"}, ""},
		{[]string{"spec.mode", "--to", "b"}, "-f is needed: the file with the live objects"},
		{[]string{"-f", "x", "spec.mode"}, "one of --to NAME and --to-controller[=NAME] is needed: who is to have the fields"},
		{[]string{"-f", "x", "spec.mode", "--to", "b", "--to-controller=c"}, "--to and --to-controller exclude each other"},
		{[]string{"-f", "x", "spec.mode", "--to-controller="}, "--to-controller= names no controller"},
		{[]string{"-f", "x", "spec.mode", "--to-controller=c", "--to-manifest", "m"}, "--to-manifest is for --to: a controller applies no manifest"},
		{[]string{"-f", "x", "spec.mode", "--from", "a", "--to-controller=c", "--hand-over-manager", "c"}, "--hand-over-manager must differ from --from and the controller"},
		{[]string{"-f", "x", "spec.mode", "--to", "b", "--overwrite"}, "--overwrite works only with --output-dir"},
	} {
		o := &transferOptions{}
		cmd := &cobra.Command{
			Use:           "transfer",
			RunE:          func(c *cobra.Command, args []string) error { return o.check(c, args) },
			SilenceErrors: true,
			SilenceUsage:  true,
		}
		o.add(cmd)
		cmd.SetArgs(tt.args)
		if err := cmd.Execute(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
		if tt.want == "" && o.to == "" && (o.controller != "kube-controller-manager" || o.named) {
			t.Errorf("%v: the controller is %q, named %t", tt.args, o.controller, o.named)
		}
	}
}

// TestOwners: who owns a field or something in it, each once.
func TestOwners(t *testing.T) {
	live := lab.Gadget(former, both, "a Update lab/v1 .: spec/mode", "odd Sideways lab/v1 .: spec/mode")
	for path, want := range map[string][]string{"mode": {"a", "b"}, "size": {"b"}, "args": nil} {
		if diff := cmp.Diff(want, Owners(live, fieldpath.MakePathOrDie("spec", path))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", path, diff)
		}
	}
	if diff := cmp.Diff([]string{"a", "b"}, Owners(live, fieldpath.MakePathOrDie("spec"))); diff != "" {
		t.Errorf("all (-want +got)\n%s", diff)
	}
	if managedfields.Of(live).Entries[3].Err == nil {
		t.Error("an entry that cannot be read is read")
	}
}
