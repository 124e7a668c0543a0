package rules

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var staysWhenDropped = finding.Rule{
	Name: "stays-when-dropped", Severity: report.SeverityWarning,
	Title: "An entry whose manager no longer writes co-owns applied fields.",
	Why:   "A field that you remove from the manifest stays in the object as long as the other entry owns it. This is what a move from client-side to server-side apply leaves behind.",
}

var leftOverField = finding.Rule{
	Name: "left-over-field", Severity: report.SeverityWarning,
	Title: "Fields are left over: no apply removes them.",
	Why:   "Only an entry whose manager no longer writes owns them, while an apply took over the rest of the list or map. They were removed from the manifest before the move, or added by hand, and are in no manifest.",
}

// findLeftovers finds the Update entries that a move to server-side apply left
// behind: those that share fields with an Apply entry of another name.
func findLeftovers(s *examined) {
	applies := s.applies()
	for i, old := range s.entries {
		care := s.cares[i]
		if care == kept {
			continue
		}
		heir, shared := s.heirOf(old, applies)
		if shared == nil {
			continue
		}
		s.told[old.Role] = true
		if care == byNobody {
			continue // before-first-apply and ancient-changes have their own rules
		}
		stays(s, old, heir, care, shared)
		if tookOver(heir, shared) {
			leftOver(s, old, heir, care)
		}
	}
}

// heirOf is the Apply entry that shares most leaves with an old entry, and
// those leaves; nil when none shares any. An entry of the same name is another
// rule's. Of entries at other API versions nothing is known.
func (s *view) heirOf(old managedfields.Entry, applies []managedfields.Entry) (managedfields.Entry, *fieldpath.Set) {
	var heir managedfields.Entry
	var most *fieldpath.Set
	for _, a := range applies {
		if a.Manager == old.Manager || a.APIVersion != old.APIVersion {
			continue
		}
		shared := s.ends(old.Set.Intersection(a.Set))
		if n := shared.Size(); n > 0 && (most == nil || n > most.Size()) {
			heir, most = a, shared
		}
	}
	return heir, most
}

// ends are the leaves of a set that are fields: to share a map as such, and
// none of its keys, is to share nothing.
func (s *view) ends(set *fieldpath.Set) *fieldpath.Set {
	out := fieldpath.NewSet()
	set.Leaves().Iterate(func(p fieldpath.Path) {
		if p[len(p)-1].FieldName == nil || !s.granular(p) {
			out.Insert(p.Copy())
		}
	})
	return out
}

// granular reports whether the object has a list or map at a path, with something
// in it, whose items or keys are fields of their own.
func (s *view) granular(path fieldpath.Path) bool {
	shape := s.shapeAt(path)
	if shape.Scalar() {
		return false // most are, and to look a value up takes time
	}
	values := s.Shape.Lookup(s.Live, path)
	if len(values) != 1 {
		return false
	}
	switch v := values[0].(type) {
	case map[string]any:
		return len(v) > 0 && !shape.AtomicMap()
	case []any:
		return len(v) > 0 && shape.Associative()
	}
	return false
}

// stays reports the fields that two entries share. What a tool left behind as a whole is
// handed over, in all objects at once.
func stays(s *examined, old, heir managedfields.Entry, care care, shared *fieldpath.Set) {
	fields := s.fields(shared)
	f := s.finding(
		staysWhenDropped,
		old.Manager,
		fields,
		text.New(
			"%v applies %v, and %v owns %v too: dropped from the manifest, %v",
			text.By(
				heir.Manager,
			),
			some(fields),
			nameOf(old.Role),
			them(fields),
			text.Agree(len(fields), "it stays", "they stay"),
		),
		s.fixOld(old, heir, care)...)
	if care == byTool && tookOver(heir, shared) {
		f.Joint, f.Fixes = heir.Manager, f.Fixes[:1]
	}
	s.add(f)
}

// tookOver reports whether the heir applies what the old entry wrote, rather
// than a little something next to it: half of its leaves or more are shared.
func tookOver(heir managedfields.Entry, shared *fieldpath.Set) bool {
	return 2*shared.Size() >= heir.Set.Leaves().Size()
}

// leftOver finds items and keys that the old entry alone owns, in lists and
// maps where the heir owns others. No default makes such items, so that
// somebody once asked for them.
func leftOver(s *examined, old, heir managedfields.Entry, care care) {
	var others []*fieldpath.Set
	for _, e := range s.entries {
		if e.Role != old.Role {
			others = append(others, e.Set)
		}
	}
	found := fieldpath.NewSet()
	lonely(nil, old.Set, heir.Set, managedfields.Union(others...), s.Shape, found)
	fields := s.fields(found)
	if len(fields) == 0 {
		return
	}
	s.leftOvers = s.leftOvers.Union(found)
	f := s.finding(
		leftOverField,
		old.Manager,
		fields,
		text.New("%v alone owns %v, next to what %v applies: no apply removes %v",
			nameOf(old.Role), some(fields), text.By(heir.Manager), them(fields)),
		s.fixOld(old, heir, care)...)
	if care == byHand {
		f.Severity = report.SeverityNote
	}
	s.add(f)
}

// lonely collects list items and keys of open maps that only old has, next to
// such that the heir has.
func lonely(at fieldpath.Path, old, heir, others *fieldpath.Set, shape managedfields.Shape, found *fieldpath.Set) {
	open := shape.Open()
	hasSibling := !heir.Empty()
	visit := func(pe fieldpath.PathElement) {
		path := append(at.Copy(), pe)
		oldBelow, heirBelow, othersBelow := old.WithPrefix(pe), heir.WithPrefix(pe), others.WithPrefix(pe)
		owned := others.Members.Has(pe) || !othersBelow.Empty()
		item := pe.Key != nil || pe.Value != nil || open && pe.FieldName != nil
		switch {
		case item && hasSibling && !owned && !writers.IsBookkeeping(path):
			found.Insert(path)
		case !heirBelow.Empty():
			lonely(path, oldBelow, heirBelow, othersBelow, shape.Child(pe), found)
		}
	}
	managedfields.Begin(old, visit)
}

var appliesAndUpdates = finding.Rule{
	Name: "applies-and-updates", Severity: report.SeverityWarning,
	Title: "A field manager owns fields both by Apply and by Update.",
	Why:   "The two entries are two owners: the manager's next apply that changes such a field conflicts with the manager itself, and one that drops it leaves it in place.",
}

// findAppliesAndUpdates finds managers that have an Apply and an Update entry for
// the same resource. Where both own a field, the manager stands in its own
// way; a mere coexistence is a note.
func findAppliesAndUpdates(s *examined) {
	done := map[managedfields.Role]bool{}
	for _, a := range s.entries {
		if a.Operation != managedfields.Apply || done[a.Role] {
			continue
		}
		done[a.Role] = true
		var applies, updates []managedfields.Entry
		for _, e := range s.entries {
			switch {
			case e.Manager != a.Manager || e.Subresource != a.Subresource:
			case e.Operation == managedfields.Apply:
				applies = append(applies, e)
			default:
				updates = append(updates, e)
			}
		}
		if len(updates) > 0 {
			twice(s, applies, updates)
		}
	}
}

// twice reports one manager's entries of both operations. Only those at one
// API version can be compared.
func twice(s *examined, applies, updates []managedfields.Entry) {
	a, u := applies[0], updates[0]
	s.told[u.Role] = true
	shared, updated := fieldpath.NewSet(), fieldpath.NewSet()
	applied := byVersion(applies)
	for version, set := range byVersion(updates) {
		updated = updated.Union(set)
		if applied[version] != nil {
			shared = shared.Union(applied[version].Intersection(set))
		}
	}
	if fields := s.fields(s.ends(shared)); len(fields) > 0 {
		says := text.New("%v owns %v both by Apply and by Update", text.By(a.Manager), some(fields))
		if a.Subresource != "" {
			says = says.And(" of ", text.New("%v", text.Name(a.Subresource)))
		}
		s.find(appliesAndUpdates, a.Manager, fields, says, s.fixOld(u, a, byTool)...)
		return
	}
	// A controller that applies some fields and updates others is none of our
	// business in a subresource, where it is the only writer.
	if fields := s.fields(updated.Leaves()); len(fields) > 0 && a.Subresource == "" {
		f := s.finding(
			appliesAndUpdates,
			a.Manager,
			fields,
			text.New(
				"%v has an Update entry next to its Apply entry: an apply that sets %v to another value conflicts with itself",
				text.By(a.Manager),
				some(fields),
			),
			s.fixOld(u, a, byTool)...)
		f.Severity = report.SeverityNote
		s.add(f)
	}
}

// byVersion is what entries own together, by API version.
func byVersion(entries []managedfields.Entry) map[string]*fieldpath.Set {
	sets := map[string][]*fieldpath.Set{}
	for _, e := range entries {
		sets[e.APIVersion] = append(sets[e.APIVersion], e.Set)
	}
	out := make(map[string]*fieldpath.Set, len(sets))
	for version, of := range sets {
		out[version] = managedfields.Union(of...)
	}
	return out
}
