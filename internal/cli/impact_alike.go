package cli

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/server"
)

// findAlike finds the objects that have the same fate. The first of them is asked
// about, for all.
func (o *impactOptions) findAlike(ctx context.Context, c *cluster, objects []*live.Object) {
	if o.sides.old == nil || o.path() == server.FullPath {
		return
	}
	likenesses := map[schema.GroupKind]*impact.Likeness{}
	for _, kind := range o.impacts {
		likenesses[kind.GroupKind] = impact.LikenessOf(kind)
	}
	c.app.bar.Start("comparing", int64(len(objects)), progress.Objects)
	defer c.app.bar.End()
	marks := pool.All(ctx, len(objects), c.jobs, func(_ context.Context, i int) impact.Mark {
		defer c.app.bar.Add(1)
		return guard.Or(func() impact.Mark { return o.mark(likenesses, objects[i]) }, func(error) impact.Mark { return impact.Mark{} })
	})
	firsts := map[impact.Mark]*live.Object{}
	for i, mark := range marks {
		first, found := firsts[mark]
		switch {
		case mark == impact.Mark{}:
		case !found:
			firsts[mark] = objects[i]
		default:
			o.share(ctx, c, first, objects[i])
		}
	}
}

// mark is that of an object; the zero one where it has to be asked about by itself.
func (o *impactOptions) mark(likenesses map[schema.GroupKind]*impact.Likeness, object *live.Object) impact.Mark {
	defer object.Forget()
	kind := kindOf(object.Identity)
	likeness := likenesses[kind.GroupKind()]
	if likeness == nil {
		return impact.Mark{}
	}
	decoded, err := object.Decode()
	if err != nil || !o.sides.old.Accepts(kind, decoded) {
		return impact.Mark{}
	}
	return likeness.MarkOf(decoded)
}

// share has an object share the fate of another.
func (o *impactOptions) share(ctx context.Context, c *cluster, first, object *live.Object) {
	if o.shared == nil {
		o.shared = map[*live.Object]func() affected{}
	}
	if o.shared[first] == nil {
		o.shared[first] = sync.OnceValue(func() affected { return o.simulate(context.WithoutCancel(ctx), c, first) })
	}
	o.shared[object] = o.shared[first]
}
