package audit

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// The identity of the report document.
const (
	ReportAPIVersion = report.APIVersion
	ReportKind       = "AuditReport"
)

// Report is one run: what is wrong, the worst first.
type Report struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Server     report.Server `json:"server"`
	Summary    Summary       `json:"summary"`
	// Rules are those with findings, in the order of Findings.
	Rules []RuleCount `json:"rules"`
	// Findings are sorted by severity, rule, namespace, kind, name, field.
	Findings []Finding `json:"findings"`
	// Suppressed are sorted as Findings are.
	Suppressed []Suppressed `json:"suppressed"`
	// IdleSuppressions are those that hid nothing, in their order.
	IdleSuppressions []Idle `json:"idleSuppressions,omitempty"`
	// Problems are inputs that could not be read, in input order.
	Problems []report.Problem `json:"problems,omitempty"`
	// Interrupted is nil for a run that came to its end. The findings are those
	// of the first objects then, without those that only all objects together
	// can make.
	Interrupted *report.Interruption `json:"interrupted,omitempty"`
}

// Summary counts.
type Summary struct {
	Objects    int `json:"objects"`
	Manifests  int `json:"manifests"`
	Findings   int `json:"findings"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Suppressed int `json:"suppressed"`
}

// RuleCount is a rule with the number of its findings of one severity.
type RuleCount struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"`
	Findings int      `json:"findings"`
}

// Idle is a suppression that hides nothing, and why.
type Idle struct {
	Suppression Suppression `json:"suppression"`
	Why         string      `json:"why"`
}

// Run are the objects of a run with what was found.
type Run struct {
	Version      string
	Examined     []Examined
	Manifests    int
	Settings     Settings
	Suppressions []Suppression
	Problems     []report.Problem
	// Interrupted is nil where all objects were examined.
	Interrupted *report.Interruption
}

// Conclude makes the report of a run.
func Conclude(run Run) Report {
	r := Report{
		APIVersion: ReportAPIVersion, Kind: ReportKind, Server: report.Server{Version: run.Version},
		Rules: []RuleCount{}, Findings: []Finding{}, Suppressed: []Suppressed{}, Problems: run.Problems,
		Interrupted: run.Interrupted,
	}
	var surveys []Survey
	var all []Finding
	ignoring := map[report.Target][]string{}
	for _, e := range run.Examined {
		surveys = append(surveys, e.Survey)
		all = append(all, e.Findings...)
		if len(e.ignored) > 0 {
			ignoring[e.target] = e.ignored
		}
	}
	all = append(all, autoscaled(surveys)...)
	if run.Interrupted == nil {
		all = append(all, together(surveys, run.Settings.Clock)...)
	}
	all = slices.DeleteFunc(all, func(f Finding) bool { return !run.Settings.Selection.Has(f.Rule) })
	sortFindings(all)
	told, annotated := byAnnotation(all, ignoring)
	told, hidden, idle := suppress(told, run.Suppressions, run.Settings.Clock.Now)
	r.Findings = append(r.Findings, told...)
	r.Suppressed = append(append(r.Suppressed, annotated...), hidden...)
	slices.SortStableFunc(r.Suppressed, func(a, b Suppressed) int { return compareFindings(a.Finding, b.Finding) })
	if run.Interrupted == nil {
		r.IdleSuppressions = idle
	}
	r.count(run)
	return r
}

// byAnnotation parts the findings on objects that ask not to be told of them.
func byAnnotation(list []Finding, ignoring map[report.Target][]string) (told []Finding, hidden []Suppressed) {
	for _, f := range list {
		if matchesAny(ignoring[f.Target], f.Rule) {
			hidden = append(hidden, Suppressed{Finding: f, By: "annotation " + IgnoreAnnotation})
			continue
		}
		told = append(told, f)
	}
	return told, hidden
}

func (r *Report) count(run Run) {
	r.Summary = Summary{Objects: len(run.Examined), Manifests: run.Manifests, Findings: len(r.Findings), Suppressed: len(r.Suppressed)}
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Summary.Errors++
		case Warning:
			r.Summary.Warnings++
		case Note:
			r.Summary.Notes++
		}
		if n := len(r.Rules); n == 0 || r.Rules[n-1].Rule != f.Rule || r.Rules[n-1].Severity != f.Severity {
			r.Rules = append(r.Rules, RuleCount{Rule: f.Rule, Severity: f.Severity, Title: ruleOf(f.Rule).Title})
		}
		r.Rules[len(r.Rules)-1].Findings++
	}
}

// Has tells whether anything matters as much as severity, or more.
func (r Report) Has(severity Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity.AtLeast(severity) })
}

func place(s report.Source) string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return s.File
}
