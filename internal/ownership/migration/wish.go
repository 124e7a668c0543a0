package migration

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/text"
)

// wish is an object whose fields are all desired: a manifest, or what
// an annotation or an entry tells of one.
type wish struct {
	object  map[string]any
	version string
	set     *fieldpath.Set
}

// probe is a field manager that no object has.
const probe = "ssactl-probe"

// newWish reads the fields that an apply of the object owns. The server tells:
// it lets a manager of its own apply it to the live object. Where it refuses,
// the schema tells, and where none is known, the paths that entries own.
func newWish(w *ownership.Object, object, live map[string]any, owned *fieldpath.Set) (*wish, error) {
	version, _ := object["apiVersion"].(string)
	out := &wish{object: object, version: version}
	t := w.TypeAt(version)
	if t.Deduced {
		out.set = saidPaths(object, owned)
		return out, nil
	}
	if set, ok := probed(w, object, live); ok {
		out.set = set
		return out, nil
	}
	set, err := setOf(t, object)
	if err != nil {
		return nil, err
	}
	out.set = set
	return out, nil
}

// probed is what the server says that an apply of the object owns; false where
// it refuses the apply.
func probed(w *ownership.Object, object, live map[string]any) (*fieldpath.Set, bool) {
	r := w.Sending(ownership.By(probe), object).To(live)
	stored := r.Object
	if r.Forced != nil {
		stored = r.Forced.Object
	}
	if stored == nil {
		return nil, false
	}
	for _, e := range managedfields.Of(stored).Readable() {
		if e.Manager == probe && e.APIVersion == object["apiVersion"] {
			return e.Set.Difference(fieldpath.NewSet(lastAppliedPath)), true
		}
	}
	return fieldpath.NewSet(), true
}

// saidPaths are the owned paths for which the object has a value.
func saidPaths(object map[string]any, owned *fieldpath.Set) *fieldpath.Set {
	set := fieldpath.NewSet()
	var find managedfields.Finder
	owned.Iterate(func(p fieldpath.Path) {
		if find.Lookup(managedfields.Shape{}, object, p) != nil && !managedfields.Untracked(p) && !p.Equals(lastAppliedPath) {
			set.Insert(p.Copy())
		}
	})
	return set
}

// at is the wish in the terms of a version.
func (w *wish) at(world *ownership.Object, version string) *fieldpath.Set {
	return convert(world, w.set, w.version, version).set
}

// agrees reports whether the live object has, at a path of the wish, what the
// wish says; of an item or map it is enough to be there.
func (w *wish) agrees(find *managedfields.Finder, shape managedfields.Shape, live map[string]any, p fieldpath.Path, leaf bool) bool {
	said, is := find.Lookup(shape, w.object, p), find.Lookup(shape, live, p)
	if len(is) == 0 || len(said) == 0 {
		return false
	}
	return !leaf || sameValues(said, is)
}

// overlap counts the leaves of a set that an entry owns, of all.
type overlap struct{ owned, all int }

func overlapOf(set *fieldpath.Set, entry managedfields.Entry) overlap {
	owned, all := managedfields.Share(entry.Set, set)
	return overlap{owned, all}
}

// most reports whether it is half of them at least.
func (o overlap) most() bool { return o.all > 0 && 2*o.owned >= o.all }

func (o overlap) says() text.Text {
	switch {
	case o.owned < o.all:
		return text.New("%v of the %v", text.Number(o.owned), text.Count(o.all, "field"))
	case o.all == 1:
		return text.New("the only field")
	}
	return text.New("all %v", text.Count(o.all, "field"))
}
