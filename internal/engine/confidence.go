package engine

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// identity are the values that every created object gets from its server.
// That they are missing says nothing about the rest of the answer.
var identity = []string{".metadata.creationTimestamp", ".metadata.resourceVersion", ".metadata.uid"}

// confidence says what of a real server's doings is not in the answer: what
// was not simulated, values that only a server can give, and a type that had
// to be deduced, in this order.
func (s *simulation) confidence(a answer) Confidence {
	c := Confidence{Level: Exact}
	for _, note := range a.Unsimulated {
		c.Level = Partial
		c.Notes = append(c.Notes, note)
	}
	if len(a.ServerValues) > 0 {
		c.Notes = append(c.Notes, "Only a server can give "+strings.Join(a.ServerValues, ", ")+": left out.")
		if slices.ContainsFunc(a.ServerValues, func(f string) bool { return !slices.Contains(identity, dotted(f)) }) {
			c.Level = Partial
		}
	}
	if s.kind.Deduced && !s.notServed(a) {
		c.Level = Partial
		c.Notes = append(c.Notes, "No schema is known for "+s.write.Kind.GroupKind().String()+
			": every key was taken for a field and every list for atomic, nothing was defaulted or validated; give its CustomResourceDefinition with --crds.")
		if list := keyedList(s.before); list != "" {
			c.Notes = append(c.Notes, "The managed fields show that "+list+" is no atomic list in the cluster, so conflicts in it are missed here.")
		}
	}
	return c
}

func dotted(field string) string {
	if strings.HasPrefix(field, ".") {
		return field
	}
	return "." + field
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
