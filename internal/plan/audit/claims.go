package audit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// voidClaims finds entries that own a list or map as one field whose type cuts
// it into fields without owners: what a CustomResourceDefinition
// leaves behind when it turns an atomic type granular. Metadata never was.
func (s *subject) voidClaims() {
	if s.Deduced {
		return
	}
	for _, e := range s.entries {
		if e.APIVersion != s.Target.APIVersion {
			continue
		}
		void := fieldpath.NewSet()
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			if !pathStarts(p, "metadata") && s.void(p) {
				void.Insert(p.Copy())
			}
		})
		fields := s.fields(void)
		if len(fields) == 0 {
			continue
		}
		f := s.finding(ClaimProtectsNothing, report.Fact{Kind: OwnsAsWhole, By: writer(e)}, s.fixWhy(fields[0])).About(fields...)
		f.Manager = e.Manager
		s.add(f)
	}
}

// void reports whether a path leads to a granular list or map with something in
// it, without an owner.
func (s *subject) void(path fieldpath.Path) bool {
	shape := s.shapeAt(path)
	return (shape.Associative() || shape.Open()) && s.granular(path) && !s.ownedBelow(path)
}

func (s *subject) ownedBelow(path fieldpath.Path) bool {
	for _, e := range s.entries {
		if !descend(e, path).Empty() {
			return true
		}
	}
	return false
}

// descend is what an entry owns below a path.
func descend(e managedfields.Entry, path fieldpath.Path) *fieldpath.Set {
	set := e.Set
	for _, pe := range path {
		set = below(set, pe)
	}
	return set
}
