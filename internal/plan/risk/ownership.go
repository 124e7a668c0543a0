package risk

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
)

// taken are the fields that a forced apply takes from others. One whose owner writes
// again by itself is worse: the two keep changing it in turn.
func (f *finder) taken() []report.Risk {
	if !f.Force {
		return nil
	}
	var out []report.Risk
	former, all := f.takeover()
	for _, t := range f.Transfers {
		if t.Kind != report.Overridden {
			continue
		}
		if all && t.Manager == former.Manager && t.Operation == former.Operation && t.Subresource == former.Subresource {
			continue
		}
		// What changes as a whole is atomic.
		rule := TakenByForce
		if c, ok := f.change(t.Field); ok && managedfields.Composite(c.Before) {
			rule = AtomicReplaced
		}
		writer := report.Writer{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		kind := f.returning(writer)
		r := f.risk(rule, t.Field, t.Manager, report.Fact{Kind: kind, Manager: t.Manager})
		if kind == SetsBack || kind == MaySetBack || kind == SyncsBack {
			r.Severity = report.SeverityError
		}
		out = append(out, r)
	}
	return out
}

// handedOver is the takeover of the object, if force makes it one.
func (f *finder) handedOver() []report.Risk {
	former, all := f.takeover()
	if !all {
		return nil
	}
	fact := report.Fact{Kind: TakesObject, Manager: former.Manager, Others: []string{f.Manager}}
	for _, t := range f.Transfers {
		if t.Kind == report.Overridden && t.Manager == former.Manager {
			fact.Count++
		}
	}
	if fact.Count == 0 {
		return nil
	}
	return []report.Risk{f.risk(Takeover, "", former.Manager, fact)}
}

// takeover is the entry of whom a forced apply takes the object over from; false for
// none.
func (f *finder) takeover() (report.Writer, bool) {
	if !f.Force {
		return report.Writer{}, false
	}
	role := managedfields.Role{Manager: f.Manager, Operation: managedfields.Apply, Subresource: f.Target.Subresource}
	manifest := managedfields.Of(f.Object).Roles()[role]
	if manifest == nil {
		return report.Writer{}, false
	}
	return explain.TakenOver(f.Manager, manifest, managedfields.Of(f.Live))
}

// returning is what a manager does after a field was taken from it.
func (f *finder) returning(w report.Writer) report.FactKind {
	switch manager := explain.ManagerKindOf(w, f.Manager); manager.Returns {
	case explain.Always:
		if manager.Kind == explain.OtherWriter {
			return MaySetBack
		}
		return SetsBack
	case explain.OnSync:
		return SyncsBack
	case explain.OnRun:
		return RunsBack
	}
	return Loses
}

// removedWithOthers are the fields of others that go with what the write removes.
func (f *finder) removedWithOthers() []report.Risk {
	var out []report.Risk
	for _, t := range f.Transfers {
		if t.Kind == report.TransferRemoved && t.Manager != f.Manager {
			out = append(out, f.risk(RemovedWithOthers, t.Field, t.Manager, report.Fact{Kind: GoesAlong, Manager: t.Manager}))
		}
	}
	return out
}

// dropped are the fields that the manager drops, and that stay.
func (f *finder) dropped() []report.Risk {
	if f.Operation != report.Apply {
		return nil
	}
	var owners map[string][]report.Writer
	var out []report.Risk
	for _, t := range f.Transfers {
		if t.Kind != report.Relinquished || t.Manager != f.Manager {
			continue
		}
		if owners == nil {
			owners = f.owners()
		}
		if len(owners[t.Field]) == 0 {
			continue
		}
		other := owners[t.Field][0].Manager
		out = append(out, f.risk(DroppedStays, t.Field, other, report.Fact{Kind: OwnsItToo, Manager: other}))
	}
	return out
}

// owners are those of each field after the write.
func (f *finder) owners() map[string][]report.Writer {
	owners := map[string][]report.Writer{}
	for _, row := range f.ownership() {
		owners[row.Field] = row.Managers
	}
	return owners
}
