package migration

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
)

// sort separates defaults from leftovers among the leaves that migrated entries
// hold and nobody wishes. It asks the server: it lets the target apply what is
// wished while it owns all of them; what comes back is a default.
func (s *subject) sort(c *claims) {
	s.say(c)
	rest := fieldpath.NewSet()
	var find managedfields.Finder
	for p := range c.held.Leaves().All() {
		if !managedfields.Covers(c.set, p) && !p.Equals(lastAppliedPath) && !isAnnotations(p, s.Live) && find.Has(c.shape, c.live, p) {
			rest.Insert(p)
		}
	}
	if rest.Empty() || s.basis == ByNothing {
		return
	}
	back, ok := s.comesBack(c, rest)
	if !ok {
		c.unsorted = rest
		return
	}
	c.defaults = back
	c.leftover = rest.Difference(back)
}

// say settles what is wished and said.
func (s *subject) say(c *claims) {
	if s.basis == ByEntry {
		c.wished, c.said = c.own, c.own
		return
	}
	for i, w := range s.wishes {
		set := w.at(s.Object, c.version)
		if i == 0 {
			c.wished = set
		}
		c.said = c.said.Union(set)
	}
}

// comesBack are those of the leaves that the server fills in again with the
// same value once nobody owns them.
func (s *subject) comesBack(c *claims, rest *fieldpath.Set) (*fieldpath.Set, bool) {
	body, ok := s.body(*c)
	if !ok {
		return nil, false
	}
	all := s.claimable(c.set.Union(c.held))
	object := s.migrated(*c, all, nil)
	r := s.Sending(ownership.By(s.to.Manager), body).To(object)
	result := r.Object
	if r.Forced != nil {
		result = r.Forced.Object
	}
	if result == nil {
		return nil, false
	}
	version, _ := result["apiVersion"].(string)
	if version != c.version {
		return nil, false
	}
	back := fieldpath.NewSet()
	var find managedfields.Finder
	rest.Iterate(func(p fieldpath.Path) {
		if sameValues(find.Lookup(c.shape, c.live, p), find.Lookup(c.shape, result, p)) {
			back.Insert(p.Copy())
		}
	})
	return back, true
}

// isAnnotations reports whether a path is the map of annotations, and the
// last-applied one its only key.
func isAnnotations(p fieldpath.Path, live map[string]any) bool {
	_, has := annotationsOf(live)[LastApplied]
	return p.Equals(annotationsPath) && has && len(annotationsOf(live)) == 1
}

// withMembers adds to leaves the items and maps of a set that hold them and
// nothing that is said, so that they go with their last leaf.
func withMembers(leaves, set, said *fieldpath.Set) *fieldpath.Set {
	out := leaves
	for p := range set.All() {
		if !hasBelow(said, p) && !managedfields.Below(leaves, p).Empty() {
			out = out.Union(fieldpath.NewSet(p.Copy()))
		}
	}
	return out
}

// hasBelow reports whether a set has the path or something below it.
func hasBelow(set *fieldpath.Set, path fieldpath.Path) bool {
	return set.Has(path) || !managedfields.Below(set, path).Empty()
}
