package clear

import "github.com/ssactl/ssactl/internal/report"

// Kind is that of the document of a run.
const Kind = "Clearing"

// Document is one run of clear: a Clearing for each object, in their order.
type Document struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     report.Server    `json:"server"`
	Summary    Summary          `json:"summary"`
	Objects    []Clearing       `json:"objects"`
	Problems   []report.Problem `json:"problems,omitempty"`
	// Interrupted is nil for a run that came to its end.
	Interrupted *report.Interruption `json:"interrupted,omitempty"`
}

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
func NewDocument(version string, objects []Clearing, problems []report.Problem) Document {
	if objects == nil {
		objects = []Clearing{}
	}
	d := Document{
		APIVersion: report.APIVersion, Kind: Kind,
		Server: report.Server{Version: version}, Objects: objects, Problems: problems,
	}
	for _, o := range objects {
		d.Summary.count(o)
	}
	return d
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
