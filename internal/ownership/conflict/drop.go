package conflict

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// drops are what happens when each owner of the field, or of parts of it, drops it: by its
// next apply without the field, for which what it applied last is put together from the live
// object and its entry, or by an update or patch that leaves the field out.
func (a *question) drops() []Drop {
	out := []Drop{}
	for _, owner := range a.concerned() {
		d := Drop{Writer: owner.Writer, Effect: EffectUnknown}
		if owner.Operation == managedfields.Apply {
			if r, err := a.applyWithout(owner.Writer, a.Live); err != nil {
				d.Unknown = err.Error()
			} else {
				a.fill(&d, r.Result)
			}
		} else if effect, after, r := a.withoutIt(owner.Manager, a.Live); effect != EffectUnknown {
			a.fill(&d, r)
			d.Effect, d.After = effect, after
		}
		out = append(out, d)
	}
	return out
}

// concerned are the owners of the field or of parts of it.
func (a *question) concerned() []Owner {
	out := slices.Clone(a.ownedBy)
	for _, owner := range a.below() {
		if !slices.ContainsFunc(out, func(o Owner) bool { return reflect.DeepEqual(o.Writer, owner.Writer) }) {
			out = append(out, owner)
		}
	}
	return out
}

// target is what a manifest has to leave out to drop the field: the item where
// the field is one of its keys, the whole where a parent is owned as one.
func (a *question) target() fieldpath.Path {
	if managedfields.IsKey(a.managing) {
		return a.managing[:len(a.managing)-1]
	}
	return a.managing
}

// applyWithout is the manager's next apply to an object, the field left out.
func (a *question) applyWithout(owner report.Writer, object map[string]any) (ownership.Next, error) {
	apply, err := a.lastApplied(owner)
	if err != nil {
		return ownership.Next{}, err
	}
	apply, _ = apply.Without(a.target())
	r := apply.To(object)
	if r.Outcome == report.Failed {
		return r, errors.New(r.Error)
	}
	return r, nil
}

func (a *question) fill(d *Drop, r report.Result) {
	d.Effect, d.After = a.effectIn(r)
	if d.Effect == EffectRefused {
		d.Code = r.Code
		if r.Status != nil {
			d.Message = r.Status.Message
		}
		return
	}
	for _, e := range managedfields.Of(r.Object).At(a.path) {
		d.KeptBy = append(d.KeptBy, e.Manager)
	}
	parts := natureOf(a.Shape, a.path, a.value.Value).HasParts()
	changes, _ := a.beyondBase(r)
	for _, c := range changes {
		if parts || !managedfields.Within(c.Field, a.field) && !managedfields.Within(a.field, c.Field) {
			d.Also = append(d.Also, c)
		}
	}
}

// effectIn compares the field after a write with what it is now.
func (a *question) effectIn(r report.Result) (Effect, Value) {
	if r.Outcome.Refused() {
		return EffectRefused, a.value
	}
	after := ValueAt(a.Shape, r.Object, a.path)
	owned := len(managedfields.Of(r.Object).At(a.path)) > 0
	switch {
	case after.Missing:
		return EffectRemoved, after
	case !reflect.DeepEqual(after, a.value) && !owned:
		return EffectDefault, after
	case !reflect.DeepEqual(after, a.value):
		return EffectChanged, after
	case !owned && a.isDefault(r.Object):
		return EffectDefault, after
	}
	return EffectKept, after
}

// isDefault reports whether the field comes back when it is removed.
func (a *question) isDefault(object map[string]any) bool {
	effect, after, _ := a.withoutIt("ssactl", object)
	return effect == EffectDefault && reflect.DeepEqual(after, a.value)
}

// withoutIt is the effect of a manager's patch that removes the field:
// what is there afterwards nobody asked for.
func (a *question) withoutIt(manager string, object map[string]any) (Effect, Value, report.Result) {
	r, ok := a.patched(manager, object)
	if !ok {
		return EffectUnknown, a.value, r
	}
	if r.Outcome.Refused() {
		return EffectRefused, a.value, r
	}
	after := ValueAt(a.Shape, r.Object, a.path)
	if after.Missing {
		return EffectRemoved, after, r
	}
	return EffectDefault, after, r
}

// patched simulates a JSON patch that removes the field; false where the
// object does not have it.
func (a *question) patched(manager string, object map[string]any) (report.Result, bool) {
	operations := ownership.RemoveField(a.Shape, object, a.target())
	w, err := a.Patching(manager, a.subresource(), operations)
	if err != nil || len(operations) == 0 {
		return report.Result{}, false
	}
	return a.Simulate(w, object).Result, true
}

// subresource is where a write to the field has to go.
func (a *question) subresource() string {
	if managedfields.Within(a.field, ".status") &&
		slices.Contains(a.Server.Resource(a.Write.Kind).Subresources, "status") {
		return "status"
	}
	return ""
}

// removal finds the shortest way to get the field removed, and tries it step
// by step: first who applies the field has to stop, or it comes back; then, if
// it is still there, a patch removes it for all owners.
func (a *question) removal() Removal {
	out := Removal{Steps: []Step{}, After: a.value}
	switch {
	case managedfields.Untracked(a.path):
		out.Effect = EffectRefused
		return out
	case a.value.Missing && len(a.concerned()) == 0:
		out.Effect = EffectRemoved
		return out
	case a.isDefault(a.Live):
		out.Effect = EffectDefault
		return out
	}
	object := a.Live
	var r ownership.Next
	for _, owner := range a.concerned() {
		if owner.Operation != managedfields.Apply {
			continue
		}
		step := Step{Manager: owner.Manager}
		var err error
		if r, err = a.applyWithout(owner.Writer, object); err != nil {
			step.Outcome, step.Message = report.Failed, err.Error()
			out.Steps = append(out.Steps, step)
			continue
		}
		step.Outcome, step.Message = r.Outcome, r.Answer().Message
		out.Steps = append(out.Steps, step)
		object = r.Left()
	}
	out.Effect = EffectKept
	if len(out.Steps) > 0 && !r.Outcome.Refused() {
		r.Object, r.Outcome = object, report.Configured
		out.Effect, out.After = a.effectIn(r.Result)
	}
	if out.Effect == EffectKept {
		a.patchStep(&out, object)
	}
	return out
}

// patchStep removes what is left by a patch, which asks no owner.
func (a *question) patchStep(out *Removal, object map[string]any) {
	effect, after, r := a.withoutIt("ssactl", object)
	if effect == EffectUnknown {
		return
	}
	// It was encoded for the patch that was simulated.
	body, _ := json.Marshal(ownership.RemoveField(a.Shape, object, a.target()))
	command := kubectl.Named(a.Server, a.Write.Kind, a.Write.Namespace, a.Write.Name).
		Patch(kubectl.Patch{Type: kubectl.JSONPatch, Subresource: a.subresource(), Body: body})
	out.Steps = append(out.Steps, Step{Command: command, Outcome: r.Outcome, Message: r.Answer().Message})
	out.Effect, out.After = effect, after
}
