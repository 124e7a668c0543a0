package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/text"
)

// claims are the fields of the new Apply entry, and the effect on the
// others.
type claims struct {
	version string
	live    map[string]any
	shape   managedfields.Shape
	// own is what the target applies already, held what the migrated entries
	// own, others what everybody else does.
	own, held, others *fieldpath.Set
	// wished is what the manifest says, or else the annotation, or else own;
	// said what any of them says.
	wished, said *fieldpath.Set
	// defaults and leftover are the leaves of held that nobody wishes; of
	// those in unsorted it is not known which they are.
	defaults, leftover, unsorted *fieldpath.Set
	// set is what the new entry owns.
	set *fieldpath.Set
}

// newClaims are none, at a version.
func newClaims(version string) claims {
	return claims{
		version: version, own: fieldpath.NewSet(), held: fieldpath.NewSet(), others: fieldpath.NewSet(),
		wished: fieldpath.NewSet(), said: fieldpath.NewSet(), set: fieldpath.NewSet(),
		defaults: fieldpath.NewSet(), leftover: fieldpath.NewSet(), unsorted: fieldpath.NewSet(),
	}
}

// claim works out what the target gets. What is wished and owned by migrated
// entries is claimed, and so is what is wished and live with the same value,
// as the next apply would own it without a conflict anyway. What the
// annotation has and the manifest no longer has is claimed when no one else
// owns it, so that the next apply removes it.
func (s *subject) claim(sources []managedfields.Entry) claims {
	c := s.versioned(sources)
	c.set = c.own
	switch s.basis {
	case ByNothing:
		c.set = c.set.Union(c.held)
	case ByEntry:
	default:
		for i, w := range s.wishes {
			c.set = c.set.Union(s.claimWish(c, w, i == 0))
		}
	}
	c.set = s.claimable(c.set)
	s.sort(&c)
	if s.basis == ByEntry && leaves(c.leftover)+leaves(c.unsorted) > 2*leaves(c.own) {
		// The target applies too little of the object to know which fields are desired.
		s.basis, s.result.Basis = ByNothing, ByNothing
		s.doubt()
		return s.claim(sources)
	}
	switch s.opts.claim() {
	case ClaimAll:
		c.set = s.claimable(c.set.Union(c.held))
	case ClaimLeftover:
		c.set = s.claimable(c.set.Union(withMembers(c.leftover, c.held, c.said)))
	}
	return c
}

// claimable is a set without what no apply of the object can own, and without
// the annotation.
func (s *subject) claimable(set *fieldpath.Set) *fieldpath.Set {
	if s.opts.Subresource == "" {
		return tracked(set)
	}
	return withoutIdentity(set)
}

// versioned converts all sets to one version: that of the manifest, or of the
// annotation, unless the target's entry cannot be expressed in it.
func (s *subject) versioned(sources []managedfields.Entry) claims {
	c := newClaims(s.claimVersion())
	c.shape = shapeAt(s.Object, c.version)
	c.live = s.Live
	if at, err := s.At(c.version); err == nil {
		c.live = at
	}
	if s.applied.Set != nil {
		c.own = s.applied.Set
		if s.applied.APIVersion != c.version {
			c.own = convert(s.Object, s.applied.Set, s.applied.APIVersion, c.version).set
		}
	}
	var held, others []*fieldpath.Set
	for _, e := range s.Owners.Readable() {
		set := convert(s.Object, e.Set, e.APIVersion, c.version)
		switch {
		case slices.ContainsFunc(sources, ownership.Is(e)):
			held = append(held, set.set)
			s.tellConversion(e, set, c.version)
		case e.Index != s.applied.Index || s.applied.Set == nil:
			others = append(others, set.set)
		}
	}
	c.held, c.others = managedfields.Union(held...), managedfields.Union(others...)
	return c
}

// claimVersion is the version of the new entry.
func (s *subject) claimVersion() string {
	version := s.version
	if len(s.wishes) > 0 {
		version = s.wishes[0].version
	}
	if s.applied.Set == nil {
		return version
	}
	if len(s.wishes) == 0 || !convert(s.Object, s.applied.Set, s.applied.APIVersion, version).lost.Empty() {
		if s.Served(s.applied.APIVersion) {
			return s.applied.APIVersion
		}
	}
	return version
}

// tellConversion reports the fields of an entry that cannot be expressed at the
// version of the new entry.
func (s *subject) tellConversion(e managedfields.Entry, c conversion, version string) {
	if c.unproven {
		s.find(unserved, "", text.New("the entry of %v is at API version %v, which the server does not serve: its paths are taken for those of %v where the object has them",
			text.By(e.Manager), text.Name(e.APIVersion), text.Name(version)))
	}
	if leaves := c.lost.Leaves(); !leaves.Empty() {
		n := leaves.Size()
		s.find(notConverted, "", text.New("the entry of %v is at API version %v, and the object does not show what %v of it %v at %v: %v",
			text.By(e.Manager), text.Name(e.APIVersion), text.Count(n, "field"), text.Agree(n, "is", "are"), text.Name(version), listed(fields(leaves))))
	}
}

// claimWish is what of a wish the target gets.
func (s *subject) claimWish(c claims, w *wish, primary bool) *fieldpath.Set {
	out := fieldpath.NewSet()
	set := w.at(s.Object, c.version)
	leaves := set.Leaves()
	var find managedfields.Finder
	set.Iterate(func(p fieldpath.Path) {
		taken := managedfields.Covers(c.others, p)
		switch {
		case managedfields.Covers(c.held, p):
		case s.heldAsData(c, p):
		case w.agrees(&find, c.shape, c.live, p, leaves.Has(p)) && (primary || !taken):
		case storesNothing(&find, c, w, p) && !taken:
		default:
			return
		}
		out.Insert(p.Copy())
	})
	return out
}

// heldAsData reports whether a path of a Secret's stringData, which is never
// stored, is held as the data that it is written to.
func (s *subject) heldAsData(c claims, p fieldpath.Path) bool {
	if s.Live["kind"] != "Secret" || s.version != "v1" || len(p) != 2 || p[0].FieldName == nil || *p[0].FieldName != "stringData" {
		return false
	}
	data := fieldpath.MakePathOrDie("data")
	return managedfields.Covers(c.held, append(data, p[1]))
}

// storesNothing reports whether a wished value is one that the server stores
// nothing for: the field is still owned.
func storesNothing(find *managedfields.Finder, c claims, w *wish, p fieldpath.Path) bool {
	said := find.Lookup(c.shape, w.object, p)
	if len(said) != 1 || find.Has(c.shape, c.live, p) {
		return false
	}
	switch v := said[0].(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case int64:
		return v == 0
	case float64:
		return v == 0
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}
