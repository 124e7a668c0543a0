package audit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// appliesAndUpdates finds managers that have an Apply and an Update entry for
// the same resource. Where both own a field, the manager stands in its own
// way; a mere coexistence is a note.
func (s *subject) appliesAndUpdates() {
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
			s.twice(applies, updates)
		}
	}
}

// twice reports one manager's entries of both operations. Only those at one
// API version can be compared.
func (s *subject) twice(applies, updates []managedfields.Entry) {
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
		f := s.finding(AppliesAndUpdates, report.Fact{Kind: OwnsTwice, By: writer(a), Manager: a.Manager},
			s.fixOld(u, a, byTool)...).About(fields...)
		f.Manager = a.Manager
		s.add(f)
		return
	}
	// A controller that applies some fields and updates others is none of our
	// business in a subresource, where it is the only writer.
	if fields := s.fields(updated.Leaves()); len(fields) > 0 && a.Subresource == "" {
		f := s.finding(AppliesAndUpdates, report.Fact{Kind: UpdatesBeside, Manager: a.Manager}, s.fixOld(u, a, byTool)...).About(fields...)
		f.Manager, f.Severity = a.Manager, Note
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
