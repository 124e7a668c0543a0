package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// danger finds what happens in another order than that of a chosen option, and after it.
type danger struct {
	planner
	chosen tried
	found  []Hazard
}

// hazards are those of an option.
func (p planner) hazards(chosen tried) []Hazard {
	d := &danger{planner: p, chosen: chosen, found: []Hazard{}}
	if chosen.Kind != DropOnly && chosen.Kind != WaitForController {
		for _, role := range roles(p.applies) {
			d.dropFirst(role)
		}
	}
	for _, role := range roles(p.updates) {
		d.deleteFirst(role)
	}
	if chosen.Kind == HandOverManager {
		d.controllerFirst()
	}
	appliers := roles(p.applies)
	if appliers == nil && len(p.updates) == 0 && p.q.FromManifest != nil {
		appliers = []managedfields.Role{{Manager: p.q.From, Operation: managedfields.Apply}}
	}
	for _, role := range appliers {
		d.oldManifest(role)
	}
	return d.found
}

// after is a hazard of a kind: a write to an object in a state.
func (d *danger) after(kind HazardKind, manager string, w engine.Write, object map[string]any) Hazard {
	r := d.Simulate(w, object)
	out := Hazard{
		Kind:    kind,
		Manager: manager,
		Attempt: report.Attempt(r.Answer()),
		With:    r.Against(),
		States:  d.states(r.Left()),
	}
	for i, f := range d.fields {
		out.Harm = out.Harm || !sameValue(out.States[i].Value, f.value)
	}
	return out
}

// dropFirst is the former owner's apply without the fields to the live object.
func (d *danger) dropFirst(role managedfields.Role) {
	step, w, err := d.drop(role)(d.Live)
	if err != nil {
		return
	}
	h := d.after(DropFirst, role.Manager, w, d.Live)
	h.Before, h.Likely = len(d.first)+1, writesAgain(step.Manager)
	d.found = append(d.found, h)
}

// deleteFirst is what a client-side tool sends when the fields leave its
// manifest: a patch that deletes them for all owners. It comes before the
// step that takes them from the tool.
func (d *danger) deleteFirst(role managedfields.Role) {
	i := slices.IndexFunc(d.chosen.Steps, func(s Step) bool { return s.Kind == Patch && s.Manager == role.Manager })
	if i < 0 || role.Subresource != "" && role.Subresource != "status" {
		return
	}
	object := d.chosen.stages[i]
	var operations []Operation
	for _, f := range d.fields {
		operations = append(ownership.RemoveField(d.Shape, object, f.path), operations...)
	}
	w, err := d.Patching(role.Manager, role.Subresource, operations)
	if err != nil || len(operations) == 0 {
		return
	}
	h := d.after(DeleteFirst, role.Manager, w, object)
	h.Before = i + 1
	_, h.Likely = d.annotationWithout(d.Live)
	d.found = append(d.found, h)
}

// controllerFirst is the controller's write right after the first step, and the
// rest of the option after it.
func (d *danger) controllerFirst() {
	h := Hazard{Kind: ControllerFirst, Manager: d.q.To, Before: len(d.first) + 2, Likely: true}
	current := d.Live
	var set []State
	for i, make := range append([]maker{d.handOver, d.controls}, d.leaving()...) {
		_, w, err := make(current)
		if err != nil {
			return
		}
		r := d.Simulate(w, current)
		h.Attempt, h.With = report.Attempt(r.Answer()), r.Against()
		if r.Outcome.Refused() {
			if i > 1 {
				h.States, h.Harm = d.states(current), true
				d.found = append(d.found, h)
			}
			return
		}
		if current = r.Object; i == 1 {
			set = d.states(current)
		}
	}
	h.States = d.states(current)
	h.Harm = differ(set, h.States)
	d.found = append(d.found, h)
}

// oldManifest is the former owner's apply of what it applied before, to the
// object that the option leaves; with force too, where it conflicts.
func (d *danger) oldManifest(role managedfields.Role) {
	apply, err := d.configurationAt(d.Live, role, d.q.FromManifest)
	if err != nil {
		return
	}
	w, err := apply.Write.Send(apply.Body)
	if err != nil {
		return
	}
	final := d.chosen.stages[len(d.chosen.Steps)]
	before := d.states(final)
	for _, kind := range []HazardKind{OldManifest, OldManifestForced} {
		w.Force = kind == OldManifestForced
		h := d.after(kind, role.Manager, w, final)
		h.Harm = ownsAny(h.States, d.q.From) || differ(before, h.States)
		h.Likely = writesAgain(role.Manager) && applierKind(role.Manager).Forces == w.Force
		d.found = append(d.found, h)
		if h.Outcome != report.Conflicted {
			return
		}
	}
}

// writesAgain reports whether a manager is expected to apply again by itself.
func writesAgain(manager string) bool {
	returns := applierKind(manager).Returns
	return returns == writers.Always || returns == writers.OnSync
}

func applierKind(manager string) writers.ManagerKind {
	return writers.ManagerKindOf(report.Writer{Manager: manager, Operation: managedfields.Apply}, "")
}
