package audit

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// manifest reports what the next apply of the object's manifest would meet.
func (s *subject) manifest() {
	r := s.Manifest
	if r == nil {
		return
	}
	switch {
	case r.Outcome == report.Conflicted:
		s.conflicts(*r)
	case r.Outcome.Refused():
		s.refused(*r)
	default:
		s.removes(*r)
		s.keepsDropped(*r)
	}
}

func (s *subject) conflicts(r report.Result) {
	for _, c := range r.Conflicts {
		f := s.finding(ApplyConflicts, s.conflicting(r, c),
			append(s.fixConflict(r, c), s.fixManifest(ShowConflict, shell.Command("ssactl", "explain"), r))...).About(c.Field)
		f.Manager, f.Source, f.InClient = c.Manager, r.Source, settingsOn(r, c)
		if c.Source != nil {
			f.Source = *c.Source
		}
		s.add(f)
	}
	if len(r.Conflicts) == 0 {
		s.refused(r)
	}
}

// settingsOn are those of the client that applies for one conflict.
func settingsOn(r report.Result, c report.Conflict) []report.ClientFix {
	var out []report.ClientFix
	for _, f := range r.InClient {
		if one, ok := f.On(c.Field, c.Manager); ok {
			out = append(out, one)
		}
	}
	return out
}

// conflicting has both values, unless they are a Secret's.
func (s *subject) conflicting(r report.Result, c report.Conflict) report.Fact {
	fact := report.Fact{Kind: ConflictsWith, Manager: r.Manager, By: []report.Writer{c.Writer}}
	if s.mayTell(c.Field) {
		fact.Kind = ConflictsOver
		fact.Before, fact.After = report.Value{Value: c.Live, Missing: c.LiveMissing}, report.Value{Value: c.Applied, Missing: c.AppliedMissing}
	}
	return fact
}

func (s *subject) refused(r report.Result) {
	fact := report.Fact{Kind: RefusedApply, Manager: r.Manager}
	switch {
	case r.Status != nil:
		fact.Kind, fact.Count, fact.Is, fact.Text = RefusedWith, r.Code, r.Status.Reason, s.quoting(r.Status.Message)
	case r.Error != "":
		fact.Kind, fact.Text = ApplyUnknown, s.quoting(r.Error)
	}
	f := s.finding(ApplyRefused, fact, s.fixManifest(ShowAnswer, shell.Command("ssactl", "apply"), r))
	f.Source = r.Source
	s.add(f)
}

// removes reports fields that are gone after the apply because nobody else
// owns them.
func (s *subject) removes(r report.Result) {
	var fields []string
	for _, c := range r.Changes {
		if c.Kind == report.Removed && c.Reason == report.ReasonUnowned {
			fields = append(fields, c.Field)
		}
	}
	if len(fields) == 0 {
		return
	}
	f := s.finding(ApplyRemoves, report.Fact{Kind: RemovesUnowned, Manager: r.Manager},
		s.fixManifest(ShowChanges, shell.Command("ssactl", "diff"), r)).About(fields...)
	f.Manager, f.Source = r.Manager, r.Source
	s.add(f)
}

// keepsDropped reports fields that the manager stops managing with the apply, and
// that stay as another owns them.
func (s *subject) keepsDropped(r report.Result) {
	byKeeper := map[string][]string{}
	owners := map[string][]report.Writer{}
	for _, o := range r.Ownership {
		owners[o.Field] = o.Managers
	}
	for _, t := range r.Transfers {
		if t.Kind != report.Relinquished || t.Manager != r.Manager || t.Operation != string(report.Apply) || len(owners[t.Field]) == 0 {
			continue
		}
		keepers := keepersOf(owners[t.Field])
		byKeeper[keepers] = append(byKeeper[keepers], t.Field)
	}
	for _, keepers := range sortedNames(byKeeper) {
		fields := byKeeper[keepers]
		by := owners[fields[0]]
		f := s.finding(ApplyKeepsDropped, report.Fact{Kind: KeepsDropped, Manager: r.Manager, By: by}, s.fixWhy(fields[0])).About(fields...)
		f.Manager, f.Source = by[0].Manager, r.Source
		s.add(f)
	}
}

func sortedNames(m map[string][]string) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// keepersOf is a text that is the same for the same owners.
func keepersOf(list []report.Writer) string {
	out := ""
	for _, w := range list {
		out += fmt.Sprintf("%q %q %q,", w.Manager, w.Operation, w.Subresource)
	}
	return out
}
