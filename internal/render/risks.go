package render

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/report"
)

// shownRisks is how many risks of an object are shown unless all are asked for.
const shownRisks = 10

// risks are shown right under the verdict, unfolded: the server says yes, and yet
// somebody is to look.
func (p *printer) risks(r report.Result, indent string) {
	for i, risk := range r.Risks {
		if i == shownRisks && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("%s… %s; -v shows all", indent, count(len(r.Risks)-i, "more risk"))))
			return
		}
		line := riskLine(risk)
		if at := place(risk.Source); at != "" {
			line += ", " + at
		}
		p.paragraph(indent+riskWord(risk)+": ", line)
	}
}

// riskWord is how a risk is called by its severity.
func riskWord(r report.Risk) string {
	switch r.Severity {
	case report.SeverityError:
		return "Risk"
	case report.SeverityWarning:
		return "Risky"
	}
	return "Note"
}

// riskLine is a risk in one line, with its rule, which --fail-on takes.
func riskLine(r report.Risk) string {
	s := r.Message
	if r.Field != "" {
		s = r.Field + ": " + s
	}
	return s + " (" + r.Rule + ")"
}
