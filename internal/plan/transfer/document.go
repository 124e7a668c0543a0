package transfer

import "github.com/ssactl/ssactl/internal/report"

// Kind is that of the document of a run.
const Kind = "Transfer"

// Document is one run of transfer: a Plan for each object, in their order.
type Document struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     report.Server    `json:"server"`
	Summary    Summary          `json:"summary"`
	Plans      []Plan           `json:"plans"`
	Problems   []report.Problem `json:"problems,omitempty"`
	// Interrupted is nil for a run that came to its end.
	Interrupted *report.Interruption `json:"interrupted,omitempty"`
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
func NewDocument(version string, plans []Plan, without int, problems []report.Problem) Document {
	if plans == nil {
		plans = []Plan{}
	}
	d := Document{
		APIVersion: report.APIVersion, Kind: Kind,
		Server: report.Server{Version: version}, Plans: plans, Problems: problems,
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
