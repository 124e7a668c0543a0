package resolve

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports.
type FactKind = report.FactKind

// What is to be remarked of a choice: a field that it names exists and does not
// conflict, or a manager that it names owns no field that does.
const (
	StopsNoConflict FactKind = "StopsNoConflict"
	UsesNoConflict  FactKind = "UsesNoConflict"
	OwnsNoConflict  FactKind = "OwnsNoConflict"
)
