package audit

import (
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/report"
)

// ReportKind is the kind of the report document.
const ReportKind = "AuditReport"

// IgnoreAnnotation names the rules that are not to be reported of an object: names
// or patterns, separated by commas.
const IgnoreAnnotation = "ssactl.dev/audit-ignore"

// What audit shares with other commands that find faults.
type (
	// Severity is that of findings.
	Severity = findings.Severity
	// Rule is that of findings.
	Rule = findings.Rule
	// Selection is that of findings.
	Selection = findings.Selection
	// Finding is that of findings.
	Finding = findings.Finding
	// Fix is that of findings.
	Fix = findings.Fix
	// FixKind is that of findings.
	FixKind = findings.FixKind
	// Report is that of findings.
	Report = findings.Report
	// Suppression is that of findings.
	Suppression = findings.Suppression
)

// The severities, from most to least.
const (
	// Error: the next write of somebody is refused, or ownership is lost.
	Error = findings.Error
	// Warning: the next write does not do what its manifest says, or a secret
	// is shown where it should not be.
	Warning = findings.Warning
	// Note: nothing goes wrong by itself, but it is good to know.
	Note = findings.Note
)

// Rules are all rules, in the order in which their findings are reported within a
// severity.
func Rules() findings.Rules { return rules }

// Run are the objects of a run with what was found.
type Run struct {
	report.Run
	Examined     []Examined
	Manifests    int
	Settings     Settings
	Suppressions []Suppression
}

// Conclude makes the report of a run. Of one that was interrupted, it has no findings
// that need all objects.
func Conclude(run Run) Report {
	out := findings.Run{
		Run: run.Run, Kind: ReportKind, Rules: rules, Objects: len(run.Examined), Manifests: run.Manifests,
		Ignoring: map[report.Target][]string{}, Annotation: IgnoreAnnotation,
		Selection: run.Settings.Selection, Suppressions: run.Suppressions, Now: run.Settings.Clock.Now,
	}
	var surveys []Survey
	for _, e := range run.Examined {
		surveys = append(surveys, e.Survey)
		out.Findings = append(out.Findings, e.Findings...)
		if len(e.ignored) > 0 {
			out.Ignoring[e.target] = e.ignored
		}
	}
	out.Findings = append(out.Findings, autoscaled(surveys)...)
	if run.Interrupted == nil {
		out.Findings = append(out.Findings, together(surveys, run.Settings.Clock)...)
	}
	return findings.Conclude(out)
}
