package transfer

import (
	"context"
	"encoding/json"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server/api"
)

// nextOf is how the client of the former owner applies next; nil where that is one apply.
func (o *transferOptions) nextOf(ctx context.Context, c *cluster.Cluster, q Request) (*Next, error) {
	f := o.ClientFlags
	name := o.senderOf(c, q)
	live := func(yield func(map[string]any) bool) { yield(q.Object.LiveObject) }
	made, err := c.MakeClient(&f, name, live)
	if made == nil || err != nil {
		return nil, err
	}
	w := q.Object
	w.Verb, w.Manager = api.Apply, q.From
	made.Plan(ctx, c.Server, []engine.Write{w})
	applied := made.Applied(w)
	if name == "helm" && applied == nil {
		// No revision says what was applied: the manifest does, or what helm owns.
		if applied = deployed(c, q); applied == nil {
			return nil, nil
		}
		if f.Settings.ReleaseManifest, err = json.Marshal(applied); err != nil {
			return nil, err
		}
		if made, err = c.MakeClient(&f, name, live); err != nil {
			return nil, err
		}
		made.Plan(ctx, c.Server, []engine.Write{w})
	}
	return &Next{Client: made, Applied: applied}, nil
}

// senderOf is the client of the former owner: the one that is named, but where it is that of
// the next one, or the one that its name is that of.
func (o *transferOptions) senderOf(c *cluster.Cluster, q Request) string {
	about, is := client.Find(o.Name)
	switch {
	case is && (about.Manager == q.From || about.Manager != q.To):
		return o.Name
	case o.Name != client.Auto:
		return client.None
	case q.From == "helm":
		// An Update entry of helm is that of a release that is applied client-side.
		return "helm"
	}
	return c.Shown(q.From)
}

// deployed is what helm applied last: the manifest, or what its entries have; nil where
// that is not known.
func deployed(c *cluster.Cluster, q Request) map[string]any {
	if q.FromManifest != nil {
		return q.FromManifest.Decoded
	}
	apiVersion, _ := q.Object.Kind.ToAPIVersionAndKind()
	var sets []*fieldpath.Set
	for _, e := range managedfields.Of(q.Object.LiveObject).Readable() {
		if e.Manager == q.From && e.APIVersion == apiVersion && e.Subresource == "" {
			sets = append(sets, e.Set)
		}
	}
	if len(sets) == 0 {
		return nil
	}
	types := c.Server.Types(q.Object.Kind)
	body, err := engine.Extract(types.ParseableType, q.Object.LiveObject, managedfields.Union(slices.Clip(sets)...))
	if err != nil {
		return nil
	}
	return body
}
