package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// toMigrate is a live object with its manifest.
type toMigrate struct {
	live     *live.Object
	manifest *manifest.Document
	err      error
}

// pairedToMigrate pairs the live objects with their manifests, in the order of the
// index: those of the namespace, where one is given. Manifests without a live
// object are remarked on.
func pairedToMigrate(c *cluster.Cluster, wanted []input.ObjectName) ([]toMigrate, error) {
	manifests, twice := manifestsByKey(c)
	objects, err := c.Named(wanted)
	if err != nil {
		return nil, err
	}
	var out []toMigrate
	for _, o := range objects {
		t := toMigrate{live: o, manifest: manifests[o.Key], err: twice[o.Key]}
		if _, err := c.Live.Get(o.Key); err != nil {
			t.err = err
		}
		out = append(out, t)
	}
	for _, u := range c.Unpaired(c.Manifests) {
		c.Notices = append(c.Notices, u.String())
	}
	return out, nil
}

// checkSubresource rejects the name of a subresource that has nothing to migrate and is
// not one that most kinds have.
func checkSubresource(name string, subjects []toMigrate) error {
	if name == "" || name == "status" || name == "scale" {
		return nil
	}
	for _, t := range subjects {
		// Of one that cannot be read, its answer tells.
		object, err := t.live.Decode()
		if err != nil || slices.ContainsFunc(managedfields.Of(object).Entries, func(e managedfields.Entry) bool { return e.Subresource == name }) {
			return nil
		}
	}
	return fmt.Errorf("--subresource %q: no live object has an entry of it; use status or scale, or leave it out for the object itself", name)
}

// manifestsByKey are the manifests by the object that they are; two of one
// object are an error of that object.
func manifestsByKey(c *cluster.Cluster) (map[live.Key]*manifest.Document, map[live.Key]error) {
	manifests, twice := map[live.Key]*manifest.Document{}, map[live.Key]error{}
	for i, d := range c.Manifests {
		key := c.Scope.Key(d.Identity)
		if before := manifests[key]; before != nil {
			twice[key] = fmt.Errorf("two manifests are %s: one at %s, one at %s", key, before.Source, d.Source)
			continue
		}
		manifests[key] = &c.Manifests[i]
	}
	return manifests, twice
}

// object is the one that is to be migrated, by its identity.
func (t toMigrate) object() migration.Object {
	return migration.Object{
		Target: report.Target{APIVersion: t.live.APIVersion, Kind: t.live.Kind, Namespace: t.live.Key.Namespace, Name: t.live.Name},
		Source: report.Source(t.live.Source),
	}
}

func migrationOf(ctx context.Context, c *cluster.Cluster, t toMigrate, options migration.Options) migration.Migration {
	object := t.object()
	decoded, err := t.live.Decode()
	if err == nil {
		err = cmp.Or(t.err, c.Undefined(input.KindOf(t.live.Identity)))
	}
	object.Live = decoded
	if err == nil && t.manifest != nil {
		source := report.Source(t.manifest.Source)
		object.ManifestSource = &source
		object.Manifest, err = decodeManifest(t.manifest)
	}
	if err != nil {
		return migration.Failure(object, err)
	}
	return migration.Run(ctx, c.Server, object, options, c.Now)
}
