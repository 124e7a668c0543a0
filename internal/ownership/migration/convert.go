package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/text"
)

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
		s.find(unserved, "", text.New("the entry of %v is at API version %v, which the server does not serve: its paths are taken for those of %v where the object has them",
			text.By(e.Manager), text.Name(e.APIVersion), text.Name(version)))
	}
	if lost := c.lost.Leaves(); !lost.Empty() {
		n := lost.Size()
		s.find(notConverted, "", text.New("the entry of %v is at API version %v, and the object does not show what %v of it %v at %v: %v",
			text.By(e.Manager), text.Name(e.APIVersion), text.Count(n, "field"), text.Agree(n, "is", "are"), text.Name(version), listed(fields(lost))))
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
