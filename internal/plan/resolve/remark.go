package resolve

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports.
type FactKind = report.FactKind

// Remark is what is to be remarked of a choice. It is of the run, and of no object: its
// name is not a field path of one, and is searched for values of Secrets as texts are.
type Remark struct {
	Kind FactKind
	// Name is the field, or the manager, as it was asked for.
	Name string
}

// What is to be remarked of a choice: a field that it names exists and does not
// conflict, or a manager that it names owns no field that does.
const (
	StopsNoConflict FactKind = "StopsNoConflict"
	UsesNoConflict  FactKind = "UsesNoConflict"
	OwnsNoConflict  FactKind = "OwnsNoConflict"
)
