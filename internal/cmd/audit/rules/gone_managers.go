package rules

import (
	"time"

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
		says = says.And(
			": ",
			text.New("with the next new manager that updates the object, the two oldest are folded into one"),
		)
	}
	s.find(manyUpdateEntries, "", nil, says,
		fix(s.about(ownersOf, shell.Value("--as", "managers")), text.New("lists the entries, with what each of them owns")))
}

// nobodys reports an entry whose name the server made up, and why that matters. Its fields
// go to the one who applies most of them, or are left unowned.
func nobodys(s *examined, rule finding.Rule, e managedfields.Entry, because text.Text) {
	s.told[e.Role] = true
	fields := s.fields(e.Set.Leaves())
	f := s.finding(
		rule,
		e.Manager,
		fields,
		text.New("%v owns %v: %v", text.By(e.Manager), text.Count(len(fields), "field"), because),
		s.fixClear(e),
	)
	if heir, shared := s.heirOf(e, s.applies()); shared != nil {
		f.Fixes = s.fixOld(e, heir, byTool)
		if rule.Name == beforeFirstApply.Name {
			f.Joint = heir.Manager
		}
	}
	s.add(f)
}

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
	silent []report.Finding
}

// writesOf gathers them. Entries that another rule reports are left to it.
func writesOf(s *examined) writes {
	w := writes{newest: map[string]time.Time{}}
	for _, e := range s.entries {
		if e.Time != nil && e.Time.After(w.newest[e.Manager]) {
			w.newest[e.Manager] = *e.Time
		}
		if outlived(s, e) && !s.told[e.Role] {
			fields, days := s.fields(e.Set.Leaves()), int(s.Clock.Now.Sub(*e.Time).Hours()/24)
			w.silent = append(
				w.silent,
				s.finding(staleManager, e.Manager, fields, text.New(
					"%v wrote last on %v, %v ago, here and everywhere in these files, and still owns %v",
					nameOf(
						e.Role,
					),
					text.Name(e.Time.Format(time.DateOnly)),
					text.Count(days, "day"),
					text.Count(len(fields), "field"),
				), fixSilent(s, e)...),
			)
		}
	}
	return w
}

// outlived reports whether an Update entry is old, and a manifest or a person has
// written to the same resource since: the object lives on without the manager.
// That a controller reports the status shows nothing.
func outlived(s *examined, e managedfields.Entry) bool {
	if s.Clock.StaleAfter <= 0 || e.Operation != managedfields.Update || e.Time == nil || !s.Clock.old(*e.Time) ||
		e.Set.Empty() ||
		inService(e) {
		return false
	}
	for i, other := range s.entries {
		written := other.Operation == managedfields.Apply || s.cares[i] == byTool || s.cares[i] == byHand
		if other.Manager != e.Manager && other.Subresource == e.Subresource && written && other.Time != nil &&
			!s.Clock.old(*other.Time) {
			return true
		}
	}
	return false
}

// fixSilent moves what a client-side tool wrote to server-side apply: cleared, the fields
// of its manifest would have no owner. What another writer left behind is cleared.
func fixSilent(s *examined, e managedfields.Entry) []report.Fix {
	heir, shared := s.heirOf(e, s.applies())
	switch {
	case careOf(e) != byTool:
		return []report.Fix{s.fixClear(e)}
	case shared != nil:
		return s.fixOld(e, heir, byTool)
	}
	return []report.Fix{
		fix(
			s.about(migrateIt, from(e)),
			text.New("moves the object to server-side apply, with the fields of %v", text.By(e.Manager)),
		),
	}
}

// silent are the findings on managers that no object of the run shows to write.
func silent(run []Examined, clock Clock) []report.Finding {
	newest := map[string]time.Time{}
	for _, e := range run {
		for manager, t := range e.writes.newest {
			if t.After(newest[manager]) {
				newest[manager] = t
			}
		}
	}
	var out []report.Finding
	for _, e := range run {
		for _, f := range e.writes.silent {
			if clock.old(newest[f.Manager]) {
				out = append(out, f)
			}
		}
	}
	return out
}
