package clear

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// loss sorts, by what happens to them, the leaves that the cleared entries own and the
// object has: without an owner, or still owned by others. Fields are reported in
// the terms of the entry's API version.
func (c *clearing) loss(ctx context.Context, out *Clearing, chosen choice, stored map[string]any) {
	at := managedfields.Of(stored).Index()
	told := map[string]bool{}
	for _, e := range chosen.clear {
		live, shape := c.at(ctx, e.APIVersion)
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
			f := report.FieldOwners{Field: field}
			for _, o := range owners {
				f.Managers = append(f.Managers, report.WriterOf(o))
			}
			out.Remaining = append(out.Remaining, f)
		})
	}
	slices.Sort(out.Ownerless)
	slices.SortFunc(out.Remaining, func(a, b report.FieldOwners) int { return cmp.Compare(a.Field, b.Field) })
}

// at is the live object at an entry's API version, or as it is where it cannot
// be reported at that.
func (c *clearing) at(ctx context.Context, apiVersion string) (map[string]any, managedfields.Shape) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || c.unserved(apiVersion) || apiVersion == c.live["apiVersion"] {
		return c.live, c.shape
	}
	kind := gv.WithKind(c.object.Kind.Kind)
	live, err := extract.LiveAt(ctx, c.server, c.object, kind)
	if err != nil {
		return c.live, c.shape
	}
	return live, managedfields.ShapeOf(c.server.Types(kind).ParseableType)
}
