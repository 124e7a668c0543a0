package risk

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// autoscaled is for replicas that the manager owns after the write though an
// autoscaler writes them, which does so through the scale subresource itself.
func (f *finder) autoscaled() []report.Risk {
	if f.autoscaler == "" || f.Target.Subresource == "status" || f.Manager == writers.ControllerManager || !f.owns(writers.Replicas) {
		return nil
	}
	then := "each apply sets back what was scaled"
	if f.Operation != report.Apply {
		then = "the autoscaler scales again from there"
	}
	return []report.Risk{f.risk(ReplicasAutoscaled, writers.Replicas, f.autoscaler,
		fmt.Sprintf("%s writes replicas, and %s sets them too: %s", f.autoscaler, f.Manager, then))}
}

// owns reports whether the manager owns a field by such writes after this one.
func (f *finder) owns(field string) bool {
	for _, e := range managedfields.Of(f.Object).Entries {
		if e.Err != nil || e.Manager != f.Manager || e.Subresource != f.Target.Subresource || e.Operation != f.entryOperation() {
			continue
		}
		has := false
		e.Set.Iterate(func(p fieldpath.Path) { has = has || p.String() == field })
		if has {
			return true
		}
	}
	return false
}

// entryOperation is that of the managed fields entry of the write.
func (f *finder) entryOperation() string {
	if f.Operation == report.Apply {
		return managedfields.Apply
	}
	return managedfields.Update
}

// injected are the CA bundles that the write owns though an injector writes them.
func (f *finder) injected() []report.Risk {
	by := writers.InjectorOf(f.Object).Name
	if by == "" {
		return nil
	}
	var out []report.Risk
	for _, row := range f.ownership() {
		mine := slices.ContainsFunc(row.Managers, func(w report.Writer) bool { return w.Manager == f.Manager && w.Operation == f.entryOperation() })
		if mine && writers.IsInjected(row.Field) {
			out = append(out, f.risk(InjectedField, row.Field, by, "an annotation has "+by+" write this field, and "+f.Manager+" sets it too: leave it out of the manifest"))
		}
	}
	return out
}
