package engine

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// serverGives is the message of a value that only a server can give.
const serverGives = "Only a server can give this value: left out."

// confidence says what of a real server's doings is not in the answer: that it is of another
// release, what the inputs leave open, a type that had to be deduced, what was not simulated, and
// values that only a server can give, in this order.
func (s *simulation) confidence(a answer) report.Confidence {
	reasons, differences := s.differences(a)
	reasons = append(reasons, s.write.Caveats...)
	if c := s.untracked(); c != nil {
		reasons = append(reasons, *c)
	}
	if s.kind.Deduced && !s.notServed(a) {
		reasons = append(reasons, s.assumed())
	}
	reasons = append(reasons, a.Unsimulated...)
	reasons = append(reasons, differences...)
	for _, field := range a.ServerValues {
		reasons = append(reasons, report.Caveat{Kind: api.ServerAssigned, Field: field, Message: serverGives})
	}
	return report.ConfidenceOf(reasons)
}

// differences says what the cluster's release does differently; others says that it is
// another one than the release that answers, and comes before all else.
func (s *simulation) differences(a answer) (others, differences []report.Caveat) {
	server, ok := s.server.(api.Differing)
	if !ok {
		return nil, nil
	}
	for _, c := range server.Differences(api.Answered{Request: s.write.request(), Code: a.Code, Live: s.write.LiveObject, Stored: a.stored}) {
		if c.Rule == report.RuleOtherRelease {
			others = append(others, c)
			continue
		}
		differences = append(differences, c)
	}
	return others, differences
}

// untracked is the caveat of a live object without entries, and what the server
// makes of it (apimachinery, managedfields/internal/skipnonapplied.go); nil for
// others.
func (s *simulation) untracked() *report.Caveat {
	if s.write.LiveObject == nil || s.write.Verb == api.Delete || hasEntries(s.write.LiveObject) {
		return nil
	}
	message := "The live object has no managed fields: if it was fetched without them, this is not the cluster's answer."
	if s.write.Verb == api.Apply {
		message += " It is the answer if the cluster has none either: the server then takes every field for owned by the Update manager " +
			managedfields.BeforeFirstApply + "."
	}
	return &report.Caveat{Kind: api.Input, Rule: report.RuleNoManagedFields, Message: message}
}

// hasEntries reports whether an object has managed fields, whatever they are.
func hasEntries(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	switch fields := metadata["managedFields"].(type) {
	case nil:
		return false
	case []any:
		return len(fields) > 0
	}
	return true
}
