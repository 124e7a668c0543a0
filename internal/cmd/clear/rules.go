package clear

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of remarks on the live object, and on the server's answer.
var (
	unstorable = finding.Rule{Name: "unstorable-managed-fields", Severity: report.SeverityWarning, Title: "managedFields is not a list of entries.",
		Why: "No server stores it: the answer is what a server does with entries that it can store and not read."}
	noManagedFields = finding.Rule{Name: "no-managed-fields", Severity: report.SeverityNote, Title: "The live object has no managedFields.",
		Why: "There is nothing to clear, unless it was fetched without them."}
	noResourceVersion = finding.Rule{Name: "no-resource-version", Severity: report.SeverityWarning, Title: "The live object has no resourceVersion.",
		Why: "The patch cannot test whether the object is still the same: it tests the managers."}
	noCommand = finding.Rule{Name: "no-command", Severity: report.SeverityWarning, Title: "No command line can name the object.",
		Why: "The patch has to be sent in another way."}
	withheld = finding.Rule{Name: "patch-withheld", Severity: report.SeverityNote, Title: "The patch is left out.",
		Why: "It would write masks in place of values."}
	allForgotten = finding.Rule{Name: "unreadable-entry", Severity: report.SeverityWarning, Title: "An entry that stays cannot be read.",
		Why: "The server forgets all entries for it."}
	entryDropped = finding.Rule{Name: "entry-dropped", Severity: report.SeverityWarning, Title: "The server drops another entry too.",
		Why: "It does not serve the API version of the entry."}
	entryShortened = finding.Rule{Name: "entry-shortened", Severity: report.SeverityWarning, Title: "The server stores less of another entry too.",
		Why: "Its manager loses fields that were not to be cleared."}
	otherChanges = finding.Rule{Name: "other-changes", Severity: report.SeverityNote, Title: "The server changes other things of the object too.",
		Why: "Every write is defaulted, converted and admitted."}
)

// Rules are all rules.
func Rules() finding.Rules {
	return finding.Rules{
		unstorable, noManagedFields, noResourceVersion, noCommand, withheld, allForgotten, entryDropped, entryShortened, otherChanges,
	}
}

func (c *clearing) find(rule finding.Rule, format string, args ...text.Argument) finding.Finding {
	return rule.On(c.Write.Target(), c.Write.LiveAt(), text.New(format, args...))
}
