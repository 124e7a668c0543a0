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
// that nothing is known about.
func (w Write) others(ctx context.Context) (out []other, known bool) {
	asked := w.Asked
	asked.LiveObject = w.Result.Live
	before, err := ownership.Of(ctx, w.Server, asked)
	if err != nil {
		return nil, true
	}
	known = true
	for _, find := range []func(*ownership.Object) ([]other, bool){
		w.autoscalers, w.injectors, w.aggregation, w.enforcers, w.progressive, w.rivals, w.meshes,
	} {
		found, all := find(before)
		out, known = append(out, found...), known && all
	}
	for _, e := range w.losers(before) {
		kind := writers.Judge(report.WriterOf(e), w.Result.Manager, "", before.Live)
		switch {
		case w.unscaled(e):
		case slices.ContainsFunc(out, func(o other) bool { return o.manager == e.Manager }):
			// What it writes is known from another object, or from an annotation.
		case kind.Returns != writers.Always && kind.Returns != writers.OnSync:
		case disabled(e.Manager, w.Result.Object):
		case !w.rewrites(e):
			known = false
		case kind.Certain:
			out = append(out, w.replayed(before, e, kind))
		case w.wroteBack(before, e) || w.generated():
			one := w.replayed(before, e, kind)
			one.partial = true
			out = append(out, one)
		default:
			known = false
		}
	}
	return out, known
}

// unscaled reports whether an entry is that of a HorizontalPodAutoscaler which scales the object no more:
// it goes with the run, or the write leaves the object without replicas, which turns one off that no
// input has.
func (w Write) unscaled(e managedfields.Entry) bool {
	if !writers.ByAutoscaler(e.Manager, e.Subresource) {
		return false
	}
	n, has := replicasOf(w.Result.Object)
	idle := has && n == 0 && len(w.Claims.Scalers(w.Result.Target)) == 0
	return idle || w.Claims.GoingScaler(w.Result.Target) != ""
}

// rewrites reports whether a writer writes a field again that its entry loses.
func (w Write) rewrites(e managedfields.Entry) bool {
	return slices.ContainsFunc(w.Result.Transfers, func(t report.Transfer) bool {
		role := managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		return role == e.Role && w.loses(t) && w.mayWrite(role, t.Field)
	})
}

// mayWrite reports whether a writer that has written a field does so again. The built-in
// controllers share one name, and most write but once: of them, those count that the table of
// writers has.
func (w Write) mayWrite(role managedfields.Role, field string) bool {
	if role.Manager != writers.ControllerManager || role.Subresource != "" {
		return true
	}
	kind := writers.Kind{GroupKind: w.Asked.Kind.GroupKind()}
	kind.Scale = slices.Contains(w.Server.Resource(w.Asked.Kind).Subresources, "scale")
	return writers.Keeps(kind, role.Manager, field)
}

// loses reports whether a transfer takes a field, or the value of one, from another writer.
func (w Write) loses(t report.Transfer) bool {
	return (t.Kind == report.Overridden || t.Kind == report.TransferRemoved) && !serverKept(t.Field)
}

// losers are the entries that lose a field by the write, or the value of one.
func (w Write) losers(before *ownership.Object) []managedfields.Entry {
	lost := map[managedfields.Role]bool{}
	for _, t := range w.Result.Transfers {
		role := managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		if w.loses(t) && !w.own(role) {
			lost[role] = true
		}
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
	self, known := writers.ManagerNamed(w.Result.Manager, managedfields.Update)
	return is && m.Whole && (m.Applies == w.Result.Manager || known && m.Applies != "" && m.Applies == self.Applies)
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

// generated reports whether an object of the inputs has its controller write all of the object: a
// writer that nothing else is known about is likely that one.
func (w Write) generated() bool {
	return slices.ContainsFunc(w.Claims.Of(w.Result.Target), func(c writers.Claim) bool {
		return c.Kind == writers.Generates
	})
}

// disabled reports whether an object says that a writer leaves it alone.
func disabled(manager string, object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	for _, name := range []string{"annotations", "labels"} {
		values, _ := metadata[name].(map[string]any)
		if _, has := values[writers.EnforcerOff]; has && manager == writers.Enforcer {
			return true
		}
	}
	return false
}
