package engine

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// serverGives is the message of a value that only a server can give.
const serverGives = "Only a server can give this value: left out."

// confidence says what of a real server's doings is not in the answer: what
// was not simulated, values that only a server can give, and a type that had
// to be deduced, in this order.
func (s *simulation) confidence(a answer) Confidence {
	reasons := slices.Clone(a.Unsimulated)
	for _, field := range a.ServerValues {
		reasons = append(reasons, Caveat{Kind: api.ServerAssigned, Field: field, Message: serverGives})
	}
	if s.kind.Deduced && !s.notServed(a) {
		reasons = append(reasons, s.assumed()...)
	}
	return confidenceOf(reasons)
}

// confidenceOf is the level that reasons leave, with their sentences.
func confidenceOf(reasons []Caveat) Confidence {
	c := Confidence{Level: Exact, Reasons: reasons, Notes: Sentences(reasons)}
	if len(c.Doubts()) > 0 {
		c.Level = Partial
	}
	return c
}

// Doubts are the reasons for which the verdict itself may be another in the
// cluster: all but the values that only a server gives.
func (c Confidence) Doubts() []Caveat {
	return slices.DeleteFunc(slices.Clone(c.Reasons), func(r Caveat) bool { return r.Kind == api.ServerAssigned })
}

// Sentences are the messages of caveats in their order, where fields that only a
// server gives are named together.
func Sentences(reasons []Caveat) []string {
	var out, fields []string
	at := 0
	for _, r := range reasons {
		if r.Kind != api.ServerAssigned {
			out = append(out, r.Message)
			continue
		}
		if fields == nil {
			at = len(out)
		}
		fields = append(fields, r.Field)
	}
	if fields == nil {
		return out
	}
	return slices.Insert(out, at, "Only a server can give "+strings.Join(fields, ", ")+": left out.")
}

// assumed says what it means that no schema of the kind is known.
func (s *simulation) assumed() []Caveat {
	reasons := []Caveat{{Kind: api.Schema, Message: "No schema is known for " + s.write.Kind.GroupKind().String() +
		": every key was taken for a field and every list for atomic, nothing was defaulted or validated; give its CustomResourceDefinition with --crds."}}
	if list := keyedList(s.before); list != "" {
		reasons = append(reasons, Caveat{Kind: api.Schema, Field: list,
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
