package conflict

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

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
	out.Effect, out.After = a.state(object, len(out.Steps) > 0, r.Result)
	if out.Effect == EffectKept {
		a.patchStep(&out, object)
	}
	return out
}

// state is the effect of the field after the applies.
func (a *question) state(object map[string]any, written bool, r report.Result) (Effect, Value) {
	if !written || r.Outcome.Refused() {
		return EffectKept, a.value
	}
	r.Object, r.Outcome = object, report.Configured
	return a.effectIn(r)
}

// patchStep removes what is left by a patch, which asks no owner.
func (a *question) patchStep(out *Removal, object map[string]any) {
	effect, after, r := a.withoutIt("ssactl", object)
	if effect == EffectUnknown {
		return
	}
	out.Steps = append(out.Steps, Step{
		Command: a.patchLine(object),
		Outcome: r.Outcome,
		Message: r.Answer().Message,
	})
	out.Effect, out.After = effect, after
}

func (a *question) patchLine(object map[string]any) shell.Line {
	body, err := json.Marshal(ownership.RemoveField(a.Shape, object, a.target()))
	if err != nil {
		return shell.Refused(err)
	}
	return kubectl.Named(a.Server, a.Write.Kind, a.Write.Namespace, a.Write.Name).
		Patch(kubectl.Patch{Type: kubectl.JSONPatch, Subresource: a.subresource(), Body: body})
}
