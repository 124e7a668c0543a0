package conflict

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Question asks about one field of a live object.
type Question struct {
	// Object names the object: kind, namespace, name, live object, source and
	// time. The rest of the write is not looked at.
	Object engine.Write
	// Path is the field, as Names.Find gives it; Typed as it was asked for.
	Path  fieldpath.Path
	Typed string
	// Inside is Found.Inside.
	Inside bool
	// Manager is whose apply is asked about; empty means one that owns nothing
	// yet.
	Manager string
	// Value is what it applies; nil means some other value than the live one.
	Value *any
}

// anotherManager is the manager of a question that names none.
const anotherManager = "another-manager"

// question is a session about one field.
type question struct {
	*session
	path  fieldpath.Path
	field string
	value Value
	// managing is the parent that is owned as a whole, or the path itself.
	managing fieldpath.Path
	ownedBy  []Owner
	manager  string
	wanted   *any
}

// Ask answers. It always gives a Why: what cannot be simulated is said to be
// unknown.
func Ask(ctx context.Context, server api.Server, q Question) Why {
	a := newQuestion(ctx, server, q)
	out := Why{
		Target:  a.Write.Target(),
		Source:  q.Object.LiveAt(),
		Field:   a.field,
		Typed:   q.Typed,
		Value:   a.value,
		Owners:  a.ownedBy,
		Manager: a.manager,
	}
	out.Notices, out.Caveats = a.notices()
	out.Nature = natureOf(a.Shape, a.path, a.value.Value)
	out.Nature.Deduced = a.Type.Deduced
	out.Inside = q.Inside
	out.Origin, out.Needed = a.origin()
	if out.Origin == OwnedAbove {
		out.Parent = a.managing.String()
	}
	if t := a.target(); len(t) < len(a.path) {
		out.Whole = t.String()
	}
	out.Drops = a.drops()
	out.Applies = a.applies(out.Nature)
	out.Kept = a.kept()
	out.Removal = a.removal()
	return out
}

func newQuestion(ctx context.Context, server api.Server, q Question) *question {
	w := q.Object.WithBody(nil, nil)
	w.Verb, w.Subresource = api.Apply, ""
	s := &session{Object: objectOf(ctx, server, w)}
	a := &question{session: s, path: q.Path, field: q.Path.String(), manager: q.Manager, wanted: q.Value}
	if a.manager == "" {
		a.manager = anotherManager
	}
	a.Write.Manager = a.manager
	a.value = ValueAt(s.Shape, s.Live, a.path)
	a.managing, a.ownedBy = a.owning()
	// What any write changes, such as a default that a newer release has, is no effect of
	// dropping the field.
	a.base = a.First(ownership.By(anotherManager)).Now().Result
	return a
}

// owning gives who owns the field, or the nearest parent that somebody owns as
// a whole.
func (a *question) owning() (fieldpath.Path, []Owner) {
	for n := len(a.path); n > 0; n-- {
		at := a.path[:n]
		out := []Owner{}
		for _, e := range a.Owners().At(at) {
			if n == len(a.path) || managedfields.Below(e.Set, at).Empty() {
				out = append(out, a.owner(e))
			}
		}
		if len(out) > 0 {
			return at, out
		}
	}
	return a.path, []Owner{}
}

func (a *question) owner(e managedfields.Entry) Owner {
	w := report.WriterOf(e)
	return Owner{Writer: w, ManagerKind: writers.Judge(w, "", a.field, a.Live)}
}

// below are the managers that own something below the field, sorted by their
// entries' order.
func (a *question) below() []Owner {
	var out []Owner
	for _, e := range a.Owners().Readable() {
		if !managedfields.Below(e.Set, a.path).Empty() {
			out = append(out, a.owner(e))
		}
	}
	return out
}

// notices are the engine's remarks on the managed fields, told by a write that
// changes nothing.
func (a *question) notices() ([]string, []report.Caveat) {
	w := a.Write.WithBody([]byte("{}"), nil)
	w.Verb = api.MergePatch
	r := a.Simulate(w, a.Live)
	return r.Notices, slices.DeleteFunc(
		slices.Clone(r.Confidence.Reasons),
		func(c report.Caveat) bool { return c.Rule == "" || c.Rule == report.RuleNotGiven },
	)
}

// origin reports where the value comes from, and of one without an owner whether
// the server needs it.
func (a *question) origin() (o Origin, needed bool) {
	switch {
	case managedfields.Untracked(a.path):
		return ServerWritten, false
	case len(a.Owners().Entries) == 0:
		return UntrackedObject, false
	case len(a.ownedBy) > 0 && len(a.managing) < len(a.path):
		return OwnedAbove, false
	case len(a.ownedBy) > 0:
		return Owned, false
	case len(a.below()) > 0:
		return OwnedBelow, false
	case a.value.Missing:
		return Unset, false
	case managedfields.Within(a.field, ".status"):
		return ServerWritten, false
	}
	effect, after, _ := a.withoutIt("ssactl", a.Live)
	if effect == EffectDefault && reflect.DeepEqual(after, a.value) {
		return Default, false
	}
	return Unowned, effect == EffectRefused
}

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

// tryApply is the manager's next apply with a value for the field: of what it applied last,
// or of the bare object.
func (a *question) tryApply(v any, same bool) Apply {
	next := a.First(managedfields.Role{Manager: a.manager, Operation: managedfields.Apply, Subresource: a.subresource()})
	for _, e := range a.Owners().Readable() {
		if e.Manager != a.manager || e.Operation != managedfields.Apply || e.Subresource != "" {
			continue
		}
		if last, err := a.Last(e); err == nil && last.Write.Kind == a.Write.Kind {
			next = last
			break
		}
	}
	r := next.With(a.path, v).Now()
	return Apply{Value: v, Same: same, Answer: r.Answer(), With: r.Against()}
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
		return text.New(
			"%v still owns it by its Apply entry: no apply without it has arrived yet. Even then it stays: %v %v it too.",
			manager,
			text.List(names, maxManagers, text.By),
			text.Agree(len(names), "owns", "own"),
		)
	case applies:
		return text.New(
			"%v still owns it by its Apply entry: no apply without it has arrived yet under this manager name.",
			manager,
		)
	case updates:
		return text.New(
			program.In(
				"%v owns it as an Update manager only, from client-side writes. An apply removes only what the manager's Apply entry has: migrate the entry first (ssactl migrate), then take the field out.",
			),
			manager,
		)
	}
	return text.New("%v does not own it: removing it from the manifest changes nothing.", manager)
}

// keptBy is how an owner keeps the field that its next write would not remove.
func (a *question) keptBy(owner Owner, manager text.Arg) text.Text {
	switch {
	case owner.Operation == managedfields.Apply:
		return text.Text{}
	case owner.ManagerKind.Kind == writers.ClientSide:
		return text.New(
			program.In("%v owns it from client-side apply%v: no server-side apply removes it. ssactl migrate moves its fields."),
			manager,
			a.lastAppliedHas(),
		)
	case owner.ManagerKind.Kind == writers.Bookkeeping, owner.ManagerKind.Returns == writers.Never:
		return text.New(
			"%v owns it by an update, and never comes back to drop it: it stays until it, or the entry, is removed.",
			manager,
		)
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
		return text.New(
			" (a client-side kubectl apply without it would remove it: its last-applied annotation has the field)",
		)
	}
	return text.New(
		" (not even a client-side kubectl apply would remove it: its last-applied annotation does not have the field)",
	)
}
