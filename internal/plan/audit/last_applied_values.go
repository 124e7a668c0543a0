package audit

import (
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
	var fact report.Fact
	for _, c := range result.Changes {
		if !disagrees(c) {
			continue
		}
		if fields = append(fields, c.Field); len(fields) == 1 {
			fact = s.differing(c)
		}
	}
	if len(fields) == 0 {
		return
	}
	rule := LastAppliedDrift
	if s.appliedServerSide(configuration) {
		rule = LastAppliedStale
	}
	s.add(s.finding(rule, fact, s.fixDisagreement(rule, fields[0])...).About(fields...))
}

// differs compares the annotation's fields with those of the object as they
// stand.
func (s *subject) differs(configuration map[string]any) bool {
	var find managedfields.Finder
	for _, leaf := range s.Shape.Leaves(configuration) {
		if managedfields.Untracked(leaf.Path) || pathStarts(leaf.Path, "status") {
			continue
		}
		live := find.Lookup(s.Shape, s.Live, leaf.Path)
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

// differing has both values, unless they are a Secret's, and who owns the live one.
func (s *subject) differing(c report.Change) report.Fact {
	fact := report.Fact{Kind: AnnotationDiffers, By: s.ownersOf(c.Field)}
	if s.mayTell(c.Field) {
		fact.Kind, fact.Before, fact.After = AnnotationValue, report.Value{Value: c.Before}, report.Value{Value: c.After}
		if c.Kind == report.Added {
			fact.Kind = AnnotationOnly
		}
	}
	return fact
}

func (s *subject) mayTell(field string) bool {
	return s.quotes() || managedfields.ShownOfSecret(field)
}

// quotes reports whether values of the object may be reported.
func (s *subject) quotes() bool { return !s.secret() || s.Secrets == ShowSecrets }

// quoting is a text that may quote the object; empty where that may not be.
func (s *subject) quoting(text string) string {
	if !s.quotes() {
		return ""
	}
	return text
}

// ownersOf are the owners of a field.
func (s *subject) ownersOf(field string) []report.Writer {
	var roles []managedfields.Role
	for _, owned := range s.owners.Field(field) {
		for _, e := range owned.By {
			roles = append(roles, e.Role)
		}
	}
	return writersOf(slices.Compact(roles)...)
}
