package rules

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var unownedDiffers = finding.Rule{
	Name: "unowned-differs", Severity: report.SeverityNote,
	Title: "The manifest sets values that no manager owns, and the live ones differ.",
	Why: "Without an owner, a change of the value conflicts with no manager, and no other rule reports it. " +
		"Clearing an entry leaves such values, and so does the server where it sets a default.",
}

// findUnowned finds the values that the manifest sets and the live object has otherwise, without an owner.
// Of an object without entries, the server makes one up that owns all of it, and another rule speaks of that.
func findUnowned(s *examined) {
	if s.Manifest == nil || s.Manifest.Outcome.Refused() || len(s.entries) == 0 {
		return
	}
	var fields []string
	unowned := map[string]bool{}
	for _, leaf := range managedfields.Of(s.Live).Unowned(s.Live, s.Shape) {
		unowned[leaf.Path.String()] = true
	}
	for _, c := range s.Manifest.Changes {
		if c.Kind == report.Modified && c.Reason == report.ReasonApplied && unowned[c.Field] && !s.isSaid(c.Field) {
			fields = append(fields, c.Field)
		}
	}
	if len(fields) == 0 {
		return
	}
	s.find(unownedDiffers, "", fields,
		text.New("no manager owns %v, which the manifest sets to %v", some(fields),
			text.Agree(len(fields), "another value", "other values")),
		fix(s.applying(shell.Command("ssactl", "diff")), text.New("shows both values")))
}
