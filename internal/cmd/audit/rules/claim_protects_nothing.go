package rules

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var claimProtectsNothing = finding.Rule{
	Name: "claim-protects-nothing", Severity: report.SeverityWarning,
	Title: "A claim on a whole list or map no longer covers what is in it.",
	Why:   "It dates from a time when the list or map was atomic; its items and keys are fields of their own now, and have no owner. Any other manager takes one without a conflict, and dropping one from the manifest leaves it in place.",
}

// findVoidClaims finds entries that own a list or map as one field whose type cuts
// it into fields without owners: what a CustomResourceDefinition
// leaves behind when it turns an atomic type granular. Metadata never was.
func findVoidClaims(s *examined) {
	if s.Deduced {
		return
	}
	for _, e := range s.entries {
		if e.APIVersion != s.Target.APIVersion {
			continue
		}
		void := fieldpath.NewSet()
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			if !pathStarts(p, "metadata") && ownerless(s, p) {
				void.Insert(p.Copy())
			}
		})
		fields := s.fields(void)
		if len(fields) == 0 {
			continue
		}
		s.find(claimProtectsNothing, e.Manager, fields, text.New("%v owns %v as a whole, but what is in %v has no owner", nameOf(e.Role), some(fields), them(fields)), s.fixWhy(fields[0]))
	}
}

// ownerless reports whether a path leads to a granular list or map with something in
// it, without an owner.
func ownerless(s *examined, path fieldpath.Path) bool {
	shape := s.shapeAt(path)
	owned := func(e managedfields.Entry) bool { return !managedfields.Below(e.Set, path).Empty() }
	return (shape.Associative() || shape.Open()) && s.granular(path) && !slices.ContainsFunc(s.entries, owned)
}
