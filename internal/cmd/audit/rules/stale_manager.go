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

// Clock says when it is, and how long a manager may be silent.
type Clock struct {
	Now time.Time
	// StaleAfter is the silence after which a manager is taken to write no
	// longer; 0 or less means never.
	StaleAfter time.Duration
}

// old reports whether nothing was heard for too long since a time.
func (c Clock) old(t time.Time) bool { return c.Now.Sub(t) > c.StaleAfter }

// writes are what one object tells of when managers wrote.
type writes struct {
	// newest is when each manager wrote last, as far as is known.
	newest map[string]time.Time
	// silent are the findings on entries that are old where others have written since.
	// They count if no other object shows that their managers write.
	silent []finding.Finding
}

// writesOf gathers them. Entries that another rule reports are left to it.
func writesOf(s *examined) writes {
	w := writes{newest: map[string]time.Time{}}
	for _, e := range s.entries {
		if e.Time != nil && e.Time.After(w.newest[e.Manager]) {
			w.newest[e.Manager] = *e.Time
		}
		if outlived(s, e) && !s.told[e.Role] {
			w.silent = append(w.silent, silentFinding(s, e))
		}
	}
	return w
}

// outlived reports whether an Update entry is old, and a manifest or a person has
// written to the same resource since: the object lives on without the manager.
// That a controller reports the status shows nothing.
func outlived(s *examined, e managedfields.Entry) bool {
	if s.Clock.StaleAfter <= 0 || e.Operation != managedfields.Update || e.Time == nil || !s.Clock.old(*e.Time) || e.Set.Empty() || inService(e) {
		return false
	}
	for i, other := range s.entries {
		written := other.Operation == managedfields.Apply || s.cares[i] == byTool || s.cares[i] == byHand
		if other.Manager != e.Manager && other.Subresource == e.Subresource && written && other.Time != nil && !s.Clock.old(*other.Time) {
			return true
		}
	}
	return false
}

func silentFinding(s *examined, e managedfields.Entry) finding.Finding {
	fields := s.fields(e.Set.Leaves())
	days := int(s.Clock.Now.Sub(*e.Time).Hours() / 24)
	return s.finding(staleManager, e.Manager, fields, text.New("%v wrote last on %v, %v ago, here and everywhere in these files, and still owns %v",
		nameOf(e.Role), text.Name(e.Time.Format(time.DateOnly)), text.Count(days, "day"), text.Count(len(fields), "field")), fixSilent(s, e)...)
}

// fixSilent moves what a client-side tool wrote to server-side apply: cleared, the fields
// of its manifest would have no owner. What another writer left behind is cleared.
func fixSilent(s *examined, e managedfields.Entry) []finding.Fix {
	heir, shared := s.heirOf(e, s.applies())
	switch {
	case careOf(e) != byTool:
		return []finding.Fix{s.fixClear(e)}
	case shared != nil:
		return s.fixOld(e, heir, byTool)
	}
	return []finding.Fix{fix(s.about(migrateIt, from(e)), text.New("moves the object to server-side apply, with the fields of %v", text.By(e.Manager)))}
}

// silent are the findings on managers that no object of the run shows to write.
func silent(run []Examined, clock Clock) []finding.Finding {
	newest := map[string]time.Time{}
	for _, e := range run {
		for manager, t := range e.writes.newest {
			if t.After(newest[manager]) {
				newest[manager] = t
			}
		}
	}
	var out []finding.Finding
	for _, e := range run {
		for _, f := range e.writes.silent {
			if clock.old(newest[f.Manager]) {
				out = append(out, f)
			}
		}
	}
	return out
}
