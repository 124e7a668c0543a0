package answers

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// annotated is how many findings of a run stand at each of their lines; of more, a cause
// stands at its first line only.
const annotated = 10

// findings are the causes for systems of CI that show few, the worst first.
func (w *Run) findings() []model.Finding {
	rows := 0
	for _, c := range w.Causes.Sorted() {
		rows += len(c.rows)
	}
	var out []model.Finding
	for _, c := range w.Causes.list {
		list := c.rows
		if rows > annotated || c.Rule == risk.Takeover || c.Rule == unanswered {
			list = list[:1]
		}
		for _, row := range list {
			out = append(out, w.finding(c, row, len(list) > 1))
		}
	}
	return out
}

// finding is a cause at a line: of one row, or with the first of all its rows.
func (w *Run) finding(c *cause, row causeRow, one bool) model.Finding {
	f := model.Finding{Rule: ruleID(c.Rule), Level: page.Severities[c.severity].Level, Title: c.Rule + ": " + words.Object(row.target), Name: row.target.Name, Object: page.Qualified(row.target), Field: row.Field}
	if row.source != nil {
		f.File, f.Line = row.source.File, row.source.Line
	}
	f.Message = w.says(c).String()
	if c.Rule == rejected || c.Rule == unanswered {
		f.Message += "\n" + c.quote().Text
	}
	switch {
	case c.Rule == risk.Takeover:
	case one || c.fields == 1:
		f.Message = strings.TrimRight(f.Message+"\n"+strings.TrimSpace(fieldOf(c, row)+"  "+row.values.String()), "\n ")
	default:
		for i, r := range c.rows {
			if i == shownRows && c.fields > shownRows+1 {
				break
			}
			f.Message += "\n" + model.Join(full(w.cells(r, c.common == "")), "  ").String()
		}
		if more := c.fields - min(len(c.rows), shownRows); c.fields > shownRows+1 {
			f.Message += fmt.Sprintf("\n… %d more", more)
		}
	}
	fix, lines := w.fix(c)
	if len(fix) > 0 && c.Rule != risk.Takeover && !strings.HasPrefix(fix.String(), "To ") {
		f.Message += "\n" + fix.String()
	}
	f.Fix = strings.Join(lines, "\n")
	f.Fails = w.o.Fails(report.Risk{Rule: c.Rule, Severity: c.severity})
	return f
}

// fieldOf is the field of a row, unless the cause says it.
func fieldOf(c *cause, row causeRow) string {
	if c.common != "" {
		return ""
	}
	return row.Field
}
