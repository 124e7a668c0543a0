package rules

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var managedFieldsUnreadable = finding.Rule{
	Name: "managed-fields-unreadable", Severity: report.SeverityError,
	Title: "managedFields cannot be read.",
	Why:   "The API server refuses every apply to the object, and the next other write makes it forget all entries, the readable ones too.",
}

// shownBroken is how many broken entries are named.
const shownBroken = 5

// findUnreadable finds managedFields that the server cannot read.
func findUnreadable(s *examined) {
	var bad []text.Text
	if err := s.owners.Err; err != nil {
		bad = append(bad, text.New("%v", text.Said(err.Error())))
	}
	for _, e := range s.owners.Broken() {
		one := text.New("entry %v", text.Number(e.Index+1))
		if e.Manager != "" {
			one = text.New("%v (%v)", one, text.By(e.Manager))
		}
		bad = append(bad, one.And(": ", s.quoting(e.Err.Error())))
	}
	if len(bad) == 0 {
		return
	}
	says := text.Join(bad[:min(len(bad), shownBroken)], "; ")
	if more := len(bad) - shownBroken; more > 0 {
		says = says.And("; ", text.New("and %v more", text.Number(more)))
	}
	s.find(managedFieldsUnreadable, "", nil, text.New("managedFields cannot be read: %v", says),
		fix(s.about(clearIt, shell.Switch("--all")), text.New("clears managedFields, so that the API server starts to track again")))
}
