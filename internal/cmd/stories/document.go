package stories

import (
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/story"
)

// DocumentKind is the kind of the document of a run of stories.
const DocumentKind = "StoryReport"

// Document is what stories came to.
type Document struct {
	report.Head
	Summary Summary `json:"summary"`
	Stories []Told  `json:"stories"`
	report.Ending
}

// Summary counts stories.
type Summary struct {
	Total  int `json:"total"`
	Passed int `json:"passed"`
	Failed int `json:"failed"`
	// Broken stories cannot be told: a typo, an impossible step, a missing file.
	Broken int `json:"broken"`
}

// Told is a story that was told.
type Told struct {
	Name   string        `json:"name"`
	Source report.Source `json:"source"`
	// Outcome is Passed, Failed or Broken.
	Outcome Outcome `json:"outcome"`
	Problem string  `json:"problem,omitempty"`
	Steps   []Step  `json:"steps"`
	// note is what the story says of itself.
	note string
}

// Outcome is what a story came to.
type Outcome string

// The outcomes.
const (
	Passed Outcome = "Passed"
	Failed Outcome = "Failed"
	Broken Outcome = "Broken"
)

// Step is one step of a story.
type Step struct {
	// Name says what it does, or which write it is.
	Name    string        `json:"name"`
	Source  report.Source `json:"source"`
	Objects []Moved       `json:"objects"`
	Fails   []Expectation `json:"failures"`
}

// Moved is what a step did to one object.
type Moved struct {
	Object  string `json:"object"`
	Manager string `json:"manager"`
	Outcome string `json:"outcome"`
	Code    int64  `json:"code"`
	// Message is the API server's, of a refusal.
	Message string `json:"message,omitempty"`
	// Changes are the values that change, and Transfers how ownership moves, each in a line.
	Changes   []string `json:"changes"`
	Transfers []string `json:"transfers"`
	Settles   string   `json:"settles,omitempty"`
	// Cycle are the fields that are set in turn, each in a line with the writers.
	Cycle []string `json:"cycle,omitempty"`
}

// Expectation is one that does not hold.
type Expectation struct {
	Source   report.Source `json:"source"`
	Key      string        `json:"key"`
	Field    string        `json:"field,omitempty" secret:"path"`
	Expected string        `json:"expected"`
	Actual   string        `json:"actual"`
}

func sourceOf(p story.Place) report.Source { return report.Source{File: p.File, Line: p.Line} }
