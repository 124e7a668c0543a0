package settle

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// others are the writers that may undo the write by themselves; none where nobody lost
// anything, and nothing says that another one writes the object. It is false where one may
// of which nothing is known.
func (w Write) others(ctx context.Context) (out []other, known bool) {
	asked := w.Asked
	asked.LiveObject = w.Result.Live
	before, err := ownership.Of(ctx, w.Server, asked)
	if err != nil {
		return nil, true
	}
	known = true
	for _, find := range []func(*ownership.Object) []other{w.autoscalers, w.injectors, w.aggregation, w.rivals} {
		out = append(out, find(before)...)
	}
	for _, e := range w.losers(before) {
		kind := writers.Judge(report.WriterOf(e), w.Result.Manager, "", before.Live)
		switch {
		case slices.ContainsFunc(out, func(o other) bool { return o.manager == e.Manager }):
			// What it writes is known from another object, or from an annotation.
		case kind.Returns != writers.Always && kind.Returns != writers.OnSync:
		case disabled(e.Manager, w.Result.Object):
		case kind.Certain:
			out = append(out, replayed(before, e, kind))
		case w.wroteBack(before, e):
			one := replayed(before, e, kind)
			one.partial = true
			out = append(out, one)
		default:
			known = false
		}
	}
	return out, known
}

// losers are the entries that lose a field by the write, or the value of one.
func (w Write) losers(before *ownership.Object) []managedfields.Entry {
	lost := map[managedfields.Role]bool{}
	for _, t := range w.Result.Transfers {
		role := managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		if t.Kind != report.Overridden && t.Kind != report.TransferRemoved || serverKept(t.Field) || w.own(role) {
			continue
		}
		lost[role] = true
	}
	if len(lost) == 0 {
		return nil
	}
	return slices.DeleteFunc(before.Owners().Readable(), func(e managedfields.Entry) bool { return !lost[e.Role] })
}

// own reports whether an entry is of the program that writes: under its name, or under
// another one of it.
func (w Write) own(role managedfields.Role) bool {
	if role.Manager == w.Result.Manager {
		return true
	}
	m, is := writers.ManagerNamed(role.Manager, role.Operation)
	return is && m.Whole && m.Applies == w.Result.Manager
}

// wroteBack reports whether a writer of which little is known has taken fields after the
// manager had written the object: it does not only make the object, or write what the
// manager leaves open.
func (w Write) wroteBack(before *ownership.Object, e managedfields.Entry) bool {
	if e.Time == nil {
		return false
	}
	wrote := false
	for _, own := range before.Owners().Readable() {
		if !w.own(own.Role) || own.Subresource != e.Subresource || own.Time == nil {
			continue
		}
		if !own.Time.Before(*e.Time) {
			return false
		}
		wrote = true
	}
	return wrote
}

// disabled reports whether an object says that a writer leaves it alone.
func disabled(manager string, object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	const enforcer, off = "admissionsenforcer", "admissions.enforcer/disabled"
	for _, name := range []string{"annotations", "labels"} {
		values, _ := metadata[name].(map[string]any)
		if _, has := values[off]; has && manager == enforcer {
			return true
		}
	}
	return false
}
