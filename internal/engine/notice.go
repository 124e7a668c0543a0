package engine

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// notices are remarks on an unknown kind, an object that is being deleted, one of several
// denials, and unusable managed fields entries with what the server does about them.
func (s *simulation) notices(a answer) []string {
	if s.notServed(a) ||
		a.Code == http.StatusNotFound && !s.server.Resource(s.write.Kind).Known && s.server.Resource(s.write.Kind).Custom {
		return []string{s.served.mistaken()}
	}
	out := s.write.deleting(a)
	if len(a.Denials) > 1 {
		out = append(out, deniedOften(a.Denials))
	}
	if s.write.LiveObject == nil {
		return out
	}
	if !s.ordinary(a) {
		out = append(out, s.entryNotices()...)
	}
	if s.intent.secret != nil && s.write.Verb == api.Apply && !a.outcome.Refused() && a.outcome != report.Unchanged {
		out = append(out, stringDataNotice)
	}
	return out
}

// deniedOften says which of several denials the server names.
func deniedOften(denials []string) string {
	policies := map[string]bool{}
	for _, d := range denials {
		policy, _, _ := strings.Cut(d, "' ")
		policies[policy] = true
	}
	if len(policies) == 1 {
		return fmt.Sprintf(
			"an admission policy denies the request for %d reasons: the API server names the first",
			len(denials),
		)
	}
	return fmt.Sprintf(
		"%d admission policies deny the request, for %d reasons: the API server names one of them, by chance",
		len(policies),
		len(denials),
	)
}

// stringDataNotice says what people do not expect of the field.
const stringDataNotice = "stringData is write-only: the server puts its values into data, where the apply does not own them; a key that is dropped from stringData stays in data"

// ordinary reports whether there is nothing to remark on the entries: an apply to an
// object with one that cannot be read is refused, and all are at its version.
func (s *simulation) ordinary(a answer) bool {
	return s.write.Verb == api.Apply && !a.outcome.Refused() && s.write.isOfKind(s.write.LiveObject) &&
		entriesAt(s.write.LiveObject, s.write.LiveObject["apiVersion"])
}

func (s *simulation) entryNotices() []string {
	before := s.liveOwners()
	if before.Err != nil {
		return []string{fmt.Sprintf("the live object's managedFields cannot be read: %v", before.Err)}
	}
	// The server does with all entries what one broken entry makes it do (apimachinery,
	// managedfields/internal/fieldmanager.go).
	broken := "the server forgets all entries"
	if s.write.Verb == api.Apply {
		broken = "the server refuses every apply to the object until its managedFields are cleared"
	}
	var out []string
	for _, e := range before.Entries {
		entry := fmt.Sprintf("managedFields entry %d (manager %q)", e.Index+1, e.Manager)
		switch {
		case e.Err != nil:
			out = append(out, fmt.Sprintf("%s cannot be read: %v; %s", entry, e.Err, broken))
		case s.served.lacks(e.APIVersion):
			out = append(
				out,
				fmt.Sprintf(
					"%s is at API version %s, which the server does not serve: %s", entry, e.APIVersion,
					s.served.dropped(),
				),
			)
		}
	}
	return out
}

// deleting is the warning that kubectl prints after an accepted apply to an object that is
// being deleted (kubectl, pkg/cmd/apply/apply.go).
func (w Write) deleting(a answer) []string {
	metadata, _ := a.stored["metadata"].(map[string]any)
	if w.NotKubectl || w.Verb != api.Apply || a.outcome.Refused() || metadata["deletionTimestamp"] == nil {
		return nil
	}
	return []string{
		fmt.Sprintf("kubectl warns: Detected changes to resource %v which is currently being deleted.", metadata["name"]),
	}
}

// serverGives is the message of a value that only a server can give.
const serverGives = "Only a server can give this value: left out."

// confidence lists, in this order: another release, what the inputs leave open, a deduced
// type, what was not simulated, and values that only a server can give.
func (s *simulation) confidence(a answer) report.Confidence {
	reasons, differences := s.differences(a)
	reasons = append(reasons, s.write.Caveats...)
	if c := s.write.untracked(); c != nil {
		reasons = append(reasons, *c)
	}
	if s.kind.Deduced && !s.notServed(a) {
		reasons = append(
			reasons,
			report.Caveat{
				Kind: api.Schema,
				Rule: report.RuleAssumedSchema,
				Message: "No schema is known for " + s.write.Kind.GroupKind().String() +
					": it is assumed that every key is a field of its own and every list atomic, and nothing is defaulted or validated.",
			},
		)
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
	for _, c := range server.Differences(api.Answered{
		Request: s.write.request(), Code: a.Code, Live: s.write.LiveObject, Stored: a.stored,
	}) {
		if c.Rule == report.RuleOtherRelease {
			others = append(others, c)
			continue
		}
		differences = append(differences, c)
	}
	return others, differences
}

// untracked is the caveat of a live object without entries, and what the server makes of it
// (apimachinery, managedfields/internal/skipnonapplied.go); nil for others.
func (w Write) untracked() *report.Caveat {
	if w.LiveObject == nil || w.Verb == api.Delete || hasEntries(w.LiveObject) || managedfields.Bare(w.LiveObject) {
		return nil
	}
	message := "The live object has no managed fields: if it was fetched without them, this is not the cluster's answer."
	if w.Verb == api.Apply {
		message += " It is the answer if the cluster has none either: the server then takes every field for owned by the Update manager " +
			managedfields.BeforeFirstApply + "."
	}
	return &report.Caveat{Kind: api.Input, Rule: report.RuleNoManagedFields, Message: message}
}

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
