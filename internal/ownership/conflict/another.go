package conflict

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/text"
)

// applies simulates the manager's apply of the live value and of another one.
// Items, and maps and lists whose parts have owners, are no single value:
// nothing is tried for them.
func (a *question) applies(n Nature) []Apply {
	out := []Apply{}
	if managedfields.Untracked(a.path) || n.Kind != Scalar && n.Kind != AtomicMap && n.Kind != AtomicList {
		return out
	}
	if len(a.managing) < len(a.path) {
		return out
	}
	if !a.value.Missing {
		out = append(out, a.tryApply(a.value.Value, true))
	}
	if a.wanted != nil {
		return append(out, a.tryApply(*a.wanted, sameJSON(*a.wanted, a.value.Value)))
	}
	if other, ok := fieldtree.Other(a.value.Value); ok && !a.value.Missing {
		out = append(out, a.tryApply(other, false))
	}
	return out
}

// tryApply is the manager's next apply with a value for the field.
func (a *question) tryApply(v any, same bool) Apply {
	r := a.nextApplied().With(a.path, v).Now()
	return Apply{Value: v, Same: same, Answer: r.Answer(), With: r.Against()}
}

// nextApplied is what the manager applies without the field in question: what it
// applied last, or the bare object.
func (a *question) nextApplied() ownership.Apply {
	for _, e := range a.Owners.Readable() {
		if e.Manager != a.manager || e.Operation != managedfields.Apply || e.Subresource != "" {
			continue
		}
		if apply, err := a.Last(e); err == nil && apply.Write.Kind == a.Write.Kind {
			return apply
		}
	}
	return a.First(managedfields.Role{Manager: a.manager, Operation: managedfields.Apply, Subresource: a.subresource()})
}

// kept says why the field is still there though it was taken out of a manifest: an
// apply removes only what the manager's own Apply entry has and nobody else does
// (structured-merge-diff, merge/update.go: prune).
func (a *question) kept() []text.Text {
	out := []text.Text{}
	if a.value.Missing || managedfields.Untracked(a.path) {
		return out
	}
	if a.manager != anotherManager {
		out = append(out, a.keptFrom(text.By(a.manager)))
	}
	for _, owner := range a.concerned() {
		if says := a.keptBy(owner, text.By(owner.Manager)); owner.Manager != a.manager && !says.IsZero() {
			out = append(out, says)
		}
	}
	return out
}

// keptFrom is about the manager that is asked about.
func (a *question) keptFrom(manager text.Arg) text.Text {
	var others []Owner
	applies, updates := false, false
	for _, owner := range a.concerned() {
		switch {
		case owner.Manager != a.manager:
			others = append(others, owner)
		case owner.Operation == managedfields.Apply:
			applies = true
		default:
			updates = true
		}
	}
	switch names := Managers(others); {
	case applies && len(names) > 0:
		return text.New("%v still owns it by its Apply entry: no apply without it has arrived yet. Even then it stays: %v %v it too.",
			manager, text.List(names, maxManagers, text.By), text.Agree(len(names), "owns", "own"))
	case applies:
		return text.New("%v still owns it by its Apply entry: no apply without it has arrived yet under this manager name.", manager)
	case updates:
		return text.New(program.In("%v owns it as an Update manager only, from client-side writes. An apply removes only what the manager's Apply entry has: migrate the entry first (ssactl migrate), then take the field out."), manager)
	}
	return text.New("%v does not own it: removing it from the manifest changes nothing.", manager)
}

// keptBy is how an owner keeps the field that its next write would not remove.
func (a *question) keptBy(owner Owner, manager text.Arg) text.Text {
	switch {
	case owner.Operation == managedfields.Apply:
		return text.Text{}
	case owner.ManagerKind.Kind == ClientSide:
		return text.New(program.In("%v owns it from client-side apply%v: no server-side apply removes it. ssactl migrate moves its fields."), manager, a.lastAppliedHas())
	case owner.ManagerKind.Kind == Bookkeeping, owner.ManagerKind.Returns == Never:
		return text.New("%v owns it by an update, and never comes back to drop it: it stays until it, or the entry, is removed.", manager)
	}
	return text.Text{}
}

// lastAppliedHas is what the annotation of client-side apply says of the field.
func (a *question) lastAppliedHas() text.Text {
	note, _ := fieldtree.Value(a.Live, "metadata", "annotations", client.LastApplied).(string)
	var applied map[string]any
	switch {
	case json.Unmarshal([]byte(note), &applied) != nil:
		return text.Text{}
	case a.Shape.Has(applied, a.path):
		return text.New(" (a client-side kubectl apply without it would remove it: its last-applied annotation has the field)")
	}
	return text.New(" (not even a client-side kubectl apply would remove it: its last-applied annotation does not have the field)")
}
