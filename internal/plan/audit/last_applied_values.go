package audit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// disagreement finds values of the last-applied annotation that the object
// has otherwise. Whether two spellings are one value is the API server's to
// say; it is asked only where they differ as they stand.
func (s *subject) disagreement(configuration map[string]any, text []byte) {
	if s.Deduced || configuration["apiVersion"] != s.Target.APIVersion || !s.differs(configuration) {
		return
	}
	result := s.server.Reapply(s.Object, text)
	if result.Outcome.Refused() {
		return
	}
	var fields []string
	said := ""
	for _, c := range result.Changes {
		if !disagrees(c) {
			continue
		}
		if fields = append(fields, c.Field); len(fields) == 1 {
			said = s.says(c)
		}
	}
	if len(fields) == 0 {
		return
	}
	rule := LastAppliedDrift
	if s.appliedServerSide(configuration) {
		rule = LastAppliedStale
	}
	if n := len(fields) - 1; n > 0 {
		said += fmt.Sprintf(", and so on with %s", counted(n, "more field"))
	}
	f := s.finding(rule, said, s.fixDisagreement(rule, fields[0])...).About(fields...)
	s.add(f)
}

// differs compares the annotation's fields with those of the object as they
// stand.
func (s *subject) differs(configuration map[string]any) bool {
	for _, leaf := range s.Shape.Leaves(configuration) {
		if managedfields.Untracked(leaf.Path) || pathStarts(leaf.Path, "status") {
			continue
		}
		live := s.Shape.Lookup(s.Live, leaf.Path)
		if len(live) != 1 || !reflect.DeepEqual(live[0], leaf.Value) {
			return true
		}
	}
	return false
}

// appliedServerSide reports whether Apply entries own most of what the
// annotation has: the object has left client-side apply behind.
func (s *subject) appliedServerSide(configuration map[string]any) bool {
	applies := s.applies()
	total, applied := 0, 0
	for _, leaf := range s.Shape.Leaves(configuration) {
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		total++
		if slices.ContainsFunc(applies, func(e managedfields.Entry) bool { return managedfields.Covers(e.Set, leaf.Path) }) {
			applied++
		}
	}
	return applied > 0 && 2*applied >= total
}

// disagrees reports whether a change of the trial apply is one of a value that
// the annotation asks for.
func disagrees(c report.Change) bool {
	if c.Kind == report.Removed || c.Reason != report.ReasonApplied && c.Reason != report.ReasonNormalised {
		return false
	}
	return !strings.HasPrefix(c.Field, ".status") && !strings.HasPrefix(c.Field, ".metadata.annotations."+LastApplied) &&
		!slices.Contains([]string{".metadata.generation", ".metadata.resourceVersion"}, c.Field)
}

// says tells both values, and who owns the live one.
func (s *subject) says(c report.Change) string {
	text := fmt.Sprintf("the last-applied annotation has another %s than is live", c.Field)
	switch {
	case !s.mayTell(c.Field):
	case c.Kind == report.Added:
		text = fmt.Sprintf("%s is %s in the last-applied annotation, and not there live", c.Field, short(c.After))
	default:
		text = fmt.Sprintf("%s is %s in the last-applied annotation, and %s live", c.Field, short(c.After), short(c.Before))
	}
	if owners := s.ownersOf(c.Field); owners != "" {
		text += " (owned by " + owners + ")"
	}
	return text
}

func (s *subject) mayTell(field string) bool {
	return !s.secret() || s.Secrets == ShowSecrets || managedfields.ShownOfSecret(field)
}

// ownersOf names the owners of a field.
func (s *subject) ownersOf(field string) string {
	var names []string
	for _, owned := range s.owners.Field(field) {
		for _, e := range owned.By {
			names = append(names, roleName(e.Role))
		}
	}
	return strings.Join(slices.Compact(names), ", ")
}

// shortValue is how much of a value a message quotes.
const shortValue = 60

// short is a value as compact JSON, cut.
func short(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	text := []rune(string(b))
	if len(text) > shortValue {
		return string(text[:shortValue]) + "…"
	}
	return string(text)
}
