package risk

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// unfinalized is for finalizers that a write removes: their controllers clean up before an object goes,
// and now do not learn of it.
func (f *finder) unfinalized() []report.Finding {
	const field = ".metadata.finalizers"
	is := finalizersOf(f.Object)
	gone := slices.DeleteFunc(finalizersOf(f.Live), func(name string) bool {
		// The server sets these for the time of a deletion.
		return slices.Contains(is, name) || name == "orphan" || name == "foregroundDeletion"
	})
	if len(gone) == 0 || f.Object == nil {
		return nil
	}
	at := f.changedIn(field)
	later := text.New("when the object is deleted later, it goes without the cleanup that %v for",
		text.Agree(len(gone), "it stands", "they stand"))
	if marked(f.Live) {
		later = text.New("the object is being deleted, and goes without the cleanup that %v for",
			text.Agree(len(gone), "it stands", "they stand"))
	}
	return []report.Finding{f.risk(FinalizerRemoved, at, f.Manager, text.New("the write removes %v %v: %v",
		text.Agree(len(gone), "the finalizer", "the finalizers"), text.Names(gone), later))}
}

// uninjected is for an object from which the write takes the annotation by which an injector writes CA
// bundles into it: they stay, and are not renewed.
func (f *finder) uninjected() []report.Finding {
	was := writers.InjectorOf(f.Live)
	if was.Name == "" || f.Object == nil || writers.InjectorOf(f.Object).Name == was.Name || !was.Writes(f.kind()) {
		return nil
	}
	bundles := 0
	for _, row := range f.ownership() {
		if writers.IsInjected(row.Field) {
			bundles++
		}
	}
	if bundles == 0 {
		return nil
	}
	for _, c := range f.Changes {
		if !managedfields.Within(c.Field, ".metadata.annotations") || c.Kind == report.Added ||
			c.Field != ".metadata.annotations" && !strings.Contains(c.Field, "inject-") {
			continue
		}
		return []report.Finding{f.risk(InjectionStops, c.Field, f.Manager, text.New(
			"%v no longer renews the %v of the object: once the CA changes, calls that rely on it fail",
			text.Name(was.Name), text.Count(bundles, "CA bundle")))}
	}
	return nil
}

// paused is for a changed template of Pods that are not replaced, since another manager has paused the
// rollout.
func (f *finder) paused() []report.Finding {
	var field, within, says string
	switch f.kind() {
	case schema.GroupKind{Group: "apps", Kind: "Deployment"}, schema.GroupKind{Group: "argoproj.io", Kind: "Rollout"}:
		field, within = "paused", ".spec.template"
		says = "the write changes the Pod template, and no Pod gets it: the rollout is paused, by %v"
	case schema.GroupKind{Group: "batch", Kind: "CronJob"}:
		field, within = "suspend", ".spec.jobTemplate"
		says = "the write changes the template of its Jobs, and none is started: the CronJob is suspended, by %v"
	default:
		return nil
	}
	if f.Live == nil || fieldtree.Value(f.Live, "spec", field) != true ||
		fieldtree.Value(f.Object, "spec", field) != true ||
		!slices.ContainsFunc(f.Changes, func(c report.Change) bool {
			return managedfields.Within(c.Field, within) && c.Reason != report.ReasonDefaulted
		}) {
		return nil
	}
	for _, row := range f.ownership() {
		if row.Field != ".spec."+field {
			continue
		}
		if slices.ContainsFunc(row.Managers, func(w report.Writer) bool { return w.Manager == f.Manager }) {
			return nil
		}
		return []report.Finding{f.risk(RolloutPaused, row.Field, row.Managers[0].Manager,
			text.New(says, text.By(row.Managers[0].Manager)))}
	}
	return nil
}
