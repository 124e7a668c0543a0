package migration

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/server/api"
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

// newWish reads the fields that an apply of a manifest owns. The server tells:
// it lets a manager of its own apply it to the live object. Where it refuses,
// the schema tells, and where none is known, the paths that entries own.
func newWish(o *ownership.Object, manifest map[string]any, owned *fieldpath.Set) (*wish, error) {
	version, _ := manifest["apiVersion"].(string)
	w := &wish{object: manifest, version: version}
	t := o.TypeAt(version)
	if t.Deduced {
		w.set = saidPaths(manifest, owned)
		return w, nil
	}
	if w.set = probed(o, manifest); w.set != nil {
		return w, nil
	}
	// What the schema says that an apply owns: but for the identity, the status, and the
	// annotation (apimachinery, managedfields/internal/structuredmerge.go and stripmeta.go).
	set, err := guard.Value(func() (*fieldpath.Set, error) {
		tv, err := t.FromUnstructured(manifest, typed.AllowDuplicates)
		if err != nil {
			return nil, err
		}
		return tv.ToFieldSet()
	})
	if err == nil {
		w.set = tracked(set)
	}
	return w, err
}

// probed is what the server says that an apply of a manifest owns; nil where it refuses
// the apply.
func probed(o *ownership.Object, manifest map[string]any) *fieldpath.Set {
	stored := withForce(o.Sending(ownership.By(probe), manifest).To(o.Live))
	if stored == nil {
		return nil
	}
	for _, e := range managedfields.Of(stored).Readable() {
		if e.Manager == probe && e.APIVersion == manifest["apiVersion"] {
			return e.Set.Difference(lastAppliedSet)
		}
	}
	return fieldpath.NewSet()
}

// withForce is the object of an apply, with force where it conflicts; nil where the
// server refuses that too.
func withForce(n ownership.Next) map[string]any {
	if n.Forced != nil {
		return n.Forced.Object
	}
	return n.Object
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
func (w *wish) at(o *ownership.Object, version string) *fieldpath.Set {
	return convert(o, w.set, w.version, version).set
}

// compared is a wish beside the live object, cut alike.
type compared struct {
	wish  *wish
	live  map[string]any
	shape managedfields.Shape
	find  managedfields.Finder
}

// at are the values of a path in both.
func (c *compared) at(p fieldpath.Path) (said, is []any) {
	return c.find.Lookup(c.shape, c.wish.object, p), c.find.Lookup(c.shape, c.live, p)
}

// agree reports whether the live object has, at a path of the wish, what the
// wish says; of an item or map it is enough to be there.
func (c *compared) agree(p fieldpath.Path, leaf bool) bool {
	said, is := c.at(p)
	return len(is) > 0 && len(said) > 0 && (!leaf || sameValues(said, is))
}

// storesNothing reports whether a wished value is one that the server stores
// nothing for: the field is still owned.
func (c *compared) storesNothing(p fieldpath.Path) bool {
	said, is := c.at(p)
	if len(said) != 1 || len(is) > 0 {
		return false
	}
	switch v := said[0].(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return said[0] == nil || said[0] == false || said[0] == "" || said[0] == int64(0) || said[0] == float64(0)
}

// respelled reports whether the one live value can be the server's spelling of what is
// wished: an equal quantity, or the same with defaults filled in.
func (c *compared) respelled(p fieldpath.Path) bool {
	said, is := c.at(p)
	return len(said) == 1 && len(is) == 1 && ownership.Extends(is[0], said[0], func(a, b any) bool { return same(a, b) || sameQuantity(a, b) })
}

func sameQuantity(a, b any) bool {
	x, readable := quantityOf(a)
	y, too := quantityOf(b)
	return readable && too && x.Cmp(y) == 0
}

// quantityOf reads a value of any kind as a quantity, unless that takes no end.
func quantityOf(v any) (resource.Quantity, bool) {
	text := fmt.Sprint(v)
	if api.EndlessQuantity(text) {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(text)
	return q, err == nil
}
