package clear

import "github.com/ssactl/ssactl/internal/report"

// Kind is that of the document of a run.
const Kind = "Clearing"

// Document is one run of clear: a Clearing for each object, in their order.
type Document = report.Document[Summary, Clearing]

// Summary counts objects, and what they lose.
type Summary struct {
	Total int `json:"total"`
	// Cleared objects lose entries or paths; Unchanged have nothing to clear.
	Cleared   int `json:"cleared"`
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
	Failed    int `json:"failed"`
	// Entries and Ownerless count over all objects that are cleared.
	Entries   int `json:"entries"`
	Ownerless int `json:"ownerless"`
	// WithRefused counts the applies of real manifests that would be refused
	// after clearing.
	WithRefused int `json:"withRefused,omitempty"`
}

// NewDocument counts objects, which it keeps in their order.
func NewDocument(run report.Run, objects []Clearing) Document {
	return report.NewDocument(Kind, run, objects, (*Summary).count)
}

func (s *Summary) count(c Clearing) {
	s.Total++
	if c.With != nil && c.With.After.Outcome.Refused() {
		s.WithRefused++
	}
	switch {
	case c.Outcome == report.Failed:
		s.Failed++
	case c.Outcome.Refused():
		s.Refused++
	case c.Patch == nil:
		s.Unchanged++
	default:
		s.Cleared++
		s.Entries += len(c.Cleared)
		s.Ownerless += len(c.Ownerless)
	}
}
