package engine

import (
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// notices are remarks on the kind, where the server does not have it, on an object
// that is being deleted, on a denial that is one of several, and on the managedFields
// of the live object, in the order of its entries: what is missing or cannot be used,
// and what the server does then.
func (s *simulation) notices(a answer) []string {
	if s.notServed(a) || a.Code == http.StatusNotFound && !s.server.Resource(s.write.Kind).Known && s.server.Resource(s.write.Kind).Custom {
		return []string{s.mistaken()}
	}
	out := s.deleting(a)
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
		return fmt.Sprintf("an admission policy denies the request for %d reasons: the API server names the first", len(denials))
	}
	return fmt.Sprintf("%d admission policies deny the request, for %d reasons: the API server names one of them, by chance", len(policies), len(denials))
}

// stringDataNotice says what people do not expect of the field.
const stringDataNotice = "stringData is write-only: the server puts its values into data, where the apply does not own them; a key that is dropped from stringData stays in data"

// ordinary reports whether there is nothing to remark on the entries: an apply to an
// object with one that cannot be read is refused, and all are at its version.
func (s *simulation) ordinary(a answer) bool {
	return s.write.Verb == api.Apply && !a.outcome.Refused() && s.isOfKind(s.write.LiveObject) &&
		entriesAt(s.write.LiveObject, s.write.LiveObject["apiVersion"])
}

func (s *simulation) entryNotices() []string {
	before := s.liveOwners()
	if before.Err != nil {
		return []string{fmt.Sprintf("the live object's managedFields cannot be read: %v", before.Err)}
	}
	var out []string
	for _, e := range before.Entries {
		if n := s.notice(e); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// deleting is what kubectl warns of behind an accepted apply, whether it changes
// anything or not (kubectl, pkg/cmd/apply/apply.go). The server warns of nothing.
func (s *simulation) deleting(a answer) []string {
	metadata, _ := a.stored["metadata"].(map[string]any)
	if s.write.Verb != api.Apply || a.outcome.Refused() || metadata["deletionTimestamp"] == nil {
		return nil
	}
	return []string{fmt.Sprintf("kubectl warns: Detected changes to resource %v which is currently being deleted.", metadata["name"])}
}

func (s *simulation) notice(e managedfields.Entry) string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("managedFields entry %d (manager %q) cannot be read: %v; %s", e.Index+1, e.Manager, e.Err, s.unreadable())
	case e.Err == nil && s.unserved(e.APIVersion):
		return fmt.Sprintf("managedFields entry %d (manager %q) is at API version %s, which the server does not serve: %s",
			e.Index+1, e.Manager, e.APIVersion, s.dropped())
	default:
		return ""
	}
}

// unreadable says what the server does with all entries where one is broken
// (apimachinery, managedfields/internal/fieldmanager.go).
func (s *simulation) unreadable() string {
	if s.write.Verb == api.Apply {
		return "the server refuses every apply to the object"
	}
	return "the server forgets all entries"
}

// dropped says how the server treats an entry at an unserved version: the field
// manager handles it as a kind without a type, or still converts it.
func (s *simulation) dropped() string {
	if s.server.Resource(s.write.Kind).Custom {
		return "it counts as long as the CustomResourceDefinition still has that version, and else stands in the way of every apply"
	}
	return "it drops the entry"
}

// unserved reports whether the server does not know this kind at the version.
// Of a kind that it does not know at all nothing can be said.
func (s *simulation) unserved(apiVersion string) bool {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv == s.write.Kind.GroupVersion() || !s.server.Resource(s.write.Kind).Known {
		return false
	}
	return !s.server.Resource(gv.WithKind(s.write.Kind.Kind)).Known
}
