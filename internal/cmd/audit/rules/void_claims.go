package rules

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
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
			owned := func(e managedfields.Entry) bool { return !managedfields.Below(e.Set, p).Empty() }
			shape := s.shapeAt(p)
			if !pathStarts(p, "metadata") && (shape.Associative() || shape.Open()) && s.granular(p) &&
				!slices.ContainsFunc(s.entries, owned) {
				void.Insert(p.Copy())
			}
		})
		fields := s.fields(void)
		if len(fields) == 0 {
			continue
		}
		s.find(
			claimProtectsNothing,
			e.Manager,
			fields,
			text.New("%v owns %v as a whole, but what is in %v has no owner", nameOf(e.Role), some(fields), them(fields)),
			s.fixWhy(fields[0]),
		)
	}
}

var stringDataOwned = finding.Rule{
	Name: "string-data-owned", Severity: report.SeverityWarning,
	Title: "stringData of a Secret is owned.",
	Why:   "The API server moves stringData into data when it stores a Secret, but the ownership stays behind: a key that is dropped from stringData stays in data, and other managers conflict with a field that is not visible.",
}

var ownedFieldMissing = finding.Rule{
	Name: "owned-field-missing", Severity: report.SeverityNote,
	Title: "Fields are owned that the object does not have.",
	Why:   "What was applied is a value that the API server does not store (false, 0, an empty map or list), or is gone since. Another manager that sets the field conflicts with something that cannot be seen.",
}

// findMissing finds fields that an entry owns and the object does not
// have. Entries at another API version than the object's may have another
// form, and are passed over, as is all of a kind without schema.
func findMissing(s *examined) {
	if s.Deduced {
		return
	}
	var find managedfields.Finder
	for _, e := range s.entries {
		if e.APIVersion != s.Target.APIVersion {
			continue
		}
		missing, data := fieldpath.NewSet(), fieldpath.NewSet()
		e.Set.Iterate(func(p fieldpath.Path) {
			switch {
			case find.Has(s.Shape, s.Live, p):
			case s.secret() && pathStarts(p, "stringData"):
				data.Insert(p.Copy())
			default:
				// Only the uppermost of each branch.
				n := 1
				for find.Has(s.Shape, s.Live, p[:n]) {
					n++
				}
				missing.Insert(p[:n].Copy())
			}
		})
		if !data.Empty() {
			fields := s.fields(data)
			if len(fields) > 1 {
				fields = slices.DeleteFunc(fields, func(f string) bool { return f == ".stringData" })
			}
			s.find(
				stringDataOwned,
				e.Manager,
				fields,
				text.New("%v owns %v, which the API server keeps in .data", nameOf(e.Role), some(fields)),
				fix(
					s.about(ownersOf, shell.Value("--manager", e.Manager)),
					text.New(
						"lists what %v owns; with .data in its manifest instead of .stringData, it owns its keys",
						text.By(e.Manager),
					),
				),
			)
		}
		// A dump without any status was stripped of it.
		if _, ok := s.Live["status"]; !ok {
			missing = missing.Difference(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
		}
		if fields := s.fields(missing); len(fields) > 0 {
			s.find(
				ownedFieldMissing,
				e.Manager,
				fields,
				text.New(
					"%v owns %v, but the object has no such %v",
					nameOf(e.Role),
					some(fields),
					text.Agree(len(fields), "field", "fields"),
				),
				fixMissing(s, e),
			)
		}
	}
}

// fixMissing takes the claims away. An applier claims them again as long as
// its manifest has them.
func fixMissing(s *examined, e managedfields.Entry) report.Fix {
	does := text.New("removes these paths from the entry")
	if e.Operation == managedfields.Apply {
		does = does.And("; ", text.New("remove them from the manifest of %v first", text.By(e.Manager)))
	}
	return fix(
		s.about(
			clearIt,
			shell.Switch("--missing-fields"),
			shell.Value("--manager", e.Manager),
			shell.Value("--operation", e.Operation),
		),
		does,
	)
}

func pathStarts(path fieldpath.Path, name string) bool {
	return len(path) > 0 && path[0].FieldName != nil && *path[0].FieldName == name
}
