package clear

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
)

// patch gives the operations that carry a choice out. The resourceVersion is tested first;
// without one, the managers at the places are.
func (c *clearing) patch(chosen choice) ([]Operation, error) {
	var guards []Operation
	test, ok := ownership.TestVersion(c.Live)
	if ok {
		guards = []Operation{test}
	}
	if len(chosen.clear) == len(c.Owners.Entries) {
		// Those that no server stores are no entries to remove.
		return append(guards, ownership.ReplaceAll(nil)), nil
	}
	es := ownership.Edit(c.Live)
	for _, e := range chosen.prune {
		es.Prune(ownership.Is(e), c.missing(e))
	}
	for _, e := range chosen.clear {
		es.Remove(ownership.Is(e))
	}
	if !ok {
		guards = es.Guards(ownership.Manager)
	}
	patch, err := es.Patch()
	return append(guards, patch...), err
}

// missing are the paths of an entry that the object does not have.
func (c *clearing) missing(e managedfields.Entry) *fieldpath.Set {
	out := fieldpath.NewSet()
	var find managedfields.Finder
	e.Set.Iterate(func(p fieldpath.Path) {
		if !find.Has(c.Shape, c.Live, p) {
			out.Insert(p.Copy())
		}
	})
	return out
}
