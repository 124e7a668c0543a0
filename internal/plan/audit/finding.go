package audit

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// Finding is one thing that is wrong with one object, or with one file where
// Target is empty.
type Finding struct {
	Rule     string        `json:"rule"`
	Severity Severity      `json:"severity"`
	Target   report.Target `json:"target"`
	// Source is where the object starts; of what is wrong with a manifest,
	// the line of the manifest.
	Source report.Source `json:"source"`
	// Field is the field path that it is about, the first of Fields; empty
	// where it is about the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fields are all field paths that it is about, sorted. They may be cut:
	// Message counts them.
	Fields []string `json:"fields,omitempty" secret:"path"`
	// Manager is the field manager that it is about; may be empty.
	Manager string `json:"manager,omitempty"`
	// Message says in one sentence who and what.
	Message string `json:"message"`
	// Why says why it matters.
	Why string `json:"why"`
	// Mend are ways to mend it, the best one first.
	Mend []Mend `json:"mend"`
}

// Mend is a way to mend a finding.
type Mend struct {
	// Command is a line for a POSIX shell.
	Command string `json:"command"`
	// Does says what the command is for.
	Does string `json:"does"`
}

// maxFields is how many field paths a finding lists.
const maxFields = 50

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Severity.rank(), b.Severity.rank()),
		cmp.Compare(order(a.Rule), order(b.Rule)),
		compareTargets(a.Target, b.Target),
		cmp.Compare(a.Source.File, b.Source.File),
		cmp.Compare(a.Source.Document, b.Source.Document),
		cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Manager, b.Manager),
		cmp.Compare(a.Message, b.Message),
	)
}

func compareTargets(a, b report.Target) int {
	return cmp.Or(
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion),
	)
}

func sortFindings(list []Finding) { slices.SortStableFunc(list, compareFindings) }
