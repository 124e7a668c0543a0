package migrate

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/ownership"
)

// wish is an object of which somebody wishes every field: a manifest, or what
// an annotation or an entry tells of one.
type wish struct {
	object  map[string]any
	version string
	set     *fieldpath.Set
}

// newWish reads the fields of an object. Where no schema is known, how lists
// are cut is told by the paths that the entries own.
func newWish(w World, object map[string]any, owned *fieldpath.Set) (*wish, error) {
	version, _ := object["apiVersion"].(string)
	out := &wish{object: object, version: version}
	t := w.Type(version)
	if t.Deduced {
		out.set = saidPaths(object, owned)
		return out, nil
	}
	set, err := setOf(t, object)
	if err != nil {
		return nil, err
	}
	out.set = set
	return out, nil
}

// saidPaths are the owned paths for which the object has a value.
func saidPaths(object map[string]any, owned *fieldpath.Set) *fieldpath.Set {
	set := fieldpath.NewSet()
	owned.Iterate(func(p fieldpath.Path) {
		if ownership.Lookup(object, p) != nil && !identity.Has(p) && !p.Equals(lastAppliedPath) {
			set.Insert(p.Copy())
		}
	})
	return set
}

// at tells the wish in the terms of a version.
func (w *wish) at(world World, version string) *fieldpath.Set {
	return convert(world, w.set, w.version, version).set
}

// agrees tells whether the live object has, at a path of the wish, what the
// wish says; of an item or map it is enough to be there.
func (w *wish) agrees(shape ownership.Shape, live map[string]any, p fieldpath.Path, leaf bool) bool {
	said, is := shape.Lookup(w.object, p), shape.Lookup(live, p)
	if len(is) == 0 || len(said) == 0 {
		return false
	}
	return !leaf || sameValues(said, is)
}

// overlap counts the leaves of a set that an entry owns, of all.
type overlap struct{ owned, all int }

func overlapOf(set *fieldpath.Set, entry ownership.Entry) overlap {
	var o overlap
	set.Leaves().Iterate(func(p fieldpath.Path) {
		o.all++
		if ownership.Covers(entry.Set, p) {
			o.owned++
		}
	})
	return o
}

// most tells whether it is half of them at least.
func (o overlap) most() bool { return o.all > 0 && 2*o.owned >= o.all }

func (o overlap) String() string { return fmt.Sprintf("%d of the %d fields", o.owned, o.all) }
