package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/server/api"
)

// setOf are the paths that an apply of the object owns by its schema: what it
// says, but for the identity, the status, and the annotation of client-side
// apply (apimachinery, managedfields/internal/structuredmerge.go and
// stripmeta.go).
func setOf(t api.Type, object map[string]any) (*fieldpath.Set, error) {
	set, err := guard.Value(func() (*fieldpath.Set, error) {
		tv, err := t.FromUnstructured(object, typed.AllowDuplicates)
		if err != nil {
			return nil, err
		}
		return tv.ToFieldSet()
	})
	if err != nil {
		return nil, err
	}
	return tracked(set), nil
}

// tracked is a set without what an apply of the object never owns.
func tracked(set *fieldpath.Set) *fieldpath.Set {
	return withoutIdentity(set).RecursiveDifference(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
}

func withoutIdentity(set *fieldpath.Set) *fieldpath.Set {
	return set.Difference(managedfields.Identity).Difference(fieldpath.NewSet(lastAppliedPath))
}

// shapeAt is how the kind is cut at a version; zero where no schema is known,
// so that paths show how lists are split.
func shapeAt(w *ownership.Object, version string) managedfields.Shape {
	t := w.TypeAt(version)
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
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
func convert(w *ownership.Object, set *fieldpath.Set, from, to string) conversion {
	c := conversion{set: fieldpath.NewSet(), lost: fieldpath.NewSet()}
	if from == to {
		c.set = set
		return c
	}
	target, err := w.At(to)
	if err != nil {
		c.lost = set
		return c
	}
	source, err := w.At(from)
	if err != nil || !w.Served(from) {
		c.unproven = true
		source = target
	}
	fromShape, toShape := shapeAt(w, from), shapeAt(w, to)
	if c.unproven {
		fromShape = toShape
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

func sameValues(a, b []any) bool { return slices.EqualFunc(a, b, same) }

// same compares JSON values, numbers by value.
func same(a, b any) bool {
	return guard.Or(func() bool {
		return value.Equals(value.NewValueInterface(a), value.NewValueInterface(b))
	}, func(error) bool { return false })
}
