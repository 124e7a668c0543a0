package reset

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership"
)

// loss tells what becomes of the leaves that the cleared entries own and the
// object has: without an owner, or still owned by others.
func (c *clearing) loss(out *Clearing, chosen choice, stored map[string]any) {
	lost := fieldpath.NewSet()
	for _, e := range chosen.clear {
		lost = lost.Union(e.Set.Leaves())
	}
	after := ownership.Of(stored)
	for _, owned := range c.owners.Paths() {
		if !lost.Has(owned.Path) || !c.shape.Has(c.live, owned.Path) {
			continue
		}
		holders := after.At(owned.Path)
		if len(holders) == 0 {
			out.Ownerless = append(out.Ownerless, owned.Field)
			continue
		}
		f := engine.FieldOwners{Field: owned.Field}
		for _, h := range holders {
			f.Managers = append(f.Managers, writerOf(h))
		}
		out.Remaining = append(out.Remaining, f)
	}
}
