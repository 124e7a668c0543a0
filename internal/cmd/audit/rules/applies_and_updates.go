package rules

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

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
		f := s.finding(appliesAndUpdates, a.Manager, fields, text.New("%v has an Update entry next to its Apply entry: an apply that sets %v to another value conflicts with itself",
			text.By(a.Manager), some(fields)), s.fixOld(u, a, byTool)...)
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
