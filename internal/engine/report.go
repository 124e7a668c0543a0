package engine

import (
	"encoding/json"

	kjson "k8s.io/apimachinery/pkg/util/json"
)

// The identity of the report document.
const (
	ReportAPIVersion = "ssactl.dev/v1alpha1"
	ReportKind       = "Report"
)

// Report is one run: every simulated write, in the order of the manifests.
type Report struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Server     Server   `json:"server"`
	Summary    Summary  `json:"summary"`
	Results    []Result `json:"results"`
	// Problems are inputs that gave no object at all, in input order.
	Problems []Problem `json:"problems,omitempty"`
}

// Server is the API server whose behaviour was simulated.
type Server struct {
	Version string `json:"version"`
}

// Summary counts the outcomes.
type Summary struct {
	Total      int `json:"total"`
	Created    int `json:"created"`
	Configured int `json:"configured"`
	Unchanged  int `json:"unchanged"`
	Conflicted int `json:"conflicted"`
	Invalid    int `json:"invalid"`
	Failed     int `json:"failed"`
}

// Problem is an input that could not be read as an object.
type Problem struct {
	Source  Source `json:"source"`
	Message string `json:"message"`
}

// NewReport counts results, which it keeps in their order.
func NewReport(version string, results []Result, problems []Problem) Report {
	r := Report{
		APIVersion: ReportAPIVersion,
		Kind:       ReportKind,
		Server:     Server{Version: version},
		Results:    results,
		Problems:   problems,
	}
	for i := range results {
		r.Summary.count(results[i].Outcome)
	}
	return r
}

func (s *Summary) count(o Outcome) {
	s.Total++
	switch o {
	case Created:
		s.Created++
	case Configured:
		s.Configured++
	case Unchanged:
		s.Unchanged++
	case Conflicted:
		s.Conflicted++
	case Invalid:
		s.Invalid++
	case Failed:
		s.Failed++
	}
}

// Refused tells whether anything stands in the way of the run.
func (s Summary) Refused() bool {
	return s.Conflicted+s.Invalid+s.Failed > 0
}

// MarshalJSON writes the status as the server answers it.
func (s Status) MarshalJSON() ([]byte, error) { return json.Marshal(s.Raw) }

// UnmarshalJSON reads a metav1.Status. Whole numbers are int64, as in every
// other object of a result.
func (s *Status) UnmarshalJSON(b []byte) error {
	if err := kjson.Unmarshal(b, &s.Raw); err != nil {
		return err
	}
	s.Message, _ = s.Raw["message"].(string)
	s.Reason, _ = s.Raw["reason"].(string)
	return nil
}
