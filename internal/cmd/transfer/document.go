package transfer

import "github.com/ssactl/ssactl/internal/report"

// Kind is that of the document of a run.
const Kind = "Transfer"

// Document is one run of transfer: a Plan for each object, in their order.
type Document struct {
	report.Head
	Summary Summary `json:"summary"`
	Plans   []Plan  `json:"plans"`
	report.Ending
}

// Summary counts plans.
type Summary struct {
	Total int `json:"total"`
	// Safe plans have a chosen option, Unsafe ones none.
	Safe   int `json:"safe"`
	Unsafe int `json:"unsafe"`
	Failed int `json:"failed"`
	// Without counts the objects that do not have the fields.
	Without int `json:"without,omitempty"`
}

// NewDocument counts plans, which it keeps in their order, and reports how many
// objects do not have the fields.
func NewDocument(run report.Run, plans []Plan, without int) Document {
	d := Document{
		Head: run.Head(Kind), Plans: report.List(plans), Ending: run.Ending,
		Summary: Summary{Total: len(plans), Without: without},
	}
	for _, p := range plans {
		switch {
		case p.Outcome == report.Failed && p.Chosen == "":
			d.Summary.Failed++
		case p.Chosen == "":
			d.Summary.Unsafe++
		default:
			d.Summary.Safe++
		}
	}
	return d
}
