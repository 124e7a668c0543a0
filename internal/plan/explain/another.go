package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// applies simulates the manager's apply of the live value and of another one.
// Items, and maps and lists of which the parts have owners, are no one value:
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
	out.Says = saysApply(out, a.ownedBy, a.manager)
	if len(a.owners.Entries) == 0 && !out.Outcome.Refused() {
		out.Says = "accepted: it shares the field with " + managedfields.BeforeFirstApply + "."
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

func saysApply(a Apply, owners []Owner, manager string) string {
	alone := len(owners) == 0 || len(owners) == 1 && owners[0].Manager == manager && owners[0].Operation == managedfields.Apply
	switch {
	case a.Outcome == report.Conflicted:
		return fmt.Sprintf("refused with a conflict with %s; with force it takes the field over.", strings.Join(a.With, " and "))
	case a.Outcome.Refused():
		return fmt.Sprintf("no conflict, but the server refuses the value (%d).", a.Code)
	case a.Same && alone:
		return "accepted: it owns the field alone, and nothing changes."
	case a.Same:
		return fmt.Sprintf("accepted: it shares the field with %s, and nothing changes.", joined(owners))
	case alone:
		return "accepted: no other manager holds the field."
	case manager == "kubectl":
		return "accepted without a conflict: the server lets the manager kubectl, and only it, past values that its last-applied annotation explains."
	}
	return "accepted."
}

// joined names owners in a sentence.
func joined(owners []Owner) string { return strings.Join(managers(owners), " and ") }

// kept says why the field is still there though it was taken out of a
// manifest: an apply removes only what the manager's own Apply entry has and
// nobody else does (structured-merge-diff, merge/update.go: prune).
func (a *question) kept() []string {
	out := []string{}
	if a.value.Missing || managedfields.Untracked(a.path) {
		return out
	}
	if a.manager != anotherManager {
		out = append(out, a.keptFrom(a.manager))
	}
	for _, h := range a.concerned() {
		if s := a.keeps(h); s != "" && h.Manager != a.manager {
			out = append(out, s)
		}
	}
	if len(a.concerned()) == 0 {
		out = append(out, "No manager owns it, and an apply removes only what the manager applied before: taking it out of a manifest does nothing.")
	}
	return out
}

// keptFrom is about the manager that is asked about.
func (a *question) keptFrom(manager string) string {
	var applied, updated *Owner
	for _, h := range a.concerned() {
		switch {
		case h.Manager == manager && h.Operation == managedfields.Apply:
			applied = &h
		case h.Manager == manager:
			updated = &h
		}
	}
	others := joined(slices.DeleteFunc(a.concerned(), func(h Owner) bool { return h.Manager == manager }))
	switch {
	case applied != nil && others != "":
		return fmt.Sprintf("%s still owns it by its Apply entry, so that no apply without it has arrived yet; even then it stays, as %s owns it too.", manager, others)
	case applied != nil:
		return fmt.Sprintf("%s still owns it by its Apply entry: no apply without it has arrived yet under this manager name.", manager)
	case updated != nil:
		return fmt.Sprintf("%s owns it as an Update manager only, from client-side writes. An apply removes only what the manager's Apply entry has: migrate the entry first (ssactl migrate), then take the field out.", manager)
	}
	return fmt.Sprintf("%s has no part in it: an apply removes only what the manager applied before and nobody else owns.", manager)
}

// keeps says how an owner keeps the field in the object.
func (a *question) keeps(h Owner) string {
	switch {
	case h.Operation == managedfields.Apply:
		return fmt.Sprintf("%s applies it: it stays until %s applies a manifest without it.", h.Manager, h.Manager)
	case h.ManagerKind.Kind == ClientSide:
		return fmt.Sprintf("%s owns it from the time of client-side apply%s: nobody drops it in its place. ssactl migrate hands its fields over.", h.Manager, a.lastAppliedHas())
	case h.ManagerKind.Kind == Bookkeeping, h.ManagerKind.Returns == Never:
		return fmt.Sprintf("%s owns it by an update, and never comes back to drop it: it stays until somebody removes it or the entry.", h.Manager)
	}
	return fmt.Sprintf("%s owns it by updates: it stays until an update or patch leaves it out.", h.Manager)
}

// lastAppliedHas reports what the annotation of client-side apply says of the
// field.
func (a *question) lastAppliedHas() string {
	metadata, _ := a.live["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	note, _ := annotations["kubectl.kubernetes.io/last-applied-configuration"].(string)
	var applied map[string]any
	if json.Unmarshal([]byte(note), &applied) != nil {
		return ""
	}
	if a.shape.Has(applied, a.path) {
		return " (its last-applied annotation has the field, so that a client-side kubectl apply without it would remove it)"
	}
	return " (its last-applied annotation does not have the field, so that not even a client-side kubectl apply would remove it)"
}
