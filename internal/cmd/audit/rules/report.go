package rules

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

// ReportKind is the kind of the report document.
const ReportKind = "AuditReport"

// IgnoreAnnotation names the rules that are not to be reported of an object: names
// or patterns, separated by commas.
const IgnoreAnnotation = "ssactl.dev/audit-ignore"

// Run are the objects of a run with what was found.
type Run struct {
	report.Run
	Examined     []Examined
	Manifests    int
	Settings     Settings
	Suppressions []finding.Suppression
}

// Conclude makes the report of a run. Of one that was interrupted, it has no findings
// that need all objects.
func Conclude(run Run) finding.Report {
	out := finding.Run{
		Run: run.Run, Kind: ReportKind, Rules: Rules(), Objects: len(run.Examined), Manifests: run.Manifests,
		Ignoring: map[report.Target][]string{}, Annotation: IgnoreAnnotation,
		Join: run.Settings.takeover, Selection: run.Settings.Selection, Suppressions: run.Suppressions, Now: run.Settings.Clock.Now,
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
	return finding.Conclude(out)
}
