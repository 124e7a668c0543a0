package rules

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var beforeFirstApply = finding.Rule{
	Name: "before-first-apply", Severity: report.SeverityWarning,
	Title: "Fields are owned by before-first-apply.",
	Why:   "The API server synthesized this owner because the object had no managedFields: applying another value to one of its fields conflicts, and dropped fields stay. No client writes under this name.",
}

var ancientChanges = finding.Rule{
	Name: "ancient-changes", Severity: report.SeverityNote,
	Title: "Old Update entries were folded into ancient-changes.",
	Why:   "More than ten managers updated the object. The owners of these fields are lost, and no client writes under this name.",
}

var manyUpdateEntries = finding.Rule{
	Name: "many-update-entries", Severity: report.SeverityNote,
	Title: "There are nearly as many Update entries as are kept.",
	Why:   "The API server keeps ten Update entries, and folds the oldest into ancient-changes: who owned their fields is lost then. Many names usually mean a client that takes a new one with every version or every run.",
}

// ancient is the manager into which the server folds the oldest Update
// entries (apimachinery, managedfields/internal/capmanagers.go).
const ancient = "ancient-changes"

// limits of Update entries (apiserver, managedfields: DefaultMaxUpdateManagers).
const (
	maxUpdates  = 10
	manyUpdates = 8
)

// findMadeUp finds the entries whose names the server makes up, and those that
// soon will be folded into one.
func findMadeUp(s *examined) {
	updates := 0
	for _, e := range s.entries {
		if e.Operation != managedfields.Update {
			continue
		}
		updates++
		switch e.Manager {
		case managedfields.BeforeFirstApply:
			nobodys(s, beforeFirstApply, e, text.New("no client writes under this name"))
		case ancient:
			nobodys(s, ancientChanges, e, text.New("the names of their managers are lost"))
		}
	}
	if updates < manyUpdates {
		return
	}
	says := text.New("%v of at most %v Update entries are taken", text.Number(updates), text.Number(maxUpdates))
	if updates >= maxUpdates {
		says = says.And(": ", text.New("with the next new manager that updates the object, the two oldest are folded into one"))
	}
	s.find(manyUpdateEntries, "", nil, says,
		fix(s.about(ownersOf, shell.Value("--as", "managers")), text.New("lists the entries, with what each of them owns")))
}

// nobodys reports an entry whose name the server made up, and why that matters. Its fields
// go to the one who applies most of them, or are left unowned.
func nobodys(s *examined, rule finding.Rule, e managedfields.Entry, because text.Text) {
	s.told[e.Role] = true
	fields := s.fields(e.Set.Leaves())
	f := s.finding(rule, e.Manager, fields, text.New("%v owns %v: %v", text.By(e.Manager), text.Count(len(fields), "field"), because), s.fixClear(e))
	if heir, shared := s.heirOf(e, s.applies()); shared != nil {
		f.Fixes = s.fixOld(e, heir, byTool)
		if rule.Name == beforeFirstApply.Name {
			f.Cause = heir.Manager
		}
	}
	s.add(f)
}
