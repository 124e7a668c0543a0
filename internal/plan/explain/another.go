package explain

import (
	"encoding/json"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
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
	w, body := a.nextBody()
	r := a.simulate(w, fieldtree.With(a.shape, body, a.path, v))
	out := Apply{Value: v, Same: same, Answer: r.Answer()}
	for _, c := range r.Conflicts {
		if !slices.Contains(out.With, c.Manager) {
			out.With = append(out.With, c.Manager)
		}
	}
	return out
}

// nextBody is what the manager applies without the field in question: what it
// applied last, or the bare object.
func (a *question) nextBody() (engine.Write, any) {
	for _, e := range a.owners.Readable() {
		if e.Manager != a.manager || e.Operation != managedfields.Apply || e.Subresource != "" {
			continue
		}
		if w, body, err := a.lastApplied(report.WriterOf(e)); err == nil && w.Kind == a.write.Kind {
			return w, body
		}
	}
	w := a.write
	w.Verb, w.Subresource = api.Apply, a.subresource()
	return w, extract.Empty(a.live)
}

// keeps are why the field is still there though it was taken out of a manifest: an
// apply removes only what the manager's own Apply entry has and nobody else does
// (structured-merge-diff, merge/update.go: prune).
func (a *question) keeps() []Keep {
	if a.value.Missing || managedfields.Untracked(a.path) {
		return nil
	}
	var out []Keep
	if a.manager != anotherManager {
		out = append(out, a.keptFrom(a.manager))
	}
	for _, owner := range a.concerned() {
		if owner.Manager != a.manager {
			out = append(out, Keep{Kind: a.keptBy(owner), Manager: owner.Manager})
		}
	}
	if len(a.concerned()) == 0 {
		out = append(out, Keep{Kind: OwnedByNobody})
	}
	return out
}

// keptFrom is about the manager that is asked about.
func (a *question) keptFrom(manager string) Keep {
	out := Keep{Kind: NotOwned, Manager: manager}
	var others []Owner
	for _, owner := range a.concerned() {
		switch {
		case owner.Manager != manager:
			others = append(others, owner)
		case owner.Operation == managedfields.Apply:
			out.Kind = AppliedStill
		case out.Kind == NotOwned:
			out.Kind = UpdatedOnly
		}
	}
	out.Others = Managers(others)
	return out
}

// keptBy is how an owner keeps the field in the object.
func (a *question) keptBy(owner Owner) KeepKind {
	switch {
	case owner.Operation == managedfields.Apply:
		return AppliedByOther
	case owner.ManagerKind.Kind == ClientSide:
		return a.lastAppliedHas()
	case owner.ManagerKind.Kind == Bookkeeping, owner.ManagerKind.Returns == Never:
		return NeverDropped
	}
	return UpdatedByOther
}

// lastAppliedHas is what the annotation of client-side apply says of the field.
func (a *question) lastAppliedHas() KeepKind {
	metadata, _ := a.live["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	note, _ := annotations["kubectl.kubernetes.io/last-applied-configuration"].(string)
	var applied map[string]any
	switch {
	case json.Unmarshal([]byte(note), &applied) != nil:
		return FromClientSide
	case a.shape.Has(applied, a.path):
		return FromClientSideHas
	}
	return FromClientSideLacks
}
