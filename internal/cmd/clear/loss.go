package clear

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// loss sorts, by what happens to them, the leaves that the cleared entries own and the
// object has: without an owner, or still owned by others. Fields are reported in
// the terms of the entry's API version.
func (c *clearing) loss(out *Clearing, chosen choice, stored map[string]any) {
	at := managedfields.Of(stored).Index()
	told := map[string]bool{}
	for _, e := range chosen.clear {
		live, shape := c.readAt(e.APIVersion)
		var find managedfields.Finder
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			field := p.String()
			if told[field] || !find.Has(shape, live, p) {
				return
			}
			told[field] = true
			owners := at(p)
			if len(owners) == 0 {
				out.Ownerless = append(out.Ownerless, field)
				return
			}
			out.Remaining = append(out.Remaining, report.FieldOwners{Field: field, Managers: report.WritersOf(owners)})
		})
	}
	slices.Sort(out.Ownerless)
	slices.SortFunc(out.Remaining, func(a, b report.FieldOwners) int { return cmp.Compare(a.Field, b.Field) })
}

// readAt is the live object at an entry's API version, or as it is where it cannot be
// read at that.
func (c *clearing) readAt(version string) (map[string]any, managedfields.Shape) {
	live, err := c.At(version)
	if err != nil {
		return c.Live, c.Shape
	}
	return live, managedfields.ShapeOf(c.TypeAt(version).ParseableType)
}
