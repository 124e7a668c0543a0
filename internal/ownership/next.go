package ownership

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Next is what a write does to an object in a state.
type Next struct {
	report.Result
	before map[string]any
}

// Left is the object afterwards: as it was, where the write is refused.
func (n Next) Left() map[string]any {
	if n.Object == nil {
		return n.before
	}
	return n.Object
}

// Against are the managers that the write conflicts with, sorted.
func (n Next) Against() []string {
	var out []string
	for _, c := range n.Conflicts {
		out = append(out, c.Manager)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Keepers are the entries that own a field afterwards, or a parent as a whole, in their
// order: it stays for them, whoever drops it.
func Keepers(owners managedfields.Owners, path fieldpath.Path) []report.Writer {
	var out []report.Writer
	for _, e := range owners.Readable() {
		if managedfields.Covers(e.Set, path) {
			out = append(out, report.WriterOf(e))
		}
	}
	return out
}
