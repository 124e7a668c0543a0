package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
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
		f := s.finding(ApplyConflicts, fmt.Sprintf("%s conflicts with %s over %s%s", r.Manager, writerName(c.Writer), c.Field, s.values(c)),
			s.fixManifest(ShowConflict, "explain", r),
			s.fixManifest(EditManifest, "resolve", r)).About(c.Field)
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

func (s *subject) values(c report.Conflict) string {
	if !s.mayTell(c.Field) {
		return ""
	}
	live, applied := "none", "none"
	if !c.LiveMissing {
		live = short(c.Live)
	}
	if !c.AppliedMissing {
		applied = short(c.Applied)
	}
	return fmt.Sprintf(": the manifest has %s, live is %s", applied, live)
}

func (s *subject) refused(r report.Result) {
	message := fmt.Sprintf("applying the manifest as %s is refused", r.Manager)
	switch {
	case r.Status != nil:
		message += strings.TrimRight(fmt.Sprintf(" with %d %s", r.Code, r.Status.Reason), " ")
		if !s.secret() || s.Secrets == ShowSecrets {
			message += ": " + r.Status.Message
		}
	case r.Error != "":
		message = fmt.Sprintf("what applying the manifest as %s would do is not known", r.Manager)
		if !s.secret() || s.Secrets == ShowSecrets {
			message += ": " + r.Error
		}
	}
	f := s.finding(ApplyRefused, message, s.fixManifest(ShowAnswer, "apply", r))
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
	f := s.finding(ApplyRemoves, fmt.Sprintf("the next apply by %s removes %s", r.Manager, listed(fields)),
		s.fixManifest(ShowChanges, "diff", r)).About(fields...)
	f.Manager, f.Source = r.Manager, r.Source
	s.add(f)
}

// keepsDropped reports fields that the manager gives up with the apply, and
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
		var names []string
		for _, w := range owners[t.Field] {
			names = append(names, writerName(w))
		}
		keeper := strings.Join(names, ", ")
		byKeeper[keeper] = append(byKeeper[keeper], t.Field)
	}
	for _, keeper := range sortedNames(byKeeper) {
		fields := byKeeper[keeper]
		manager := owners[fields[0]][0].Manager
		f := s.finding(ApplyKeepsDropped, fmt.Sprintf("the manifest of %s no longer has %s, but %s keeps %s", r.Manager, listed(fields), keeper, them(len(fields))),
			s.fixWhy(fields[0])).About(fields...)
		f.Manager, f.Source = manager, r.Source
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

func writerName(w report.Writer) string {
	if w.Subresource != "" {
		return fmt.Sprintf("%s (%s of %s)", w.Manager, w.Operation, w.Subresource)
	}
	return fmt.Sprintf("%s (%s)", w.Manager, w.Operation)
}
