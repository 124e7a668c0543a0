package clear

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
)

// edited are the entries once a choice is carried out.
func (c *clearing) edited(chosen choice) *ownership.Entries {
	es := ownership.Edit(c.Live)
	for _, e := range chosen.prune {
		es.Prune(ownership.Is(e), c.missing(e))
	}
	for _, e := range chosen.clear {
		es.Remove(ownership.Is(e))
	}
	return es
}

// patch gives the operations that carry a choice out. The resourceVersion is tested first;
// without one, the managers at the places are.
func (c *clearing) patch(chosen choice) ([]Operation, error) {
	es := c.edited(chosen)
	patch, err := es.Patch()
	if test, ok := ownership.TestVersion(c.Live); ok {
		return append([]Operation{test}, patch...), err
	}
	if len(chosen.clear) == len(c.Owners.Entries) {
		return patch, err
	}
	return append(es.Guards(ownership.Manager), patch...), err
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
