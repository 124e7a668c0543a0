package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
)

// hazards are what happens in another order than that of an option, and after it.
func (p *planner) hazards(chosen Option) []Hazard {
	out := []Hazard{}
	add := func(r Hazard, ok bool) {
		if ok {
			out = append(out, r)
		}
	}
	if chosen.Kind != DropOnly && chosen.Kind != WaitForController {
		for _, role := range roles(p.applies) {
			add(p.dropFirst(role))
		}
	}
	for _, role := range roles(p.updates) {
		add(p.deleteFirst(chosen, role))
	}
	if chosen.Kind == HandOverManager {
		add(p.controllerFirst())
	}
	final := p.stages[chosen.Kind][len(chosen.Steps)]
	for _, role := range p.appliers() {
		plain, ok := p.oldManifest(final, role, OldManifest)
		add(plain, ok)
		if plain.Outcome == report.Conflicted {
			add(p.oldManifest(final, role, OldManifestForced))
		}
	}
	return out
}

// appliers are the roles in which the former owner applies a manifest.
func (p *planner) appliers() []managedfields.Role {
	if len(p.applies) == 0 && len(p.updates) == 0 && p.q.FromManifest != nil {
		return []managedfields.Role{{Manager: p.q.From, Operation: managedfields.Apply}}
	}
	return roles(p.applies)
}

// dropFirst is the former owner's apply without the fields to the live object.
func (p *planner) dropFirst(role managedfields.Role) (Hazard, bool) {
	step, w, err := p.drop(role)(p.Live)
	if err != nil {
		return Hazard{}, false
	}
	r := p.hazard(DropFirst, role.Manager, w, p.Live)
	r.Before, r.Likely = len(p.first)+1, returns(step.Manager, managedfields.Apply)
	return r, true
}

// deleteFirst is what a client-side tool sends when the fields leave its
// manifest: a patch that deletes them for all owners. It comes before the
// step that takes them from the tool.
func (p *planner) deleteFirst(chosen Option, role managedfields.Role) (Hazard, bool) {
	i := slices.IndexFunc(chosen.Steps, func(s Step) bool { return s.Kind == Patch && s.Manager == role.Manager })
	if i < 0 {
		return Hazard{}, false
	}
	object := p.stages[chosen.Kind][i]
	var operations []Operation
	for _, s := range p.subjects {
		operations = append(ownership.RemoveField(p.Shape, object, s.path), operations...)
	}
	w, err := p.Patching(role.Manager, role.Subresource, operations)
	if err != nil || len(operations) == 0 || role.Subresource != "" && role.Subresource != "status" {
		return Hazard{}, false
	}
	r := p.hazard(DeleteFirst, role.Manager, w, object)
	r.Before = i + 1
	_, r.Likely = p.annotationWithout(p.Live)
	return r, true
}

// controllerFirst is the controller's write right after the first step, and the
// rest of the option after it.
func (p *planner) controllerFirst() (Hazard, bool) {
	out := Hazard{Kind: ControllerFirst, Manager: p.q.To, Before: len(p.first) + 2, Likely: true}
	current := p.Live
	var set []State
	for i, make := range append([]maker{p.handOver, p.controls}, p.leaving()...) {
		_, w, err := make(current)
		if err != nil {
			return out, false
		}
		r := p.Simulate(w, current)
		out.Attempt, out.With = report.Attempt(r.Answer()), r.Against()
		if i <= 1 && r.Outcome.Refused() {
			return out, false
		}
		if r.Outcome.Refused() {
			out.States, out.Harm = p.states(current), true
			return out, true
		}
		if current = r.Object; i == 1 {
			set = p.states(current)
		}
	}
	out.States = p.states(current)
	for i := range set {
		out.Harm = out.Harm || !same(set[i].Value, out.States[i].Value)
	}
	return out, true
}

// oldManifest is the former owner's apply of what it applied before, to the
// object that an option leaves.
func (p *planner) oldManifest(final map[string]any, role managedfields.Role, kind HazardKind) (Hazard, bool) {
	apply, err := p.configurationAt(p.Live, role, p.q.FromManifest)
	if err != nil {
		return Hazard{}, false
	}
	w, err := apply.Write.Send(apply.Body)
	if err != nil {
		return Hazard{}, false
	}
	w.Force = kind == OldManifestForced
	before := p.states(final)
	r := p.hazard(kind, role.Manager, w, final)
	r.Harm = ownsAny(r.States, p.q.From)
	for i := range before {
		r.Harm = r.Harm || !same(before[i].Value, r.States[i].Value)
	}
	r.Likely = returns(role.Manager, managedfields.Apply) && forces(role.Manager) == w.Force
	return r, true
}

// hazard simulates a write to an object.
func (p *planner) hazard(kind HazardKind, manager string, w engine.Write, object map[string]any) Hazard {
	r := p.Simulate(w, object)
	out := Hazard{Kind: kind, Manager: manager, Attempt: report.Attempt(r.Answer()), With: r.Against(), States: p.states(r.Left())}
	out.Harm = p.changed(out.States)
	return out
}

// returns reports whether a manager is expected to write again by itself.
func returns(manager, operation string) bool {
	who := conflict.ManagerKindOf(report.Writer{Manager: manager, Operation: operation}, "")
	return who.Returns == conflict.Always || who.Returns == conflict.OnSync
}

func applier(manager string) report.Writer {
	return report.Writer{Manager: manager, Operation: managedfields.Apply}
}
