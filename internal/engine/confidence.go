package engine

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// serverGives is the message of a value that only a server can give.
const serverGives = "Only a server can give this value: left out."

// confidence says what of a real server's doings is not in the answer: what
// was not simulated, values that only a server can give, and a type that had
// to be deduced, in this order.
func (s *simulation) confidence(a answer) report.Confidence {
	reasons := slices.Clone(a.Unsimulated)
	for _, field := range a.ServerValues {
		reasons = append(reasons, report.Caveat{Kind: api.ServerAssigned, Field: field, Message: serverGives})
	}
	if s.kind.Deduced && !s.notServed(a) {
		reasons = append(reasons, s.assumed()...)
	}
	return report.ConfidenceOf(reasons)
}

// assumed says what it means that no schema of the kind is known.
func (s *simulation) assumed() []report.Caveat {
	reasons := []report.Caveat{{Kind: api.Schema, Message: "No schema is known for " + s.write.Kind.GroupKind().String() +
		": every key was taken for a field and every list for atomic, nothing was defaulted or validated; give its CustomResourceDefinition with --crds."}}
	if list := keyedList(s.before); list != "" {
		reasons = append(reasons, report.Caveat{Kind: api.Schema, Field: list,
			Message: "The managed fields show that " + list + " is no atomic list in the cluster, so conflicts in it are missed here."})
	}
	return reasons
}

// keyedList is the first list that managed fields own by item, which only a
// schema makes them do; empty when there is none.
func keyedList(owners managedfields.Owners) string {
	for _, owned := range owners.Paths() {
		for i, element := range owned.Path {
			if element.Key != nil || element.Value != nil {
				return owned.Path[:i].String()
			}
		}
	}
	return ""
}
