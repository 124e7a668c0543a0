package report

import (
	"encoding/json"

	kjson "k8s.io/apimachinery/pkg/util/json"
)

// Report is one run: every simulated write, in the order of the manifests.
type Report struct {
	Head
	Results []Result `json:"results"`
	Summary Summary  `json:"summary"`
	// Overview is what the results have in common; nil where they were not counted.
	Overview *Overview `json:"overview,omitempty"`
	Ending
	// Unmatched are the live objects that no manifest names, in input order,
	// where they were asked for.
	Unmatched []Target `json:"unmatched,omitempty"`
}

// Summary counts the outcomes of objects, each once: the numbers up to Failed add up to
// Total.
type Summary struct {
	Total   int `json:"total"`
	Created int `json:"created"`
	// Configured counts the objects that change and stay what they are.
	Configured int `json:"configured"`
	Unchanged  int `json:"unchanged"`
	// Recreated counts the objects that the client deletes and creates again.
	Recreated int `json:"recreated"`
	// Deleted counts the objects that are deleted, and Deleting those of them that wait for
	// their finalizers.
	Deleted  int `json:"deleted"`
	Deleting int `json:"-"`
	// Hooks counts the hooks that the client runs, whether they stay or are removed again.
	Hooks      int `json:"hooks"`
	Conflicted int `json:"conflicted"`
	Invalid    int `json:"invalid"`
	Failed     int `json:"failed"`
	// Undefined counts the objects of a kind that no definition of the inputs serves.
	Undefined int `json:"undefined,omitempty"`
	// Risky counts the accepted objects with risks that are more than notes.
	Risky int `json:"risky,omitempty"`
	// Findings counts those of the results.
	Findings FindingCount `json:"findings"`
	// Unmatched counts the live objects that no manifest names; nil where
	// there were no live objects to compare with.
	Unmatched *int `json:"unmatched,omitempty"`
	// Comparison counts what the change of the manifests does; nil without --base.
	Comparison *Comparison `json:"comparison,omitempty"`
}

// New counts results, which it keeps in their order.
func New(run Run, results []Result) Report {
	r := Report{Head: run.Head(Kind), Results: results, Ending: run.Ending}
	for i := range results {
		r.Summary.count(results[i])
	}
	return r
}

func (s *Summary) count(r Result) {
	s.Findings.Add(r.Findings...)
	if Risky(r.Risks) {
		s.Risky++
	}
	if r.Confidence.Has(RuleAssumedSchema) {
		s.Undefined++
	}
	s.CountEnd(r)
}

// CountEnd counts a result by what happens to its object: its outcome, or that it is a hook, or that the
// client deletes it or creates it again.
func (s *Summary) CountEnd(r Result) {
	s.Total++
	switch {
	case r.Outcome.Refused():
		s.outcome(r.Outcome)
	case r.Hook != "":
		s.Hooks++
	case r.Recreated:
		s.Recreated++
	case r.Deleted:
		s.Deleted++
	case r.Operation == Delete && r.Outcome == Configured:
		s.Deleted++
		s.Deleting++
	default:
		s.outcome(r.Outcome)
	}
}

// Count counts an outcome.
func (s *Summary) Count(o Outcome) {
	s.Total++
	s.outcome(o)
}

func (s *Summary) outcome(o Outcome) {
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

// Refused reports whether any write of the run is rejected, or has no answer.
func (s Summary) Refused() bool {
	return s.Conflicted+s.Invalid+s.Failed > 0
}

// Decisive counts the objects that are rejected, and those without an answer, as far as they
// make the exit code: with --base, those of the change.
func (s Summary) Decisive() (refused, failed int) {
	if c := s.Comparison; c != nil && !c.Existing {
		return c.Refused, c.Failed
	}
	return s.Conflicted + s.Invalid, s.Failed
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

// Answer is what the API server answers a write, in short.
type Answer struct {
	Outcome Outcome `json:"outcome"`
	// Code is the HTTP status that the API server answers; 0 for Failed, and for Invalid
	// where the client refuses before it sends a request.
	Code int `json:"code"`
	// Message is the server's where it refuses, word for word, or says why no
	// answer could be given; empty where the write is accepted.
	Message string `json:"message,omitempty"`
}

// Attempt is the Answer to a write that there may be none of: it is empty then,
// and documents leave it out.
type Attempt struct {
	Outcome Outcome `json:"outcome,omitempty"`
	Code    int     `json:"code,omitempty"`
	Message string  `json:"message,omitempty"`
}

// Answer is that of a result.
func (r Result) Answer() Answer {
	a := Answer{Outcome: r.Outcome, Code: r.Code, Message: r.Error}
	if r.Status != nil {
		a.Message = r.Status.Message
	}
	return a
}
