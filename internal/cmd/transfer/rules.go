package transfer

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of remarks on what a plan rests on, and on what it leaves.
var (
	manifestUnknown = finding.Rule{Name: "manifest-unknown", Severity: report.SeverityNote, Title: "The manifest of a manager is put together from the fields that it owns.",
		Why: "What it applies may have other fields, and values in another spelling."}
	manifestDrops = finding.Rule{Name: "manifest-drops", Severity: report.SeverityWarning, Title: "A given manifest does not have a field any more.",
		Why: "The next apply drops the field, before it is handed over."}
	coOwner = finding.Rule{Name: "co-owner", Severity: report.SeverityNote, Title: "Another manager owns a field too.",
		Why: "It goes on to own the field."}
	writesByUpdates = finding.Rule{Name: "writes-by-updates", Severity: report.SeverityWarning, Title: "The former owner writes by updates.",
		Why: "No step can take the field out of its source, and its updates never conflict."}
	kubectlMoves = finding.Rule{Name: "kubectl-moves-entries", Severity: report.SeverityWarning, Title: "kubectl moves client-side entries to the manager that applies.",
		Why: "An apply then removes the fields that the manifest lacks."}
)

// Rules are all rules.
func Rules() finding.Rules {
	return finding.Rules{manifestUnknown, manifestDrops, coOwner, writesByUpdates, kubectlMoves}
}

func (p *planner) find(rule finding.Rule, format string, args ...text.Argument) finding.Finding {
	return rule.On(p.Write.Target(), p.Write.LiveAt(), text.New(format, args...))
}
