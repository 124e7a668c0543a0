package rules

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var lastAppliedStale = finding.Rule{
	Name: "last-applied-stale", Severity: report.SeverityWarning,
	Title: "The last-applied annotation is out of date.",
	Why:   "The object is applied server-side now, and the annotation is of earlier times. A client-side kubectl apply would start from it, and undo or remove what was changed since.",
}

var lastAppliedDrift = finding.Rule{
	Name: "last-applied-drift", Severity: report.SeverityNote,
	Title: "Live values differ from the last-applied annotation.",
	Why:   "The next client-side kubectl apply of an unchanged manifest sets them back.",
}

// disagreement finds values of the last-applied annotation that the object
// has otherwise. Whether two spellings are one value is the API server's to
// say; it is asked only where they differ as they stand.
func disagreement(s *examined, configuration map[string]any, manifest []byte) {
	if s.Deduced || configuration["apiVersion"] != s.Target.APIVersion || !differs(s, configuration) {
		return
	}
	result := s.server.Reapply(s.Object, manifest)
	if result.Outcome.Refused() {
		return
	}
	changes := slices.DeleteFunc(slices.Clone(result.Changes), func(c report.Change) bool { return !disagrees(c) })
	if len(changes) == 0 {
		return
	}
	var fields []string
	for _, c := range changes {
		fields = append(fields, c.Field)
	}
	says := differing(s, changes[0])
	if more := len(fields) - 1; more > 0 {
		says = says.And(", ", text.New("and so on with %v", text.Count(more, "more field")))
	}
	if appliedServerSide(s, configuration) {
		s.find(lastAppliedStale, "", fields, says, fixAnnotation(s), s.fixWhy(fields[0]))
		return
	}
	s.find(lastAppliedDrift, "", fields, says, s.fixWhy(fields[0]))
}

// differs compares the annotation's fields with those of the object as they
// stand.
func differs(s *examined, configuration map[string]any) bool {
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
func appliedServerSide(s *examined, configuration map[string]any) bool {
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
	return !strings.HasPrefix(c.Field, ".status") && !strings.HasPrefix(c.Field, ".metadata.annotations."+client.LastApplied) &&
		!slices.Contains([]string{".metadata.generation", ".metadata.resourceVersion"}, c.Field)
}

// differing has both values, unless they are a Secret's, and who owns the live one.
func differing(s *examined, c report.Change) text.Text {
	field, asked := text.Path(c.Field), text.ValueOf(c.Field, c.After)
	says := text.New("the last-applied annotation has another %v than is live", field)
	switch {
	case !s.mayTell(c.Field):
	case c.Kind == report.Added:
		says = text.New("%v is %v in the last-applied annotation, and not there live", field, asked)
	default:
		says = text.New("%v is %v in the last-applied annotation, and %v live", field, asked, text.ValueOf(c.Field, c.Before))
	}
	if owners := ownersNamed(s, c.Field); !owners.IsZero() {
		says = text.New("%v (owned by %v)", says, owners)
	}
	return says
}

// ownersNamed names the owners of a field.
func ownersNamed(s *examined, field string) text.Text {
	var roles []managedfields.Role
	for _, owned := range s.owners.Field(field) {
		for _, e := range owned.By {
			roles = append(roles, e.Role)
		}
	}
	var names []text.Text
	for _, r := range slices.Compact(roles) {
		names = append(names, nameOf(r))
	}
	return text.Join(names, ", ")
}
