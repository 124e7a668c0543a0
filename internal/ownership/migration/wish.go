package migration

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/server/api"
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
	return len(said) == 1 && len(is) == 1 && ownership.Extends(is[0], said[0], func(a, b any) bool {
		x, readable := quantityOf(a)
		y, too := quantityOf(b)
		return same(a, b) || readable && too && x.Cmp(y) == 0
	})
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

// conversion is a set in the terms of another API version.
type conversion struct {
	set *fieldpath.Set
	// lost are the paths, in the terms of the first version, that the live object
	// does not show to be the same field in the other.
	lost *fieldpath.Set
	// unproven is true where the first version is not served any more, so that
	// a path is taken for the same field when the object has it.
	unproven bool
}

// convert converts a set of one version to the terms of another. A path stands
// for the same field where the live object has, in both versions, the same
// value there; of an item or map it is enough that both have it. What the
// object has in neither is stale, and owned by nobody afterwards.
//
//	apps/v1beta1 .spec.replicas   is  apps/v1 .spec.replicas
//	autoscaling/v1 .spec.targetCPUUtilizationPercentage   has no counterpart in v2
func convert(o *ownership.Object, set *fieldpath.Set, from, to string) conversion {
	c := conversion{set: fieldpath.NewSet(), lost: fieldpath.NewSet()}
	if from == to {
		c.set = set
		return c
	}
	target, err := o.At(to)
	if err != nil {
		c.lost = set
		return c
	}
	source, err := o.At(from)
	fromShape, toShape := shapeAt(o, from), shapeAt(o, to)
	if err != nil || !o.Served(from) {
		c.unproven, source, fromShape = true, target, toShape
	}
	leaves := set.Leaves()
	var find managedfields.Finder
	set.Iterate(func(p fieldpath.Path) {
		was, is := find.Lookup(fromShape, source, p), find.Lookup(toShape, target, p)
		switch {
		case len(was) == 0 && len(is) == 0 && !c.unproven:
		case len(was) == 0 || len(is) == 0 || leaves.Has(p) && !sameValues(was, is):
			c.lost.Insert(p.Copy())
		default:
			c.set.Insert(p.Copy())
		}
	})
	return c
}

// shapeAt is how the kind is cut at a version; zero where no schema is known,
// so that paths show how lists are split.
func shapeAt(o *ownership.Object, version string) managedfields.Shape {
	if t := o.TypeAt(version); !t.Deduced {
		return managedfields.ShapeOf(t.ParseableType)
	}
	return managedfields.Shape{}
}

func sameValues(a, b []any) bool { return slices.EqualFunc(a, b, same) }

// same compares JSON values, numbers by value.
func same(a, b any) bool {
	return guard.Or(func() bool {
		return value.Equals(value.NewValueInterface(a), value.NewValueInterface(b))
	}, func(error) bool { return false })
}

// converted is an entry's set at another version. The fields that cannot be expressed
// there are a finding.
func (s *subject) converted(e managedfields.Entry, version string) *fieldpath.Set {
	c := convert(s.Object, e.Set, e.APIVersion, version)
	if c.unproven {
		s.find(
			unserved,
			"",
			text.New(
				"the entry of %v is at API version %v, which the server does not serve: its paths are taken for those of %v where the object has them",
				text.By(e.Manager), text.Name(e.APIVersion), text.Name(version),
			),
		)
	}
	if lost := c.lost.Leaves(); !lost.Empty() {
		n := lost.Size()
		s.find(
			notConverted,
			"",
			text.New(
				"the entry of %v is at API version %v, and the object does not show what %v of it %v at %v: %v",
				text.By(
					e.Manager,
				),
				text.Name(e.APIVersion), text.Count(n, "field"), text.Agree(n, "is", "are"), text.Name(version),
				listed(fields(lost)),
			),
		)
	}
	return c.set
}

// tracked is a set without what an apply of the object never owns.
func tracked(set *fieldpath.Set) *fieldpath.Set {
	return withoutIdentity(set).RecursiveDifference(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
}

func withoutIdentity(set *fieldpath.Set) *fieldpath.Set {
	return set.Difference(managedfields.Identity).Difference(lastAppliedSet)
}

// fields are the paths of a set as the server writes them, in the set's order.
func fields(set *fieldpath.Set) []string {
	var out []string
	for p := range set.All() {
		out = append(out, p.String())
	}
	return out
}
