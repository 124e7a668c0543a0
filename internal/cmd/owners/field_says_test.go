package owners

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/test/lab"
)

func owner(manager, operation string, at *time.Time) conflict.Owner {
	return conflict.Owner{Writer: report.Writer{Manager: manager, Operation: operation, Time: at}}
}

// TestOrigins: where a value comes from, in a sentence.
func TestOrigins(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	helm, flux := owner("helm", "Apply", &early), owner("flux", "Apply", &late)
	scalar, missing := conflict.Nature{Kind: conflict.Scalar}, conflict.Value{Missing: true}
	for _, tt := range []struct {
		why  conflict.Why
		want string
	}{
		{conflict.Why{Origin: conflict.ServerWritten, Field: ".status.replicas"}, "No manager owns it. It is in the status"},
		{conflict.Why{Origin: conflict.ServerWritten, Field: ".metadata.uid"}, "The field is part of the object's identity"},
		{conflict.Why{Origin: conflict.UntrackedObject}, "The live object has no managed fields"},
		{conflict.Why{Origin: conflict.OwnedAbove, Parent: ".spec.selector", Owners: []conflict.Owner{helm}}, "helm owns .spec.selector as a whole, and the field with it."},
		{conflict.Why{Origin: conflict.OwnedBelow, Drops: []conflict.Drop{{Writer: helm.Writer}, {Writer: flux.Writer}}}, "The field itself has no owner; parts of it do: helm and flux."},
		{conflict.Why{Origin: conflict.Default}, "No manager set it: it is the server default"},
		{conflict.Why{Origin: conflict.Unset}, "The object does not have the field, and no manager owns it."},
		{conflict.Why{Origin: conflict.Unowned, Needed: true}, "No manager owns it, and the server requires it"},
		{conflict.Why{Origin: conflict.Unowned}, "No manager owns it, and it is no default"},
		{conflict.Why{Origin: conflict.Owned, Value: missing, Owners: []conflict.Owner{helm}}, "helm owns the field, but the object does not have it"},
		{conflict.Why{Origin: conflict.Owned, Nature: scalar, Owners: []conflict.Owner{helm}}, "helm set it, and no other manager owns it."},
		{conflict.Why{Origin: conflict.Owned, Nature: scalar, Owners: []conflict.Owner{helm, flux}}, "helm and flux own it together: each applied or wrote this very value, and the last to write was flux."},
		{conflict.Why{Origin: conflict.Owned, Nature: scalar, Owners: []conflict.Owner{flux, owner("x", "Apply", nil)}}, "flux and x own it together: each applied or wrote this very value."},
		{conflict.Why{Origin: conflict.Owned, Nature: conflict.Nature{Kind: conflict.GranularMap}, Owners: []conflict.Owner{helm, flux}}, "helm and flux own it together; what is in it has owners of its own."},
	} {
		got := WhyDocument(conflict.Answers{Answers: []conflict.Why{tt.why}}).Answers[0].Says
		if !strings.HasPrefix(got, tt.want) ||
			strings.HasSuffix(tt.want, ".") && got != tt.want && tt.why.Origin != conflict.OwnedBelow &&
				tt.why.Origin != conflict.ServerWritten {
			t.Errorf("%s: %q, want %q", tt.why.Origin, got, tt.want)
		}
	}
}

// TestDropTexts: what happens to a field if an owner drops it.
func TestDropTexts(t *testing.T) {
	applier, updater := report.Writer{
		Manager:   "helm",
		Operation: managedfields.Apply,
	}, report.Writer{
		Manager:   "op",
		Operation: managedfields.Update,
	}
	one, two := conflict.Value{Value: int64(1)}, conflict.Value{Value: strings.Repeat("x", 100)}
	for _, tt := range []struct {
		why  conflict.Why
		drop conflict.Drop
		want string
	}{
		{conflict.Why{}, conflict.Drop{Writer: applier, Effect: conflict.EffectUnknown, Unknown: "no type"}, "What helm applied is not known: no type."},
		{conflict.Why{}, conflict.Drop{Writer: updater, Effect: conflict.EffectUnknown}, "op owns it by updates, and the object does not have it: nothing is left to drop but the ownership."},
		{conflict.Why{}, conflict.Drop{Writer: applier, Effect: conflict.EffectRefused, Code: 422}, "The server refuses its next apply without the field (422)."},
		{conflict.Why{}, conflict.Drop{Writer: updater, Effect: conflict.EffectRemoved}, "An update that omits it or a patch that deletes the field removes it."},
		{conflict.Why{Whole: ".spec.ports[port=80]"}, conflict.Drop{Writer: applier, Effect: conflict.EffectRemoved}, "Its next apply without the field removes it, with all of .spec.ports[port=80]."},
		{conflict.Why{Value: conflict.Value{Missing: true}}, conflict.Drop{Writer: applier, Effect: conflict.EffectRemoved}, "Its next apply without the field only ends the ownership."},
		{conflict.Why{Value: one}, conflict.Drop{Writer: applier, Effect: conflict.EffectDefault, After: one}, "After its next apply without the field it stays as it is: the live value is the server default."},
		{conflict.Why{Value: two}, conflict.Drop{Writer: applier, Effect: conflict.EffectDefault, After: one}, "Its next apply without the field resets it to the default, 1."},
		{conflict.Why{Value: one}, conflict.Drop{Writer: applier, Effect: conflict.EffectDefault, After: two}, "Its next apply without the field resets it to the default."},
		{conflict.Why{}, conflict.Drop{Writer: applier, Effect: conflict.EffectChanged, After: one}, "Its next apply without the field changes it to 1."},
		{conflict.Why{}, conflict.Drop{Writer: applier, Effect: conflict.EffectChanged, After: conflict.Value{Missing: true}}, "Its next apply without the field changes it to nothing."},
		{conflict.Why{Nature: conflict.Nature{Kind: conflict.GranularMap}}, conflict.Drop{Writer: applier, Effect: conflict.EffectChanged, KeptBy: []string{"a", "b"}}, "Its next apply without the field changes parts of it; a and b still own it."},
		{conflict.Why{}, conflict.Drop{Writer: applier, Effect: conflict.EffectKept, KeptBy: []string{"a"}}, "After its next apply without the field it stays as it is: a still owns it."},
		{conflict.Why{}, conflict.Drop{Writer: updater, Effect: conflict.EffectKept}, "After an update that omits it or a patch that deletes the field it stays as it is, without an owner."},
	} {
		if got := DropText(tt.why, tt.drop); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestRemovalTexts: what removes a field, and why nothing does.
func TestRemovalTexts(t *testing.T) {
	one, steps := conflict.Value{Value: int64(1)}, []conflict.Step{{Manager: "helm"}, {}}
	for _, tt := range []struct {
		effect conflict.Effect
		steps  []conflict.Step
		want   string
	}{
		{conflict.EffectRemoved, nil, "nothing: the object does not have it"},
		{conflict.EffectRemoved, steps, "these steps (simulated)"},
		{conflict.EffectDefault, nil, "nothing: the live value is the server default, which comes back at once (simulated)"},
		{conflict.EffectDefault, steps, "nothing; these steps reset it to the server default, 1 (simulated)"},
		{conflict.EffectChanged, steps, "nothing; after these steps it is 1 (simulated)"},
		{conflict.EffectRefused, nil, "nothing: it is part of the object's identity, or the server tracks no owner of it"},
		{conflict.EffectRefused, steps, "nothing: the server refuses to be without it (simulated)"},
		{conflict.EffectKept, steps, "nothing; after these steps it is still there (simulated)"},
	} {
		a := conflict.Why{Field: ".spec.mode", Removal: conflict.Removal{Effect: tt.effect, Steps: tt.steps, After: one}}
		got := WhyDocument(conflict.Answers{Answers: []conflict.Why{a}}).Answers[0].Removal
		if got.Says != tt.want {
			t.Errorf("%s: %q, want %q", tt.effect, got.Says, tt.want)
		}
		if tt.steps != nil &&
			(got.Steps[0].Says != "Remove .spec.mode from the manifest of helm, and apply it." || got.Steps[1].Says != "Remove it with a patch, which meets no conflict.") {
			t.Errorf("the steps are %+v", got.Steps)
		}
		if tt.steps != nil && tt.steps[0].Says != "" {
			t.Error("the given answer changes")
		}
	}
}

// TestApplyTexts: what the apply of a value does.
func TestApplyTexts(t *testing.T) {
	helm, me := owner("helm", "Apply", nil), owner("me", "Apply", nil)
	accepted, refused := report.Answer{Outcome: report.Configured}, report.Answer{Outcome: report.Invalid, Code: 422}
	for _, tt := range []struct {
		why   conflict.Why
		apply conflict.Apply
		want  string
	}{
		{conflict.Why{}, conflict.Apply{Answer: report.Answer{Outcome: report.Conflicted}, With: []string{"a", "b"}}, "a conflict with a and b, unless forced"},
		{conflict.Why{}, conflict.Apply{Answer: refused}, "no conflict, but the server refuses the value (422)"},
		{conflict.Why{Origin: conflict.UntrackedObject}, conflict.Apply{Answer: accepted}, "accepted, shared with before-first-apply"},
		{conflict.Why{Manager: "me", Owners: []conflict.Owner{me}}, conflict.Apply{Answer: accepted, Same: true}, "accepted, nothing changes"},
		{conflict.Why{Manager: "me", Owners: []conflict.Owner{helm}}, conflict.Apply{Answer: accepted, Same: true}, "accepted, shared with helm"},
		{conflict.Why{Manager: "me"}, conflict.Apply{Answer: accepted}, "accepted"},
		{conflict.Why{Manager: "me", Owners: []conflict.Owner{helm, me}}, conflict.Apply{Answer: accepted}, "accepted"},
	} {
		if got := applyText(tt.why, tt.apply); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if got := applyText(conflict.Why{Manager: "kubectl", Owners: []conflict.Owner{helm}}, conflict.Apply{Answer: accepted}); !strings.Contains(
		got,
		"its last-applied annotation explains",
	) {
		t.Errorf("kubectl's apply of another value: %q", got)
	}
}

func TestEndsWithField(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "spec.replicas": true, "deployment/web": false, "deployment/web spec.replicas": true, ".spec": true, "/spec/replicas": true,
		"{.spec.replicas}": true, "containers[main].image": true, "deployment/web metadata.labels.app.kubernetes.io/name": true,
		"deployment/web deployment/db": false, "deployment web": false,
	} {
		if got := endsWithField(strings.Fields(args)); got != want {
			t.Errorf("%q: %t", args, got)
		}
	}
}

// TestAttributions: objects that could be read are shown, the others are problems, and a
// friendly form of a field stays as typed where not every object took it so.
func TestAttributions(t *testing.T) {
	read := func(friendly map[string]string) attribution {
		return attribution{
			object: owners.New(
				report.Target{},
				report.Source{},
				lab.Gadget("a Apply lab/v1 .: spec/mode"),
				managedfields.ShapeOf(lab.Type),
			),
			friendly: friendly,
		}
	}
	for _, tt := range []struct {
		answers []attribution
		fields  []string
		objects int
		verdict error
	}{
		{[]attribution{read(map[string]string{"mode": ".spec.mode"}), read(map[string]string{"mode": ".spec.mode"})}, []string{".spec.mode", ".spec.mode", "x"}, 2, nil},
		{[]attribution{read(map[string]string{"mode": ".spec.mode"}), read(nil)}, []string{".spec.mode", "mode", "x"}, 2, nil},
		{[]attribution{read(nil), unattributed(report.Problem{Message: "unread"})}, []string{"mode", "x"}, 1, app.ErrTrouble},
	} {
		o := &ownersOptions{filter: owners.Filter{Fields: []string{"mode", "x"}}}
		d, err := o.document(t.Context(), nil, tt.answers, report.Run{})
		if err != nil || len(d.objects) != tt.objects {
			t.Fatalf("%d objects, %v", len(d.objects), err)
		}
		if diff := cmp.Diff(tt.fields, append([]string{}, o.filter.Fields...)); diff != "" {
			t.Errorf("fields (-want +got)\n%s", diff)
		}
		if err := o.inquiry().Verdict(nil, d); !errors.Is(err, tt.verdict) {
			t.Errorf("the verdict is %v, want %v", err, tt.verdict)
		}
	}
}

// TestMissingFields: without any object that has the field, the error is that of the first.
func TestMissingFields(t *testing.T) {
	first, second, broken := errors.New("a: no such field"), errors.New("b: no such field"), errors.New("unread")
	answer := whyAnswer{why: conflict.Why{Field: ".spec.mode"}}
	for _, tt := range []struct {
		answers  []whyAnswer
		run      report.Run
		want     error
		answered int
		problems int
	}{
		{[]whyAnswer{{missing: first}, {missing: second}}, report.Run{}, first, 0, 0},
		{[]whyAnswer{{missing: first}, answer, {err: broken}}, report.Run{}, nil, 1, 1},
		{[]whyAnswer{{missing: first}}, report.Run{Ending: report.Ending{Interrupted: &report.Interruption{Answered: 1, Total: 2}}}, nil, 0, 0},
	} {
		d, err := whyDocument(t.Context(), &cluster.Cluster{}, tt.answers, tt.run)
		if !errors.Is(err, tt.want) || len(d.Answers) != tt.answered || len(d.Problems) != tt.problems {
			t.Errorf("%d answers, %d problems, %v", len(d.Answers), len(d.Problems), err)
		}
	}
}

// TestFlags: wrong flags are found before anything is read.
func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-f", "x"}, ""},
		{[]string{"-f", "x", "--as", "tree", "deployment/web"}, ""},
		{[]string{"-f", "x", "--as", "rings"}, `--as "rings": use one of `},
		{[]string{"-f", "x", "--unowned", "--manager", "a"}, "--unowned asks for fields without a field manager: leave --manager out"},
		{[]string{"-f", "x", "--unowned", "--shared", "--manager", "a"}, ""},
	} {
		o := &ownersOptions{}
		cmd := &cobra.Command{
			Use:           "owners",
			RunE:          func(_ *cobra.Command, args []string) error { return o.check(args) },
			SilenceErrors: true,
			SilenceUsage:  true,
		}
		o.addFlags(cmd)
		cmd.SetArgs(tt.args)
		if err := cmd.Execute(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}
