package audit

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/ownership"
)

// appliesAndUpdates finds managers that have an Apply and an Update entry for
// the same resource. Where both own a field, the manager stands in its own
// way; a mere coexistence is a note.
func (s *subject) appliesAndUpdates() {
	for _, a := range s.entries {
		if a.Operation != ownership.Apply {
			continue
		}
		for _, u := range s.entries {
			if u.Operation == ownership.Update && u.Manager == a.Manager && u.Subresource == a.Subresource {
				s.twice(a, u)
			}
		}
	}
}

func (s *subject) twice(a, u ownership.Entry) {
	s.told[u.Role] = true
	shared := fieldpath.NewSet()
	if a.APIVersion == u.APIVersion {
		shared = a.Set.Intersection(u.Set).Leaves()
	}
	fields := s.fields(shared)
	if len(fields) == 0 {
		// A controller that applies some fields and updates others is none of
		// our business in a subresource, where it is the only writer.
		if a.Subresource == "" && u.Set.Leaves().Size() > 0 {
			s.coexist(a, u)
		}
		return
	}
	message := fmt.Sprintf("%s owns %s both by Apply and by Update%s", a.Manager, listed(fields), ofSubresource(a.Subresource))
	f := s.finding(AppliesAndUpdates, message, s.mendOld(u, a, byTool)...).about(fields)
	f.Manager = a.Manager
	s.add(f)
}

func (s *subject) coexist(a, u ownership.Entry) {
	fields := s.fields(u.Set.Leaves())
	message := fmt.Sprintf("%s has an Update entry beside its Apply entry: an apply that sets %s otherwise conflicts with itself", a.Manager, listed(fields))
	f := s.finding(AppliesAndUpdates, message, s.mendOld(u, a, byTool)...).about(fields)
	f.Manager, f.Severity = a.Manager, Note
	s.add(f)
}

func ofSubresource(name string) string {
	if name == "" {
		return ""
	}
	return " of " + name
}
