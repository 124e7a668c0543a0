package compare

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

// The rules of what two dumps differ in.
var (
	ApplyRejected = finding.Rule{Name: "next-apply-rejected", Severity: report.SeverityError, Title: "The next apply of a manifest is rejected.",
		Why: "The API server would answer the next apply with an error; docs/compare.md says how it is simulated."}
	ObjectRemoved = finding.Rule{Name: "object-removed", Severity: report.SeverityWarning, Title: "An object is gone, or was created again.",
		Why: "With it went the managed fields of all its owners."}
	OwnershipTaken = finding.Rule{Name: "ownership-taken", Severity: report.SeverityWarning, Title: "A field manager took ownership from another.",
		Why: "The next apply of the former owner conflicts, or takes the field back where it forces."}
	EntryLost = finding.Rule{Name: "entry-lost", Severity: report.SeverityWarning, Title: "A managed fields entry is lost.",
		Why: "Its manager owns nothing any more: fields that it leaves out are not removed, and others overwrite its fields without a conflict."}
	FieldUnowned = finding.Rule{Name: "field-unowned", Severity: report.SeverityWarning, Title: "A field has no owner any more.",
		Why: "The next manager to write it meets no conflict, and no apply removes it."}
	OwnersChanged = finding.Rule{Name: "owners-changed", Severity: report.SeverityNote, Title: "The owners of a field are others.",
		Why: "A manager owns it as well, or no longer."}
	ValueChanged = finding.Rule{Name: "value-changed", Severity: report.SeverityNote, Title: "A value is another one.",
		Why: "The managers that own it and have written since are named."}
)

// Rules are all rules, the heaviest first.
func Rules() finding.Rules {
	return finding.Rules{ApplyRejected, ObjectRemoved, OwnershipTaken, EntryLost, FieldUnowned, OwnersChanged, ValueChanged}
}
