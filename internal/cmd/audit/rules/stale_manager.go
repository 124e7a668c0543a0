package rules

import (
	"time"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var staleManager = finding.Rule{
	Name: "stale-manager", Severity: report.SeverityNote,
	Title: "A field manager no longer writes.",
	Why:   "Tools that were taken out of service stay owners: their fields conflict with others, and stay when manifests drop them.",
}

// outlived reports whether an Update entry is old, and a manifest or a person has
// written to the same resource since: the object lives on without the manager.
// That a controller reports the status shows nothing.
func (s *examined) outlived(e managedfields.Entry) bool {
	if s.Clock.StaleAfter <= 0 || e.Operation != managedfields.Update || e.Time == nil || !s.old(*e.Time) || e.Set.Empty() || inService(e) {
		return false
	}
	for i, other := range s.entries {
		written := other.Operation == managedfields.Apply || s.cares[i] == byTool || s.cares[i] == byHand
		if other.Manager != e.Manager && other.Subresource == e.Subresource && written && other.Time != nil && !s.old(*other.Time) {
			return true
		}
	}
	return false
}

func (s *examined) old(t time.Time) bool { return s.Clock.Now.Sub(t) > s.Clock.StaleAfter }

func (s *examined) silentFinding(e managedfields.Entry) finding.Finding {
	fields := s.fields(e.Set.Leaves())
	days := int(s.Clock.Now.Sub(*e.Time).Hours() / 24)
	return s.finding(staleManager, e.Manager, fields, text.New("%v wrote last on %v, %v ago, here and everywhere in these files, and still owns %v",
		nameOf(e.Role), text.Name(e.Time.Format(time.DateOnly)), text.Count(days, "day"), text.Count(len(fields), "field")), s.fixSilent(e)...)
}

// fixSilent moves what a client-side tool wrote to server-side apply: cleared, the fields
// of its manifest would have no owner. What another writer left behind is cleared.
func (s *examined) fixSilent(e managedfields.Entry) []finding.Fix {
	heir, shared := s.heirOf(e, s.applies())
	switch {
	case careOf(e) != byTool:
		return []finding.Fix{s.fixClear(e)}
	case shared != nil:
		return s.fixOld(e, heir, byTool)
	}
	return []finding.Fix{fix(s.about(migrateIt, from(e)), text.New("moves the object to server-side apply, with the fields of %v", text.By(e.Manager)))}
}
