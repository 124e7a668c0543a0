package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
)

// claims are the fields of the new Apply entry, all at one version.
type claims struct {
	*subject
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

// claimsAt are none, at a version.
func (s *subject) claimsAt(version string) *claims {
	c := &claims{subject: s, version: version, shape: shapeAt(s.Object, version), live: s.Live}
	if at, err := s.At(version); err == nil {
		c.live = at
	}
	for _, set := range []**fieldpath.Set{
		&c.own, &c.held, &c.others, &c.wished, &c.said, &c.defaults, &c.leftover, &c.unsorted, &c.set,
	} {
		*set = fieldpath.NewSet()
	}
	return c
}

// claim works out what the target gets. What is wished and owned by migrated
// entries is claimed, and so is what is wished and live with the same value,
// as the next apply would own it without a conflict anyway. What the
// annotation has and the manifest no longer has is claimed when no one else
// owns it, so that the next apply removes it.
func (s *subject) claim(sources []managedfields.Entry) *claims {
	c := s.versioned(sources)
	c.set = c.own
	switch s.m.Basis {
	case ByNothing:
		c.set = c.set.Union(c.held)
	case ByEntry:
	default:
		for i, w := range s.wishes {
			c.set = c.set.Union(c.wish(w, i == 0))
		}
	}
	c.set = c.claimable(c.set)
	c.sort()
	if s.m.Basis == ByEntry && leaves(c.leftover)+leaves(c.unsorted) > 2*leaves(c.own) {
		// The target applies too little of the object to know which fields are desired.
		s.m.Basis = ByNothing
		parties{s}.doubt()
		return s.claim(sources)
	}
	switch s.opts.Claim {
	case ClaimAll:
		c.set = c.claimable(c.set.Union(c.held))
	case ClaimLeftover:
		c.set = c.claimable(c.set.Union(withMembers(c.leftover, c.held, c.said)))
	}
	return c
}

// versioned converts all sets to one version: that of the manifest, or of the
// annotation, unless the target's entry cannot be expressed in it.
func (s *subject) versioned(sources []managedfields.Entry) *claims {
	version := s.version
	if len(s.wishes) > 0 {
		version = s.wishes[0].version
	}
	if own := s.applied; own.Set != nil && s.Served(own.APIVersion) &&
		(len(s.wishes) == 0 || !convert(s.Object, own.Set, own.APIVersion, version).lost.Empty()) {
		version = own.APIVersion
	}
	c := s.claimsAt(version)
	if s.applied.Set != nil {
		c.own = convert(s.Object, s.applied.Set, s.applied.APIVersion, version).set
	}
	for _, e := range s.Owners().Readable() {
		switch {
		case slices.ContainsFunc(sources, ownership.Is(e)):
			c.held = c.held.Union(s.converted(e, version))
		case e.Index != s.applied.Index || s.applied.Set == nil:
			c.others = c.others.Union(convert(s.Object, e.Set, e.APIVersion, version).set)
		}
	}
	return c
}

// claimable is a set without what no apply of the object can own, and without
// the annotation.
func (c *claims) claimable(set *fieldpath.Set) *fieldpath.Set {
	if c.opts.Subresource == "" {
		return tracked(set)
	}
	return withoutIdentity(set)
}

// wish is what of a wish the target gets.
func (c *claims) wish(w *wish, primary bool) *fieldpath.Set {
	out := fieldpath.NewSet()
	set := w.at(c.Object, c.version)
	leaves := set.Leaves()
	both := compared{wish: w, live: c.live, shape: c.shape}
	set.Iterate(func(p fieldpath.Path) {
		taken := managedfields.Covers(c.others, p)
		if managedfields.Covers(c.held, p) || c.heldAsData(p) || (primary || !taken) && both.agree(p, leaves.Has(p)) ||
			!taken && both.storesNothing(p) {
			out.Insert(p.Copy())
		}
	})
	return out
}

// heldAsData reports whether a path of a Secret's stringData, which is never
// stored, is held as the data that it is written to.
func (c *claims) heldAsData(p fieldpath.Path) bool {
	return c.isSecret() && len(p) == 2 && isStringData(p) &&
		managedfields.Covers(c.held, append(fieldpath.MakePathOrDie("data"), p[1]))
}

func (s *subject) isSecret() bool { return s.Live["kind"] == "Secret" && s.version == "v1" }

func isStringData(p fieldpath.Path) bool {
	return p[0].FieldName != nil && *p[0].FieldName == "stringData"
}

// sort separates defaults from leftovers among the leaves that migrated entries
// hold and nobody wishes. It asks the server: it lets the target apply what is
// wished while it owns all of them; what comes back is a default.
func (c *claims) sort() {
	c.readWished()
	rest := fieldpath.NewSet()
	var find managedfields.Finder
	onlyNote := c.annotated() && len(annotationsOf(c.Live)) == 1
	for p := range c.held.Leaves().All() {
		isNote := p.Equals(lastAppliedPath) || onlyNote && p.Equals(annotationsPath)
		if !isNote && !managedfields.Covers(c.set, p) && find.Has(c.shape, c.live, p) {
			rest.Insert(p)
		}
	}
	if rest.Empty() || c.m.Basis == ByNothing {
		return
	}
	back, ok := c.comesBack(rest)
	if !ok {
		c.unsorted = rest
		return
	}
	c.defaults, c.leftover = back, rest.Difference(back)
}

// readWished settles what is wished and said.
func (c *claims) readWished() {
	if c.m.Basis == ByEntry {
		c.wished, c.said = c.own, c.own
		return
	}
	for i, w := range c.wishes {
		set := w.at(c.Object, c.version)
		if i == 0 {
			c.wished = set
		}
		c.said = c.said.Union(set)
	}
}

// comesBack are those of the leaves that the server fills in again with the
// same value once nobody owns them; false where the server gives no answer.
func (c *claims) comesBack(rest *fieldpath.Set) (*fieldpath.Set, bool) {
	body, ok := c.body()
	if !ok {
		return nil, false
	}
	object := c.entriesOn(c.claimable(c.set.Union(c.held))).On(c.Live)
	result := withForce(c.Sending(ownership.By(c.m.To.Manager), body).To(object))
	if result == nil || result["apiVersion"] != c.version {
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

// body is what the next apply sends: the manifest, or else what the annotation
// says, or else what the target applied last as far as the live object tells.
func (c *claims) body() (map[string]any, bool) {
	switch c.m.Basis {
	case ByManifest, ByAnnotation:
		return c.wishes[0].object, true
	case ByEntry:
		body, err := engine.Extract(c.TypeAt(c.version).ParseableType, c.live, c.own.Difference(lastAppliedSet))
		return body, err == nil
	}
	return nil, false
}

// entriesOn are the entries with a set as the target's, and without the migrated ones.
func (c *claims) entriesOn(set *fieldpath.Set) *ownership.Entries {
	es := ownership.Edit(c.Live)
	claimed := managedfields.Entry{Time: c.applied.Time, Set: set, Writer: managedfields.Writer{
		Role: managedfields.Role{
			Manager:     c.m.To.Manager,
			Operation:   managedfields.Apply,
			Subresource: c.opts.Subresource,
		},
		APIVersion: c.version,
	}}
	for _, e := range c.sources() {
		es.Remove(ownership.Is(e))
		if c.applied.Set == nil {
			claimed.Time = ownership.Latest(claimed.Time, e.Time)
		}
	}
	if c.applied.Set != nil && (c.applied.APIVersion != c.version || !c.applied.Set.Equals(set)) {
		es.Remove(ownership.Is(c.applied))
	}
	es.Join(claimed)
	return es
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
