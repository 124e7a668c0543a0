package risk

import (
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// marked reports whether an object is being deleted: only finalizers, or the time that its
// containers have to stop, keep it.
func marked(object map[string]any) bool {
	return fieldtree.Value(object, "metadata", "deletionTimestamp") != nil
}

// marks reports whether the run marks the object for deletion, and then writes it as it goes.
func (f *finder) marks() bool {
	return f.Operation != report.Delete && !f.Deleted && !f.Recreated && f.Live != nil && marked(f.Object) &&
		!marked(f.Live)
}

// terminating is for a write to an object that is being deleted: what is written goes with it.
func (f *finder) terminating() []report.Finding {
	if f.Operation == report.Delete || f.Recreated || f.Deleted || !marked(f.Live) {
		return nil
	}
	since, _ := fieldtree.Value(f.Live, "metadata", "deletionTimestamp").(string)
	after := text.New("what is applied goes with it")
	if f.Outcome.Refused() {
		after = text.New("a write that is accepted goes with it, too")
	}
	waits := text.Text{}
	if left := finalizersOf(f.Live); len(left) > 0 {
		waits = text.New(", and waits for %v %v", text.Agree(len(left), "the finalizer", "the finalizers"), text.Names(left))
	}
	return []report.Finding{f.risk(Terminating, "", f.Manager,
		text.New("the live object has been marked for deletion since %v%v: %v", text.Name(since), waits, after))}
}

// finalizersOf are those of an object, in their order; nil for none.
func finalizersOf(object map[string]any) []string {
	return objects.Texts(objects.List(object, "metadata", "finalizers"))
}
