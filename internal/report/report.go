package report

import (
	"encoding/json"

	kjson "k8s.io/apimachinery/pkg/util/json"
)

// The identity of the report document.
const (
	APIVersion = "ssactl.dev/v1alpha1"
	Kind       = "Report"
)

// Report is one run: every simulated write, in the order of the manifests.
type Report struct {
	APIVersion string   `json:"apiVersion" secret:"public"`
	Kind       string   `json:"kind" secret:"public"`
	Server     Server   `json:"server"`
	Results    []Result `json:"results"`
	Summary    Summary  `json:"summary"`
	// Overview is nil where nobody asked a Tally for it.
	Overview *Overview `json:"overview,omitempty"`
	// Problems are inputs that gave no object at all, in input order.
	Problems []Problem `json:"problems,omitempty"`
	// Unmatched are the live objects that no manifest names, in input order,
	// where they were asked for.
	Unmatched []Target `json:"unmatched,omitempty"`
	// Interrupted is nil for a run that came to its end.
	Interrupted *Interruption `json:"interrupted,omitempty"`
}

// Interruption reports how far a run came that was stopped: the results are
// those of the first objects.
type Interruption struct {
	Answered int `json:"answered"`
	Total    int `json:"total"`
}

// Server is the API server whose behaviour was simulated.
type Server struct {
	Version string `json:"version" secret:"public"`
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
	// Deleted and Deleting are those of the configured objects that are gone
	// after the write, and those that a delete leaves with a deletion timestamp.
	// The document does not have them: its results do.
	Deleted  int `json:"-"`
	Deleting int `json:"-"`
	// Risky counts the accepted objects with risks that are more than notes.
	Risky int `json:"risky,omitempty"`
	// Unmatched counts the live objects that no manifest names; nil where
	// there were no live objects to compare with.
	Unmatched *int `json:"unmatched,omitempty"`
}

// Problem is an input that could not be read as an object.
type Problem struct {
	Source  Source `json:"source"`
	Message string `json:"message"`
}

// NewReport counts results, which it keeps in their order.
func New(version string, results []Result, problems []Problem) Report {
	r := Report{
		APIVersion: APIVersion,
		Kind:       Kind,
		Server:     Server{Version: version},
		Results:    results,
		Problems:   problems,
	}
	for i := range results {
		r.Summary.count(results[i])
	}
	return r
}

func (s *Summary) count(r Result) {
	s.Total++
	if Risky(r.Risks) {
		s.Risky++
	}
	switch {
	case r.Outcome != Configured:
	case r.Deleted:
		s.Deleted++
	case r.Operation == Delete:
		s.Deleting++
	}
	switch r.Outcome {
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

// Refused reports whether any write of the run is rejected, or has no answer.
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
