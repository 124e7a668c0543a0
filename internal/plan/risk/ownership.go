package risk

import (
	"fmt"

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
	for _, t := range f.Transfers {
		if t.Kind != report.Overridden {
			continue
		}
		// What changes as a whole is atomic.
		rule, what := TakenByForce, "the field is taken from "+t.Manager
		if c, ok := f.change(t.Field); ok && managedfields.Composite(c.Before) {
			rule, what = AtomicReplaced, "the whole value of "+t.Manager+" is replaced"
		}
		r := f.risk(rule, t.Field, t.Manager, what)
		writer := report.Writer{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		switch manager := explain.ManagerKindOf(writer, f.Manager); manager.Returns {
		case explain.Always:
			if manager.Kind == explain.OtherWriter {
				r.Severity, r.Message = report.SeverityError, what+", which sets it back if it watches the object"
				break
			}
			r.Severity, r.Message = report.SeverityError, what+", which watches the object and sets it back"
		case explain.OnSync:
			r.Severity, r.Message = report.SeverityError, what+", which takes it back with its next sync"
		case explain.OnRun:
			r.Message = what + ", which takes it back when it is run again"
		}
		out = append(out, r)
	}
	return out
}

// removedWithOthers are the fields of others that go with what the write removes.
func (f *finder) removedWithOthers() []report.Risk {
	var out []report.Risk
	for _, t := range f.Transfers {
		if t.Kind == report.TransferRemoved && t.Manager != f.Manager {
			out = append(out, f.risk(RemovedWithOthers, t.Field, t.Manager, "what "+t.Manager+" owns here is removed with it"))
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
		out = append(out, f.risk(DroppedStays, t.Field, other, fmt.Sprintf("the manifest drops the field, and it stays: %s owns it too", other)))
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
