package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// What the next apply of the object's manifest would meet.

var applyKeepsDropped = finding.Rule{
	Name: "apply-keeps-dropped", Severity: report.SeverityWarning,
	Title: "The manifest dropped fields that stay in the object.",
	Why:   "The field manager stops managing the fields with its next apply, but another entry owns them too: they stay in the object, and no later apply of this manifest removes them.",
}

var applyRemoves = finding.Rule{
	Name: "apply-removes", Severity: report.SeverityWarning,
	Title: "The next apply removes fields.",
	Why:   "The field manager owns the fields alone, and the manifest no longer has them.",
}

// findConflicts reports the conflicts of the manifest as apply does: under the same rule, as
// severe, with the same reason, and with the fixes that hold first.
func findConflicts(s *examined) {
	if s.Manifest == nil || s.Manifest.Outcome != report.Conflicted {
		return
	}
	r := *s.Manifest
	list := r.Findings
	if list == nil {
		list = conflict.Findings(r)
	}
	for _, c := range list {
		if c.Rule != report.RuleConflict {
			continue
		}
		says := text.New("%v conflicts with %v over %v", text.By(r.Manager), namesOf(c.Owners), text.Path(c.Field))
		if s.mayTell(c.Field) && !(managedfields.Composite(c.After) && managedfields.Composite(c.Before)) {
			says = says.And(": ", text.New("the manifest has %v, live is %v",
				value(c.Field, c.After, c.After == nil), value(c.Field, c.Before, c.Before == nil)))
		}
		f := s.finding(conflict.Rule, c.Manager, []string{c.Field}, says)
		f.Severity, f.Source = c.Severity, c.Source
		f = s.fixedAs(f, c)
		if c.Does() == report.EditMigrate {
			f.Joint = r.Manager // a part of a takeover
		}
		s.add(f)
		s.tell(f)
	}
}

// handingOver migrates what a command reads.
func handingOver(command shell.Line, from []string, to string) report.Fix {
	for _, manager := range from {
		command = command.With(shell.Value("--from", migration.FromValue(manager)))
	}
	return fix(command.With(shell.Value("--to", to)), text.New("hands over to %v, for good", text.By(to)))
}

// join is one finding for those of one entry and its heir, whose fix is one migration: of
// the conflicts of a takeover, and of entries that were left behind in several objects.
func (s Settings) join(same []report.Finding) report.Finding {
	out := same[0]
	var objects []report.Target
	var fields []string
	for _, f := range same {
		if fields = append(fields, f.Field); !slices.Contains(objects, f.Target) {
			objects = append(objects, f.Target)
		}
	}
	former, heir, n := text.Entry(out.Manager, string(report.Update), ""), text.By(out.Joint), text.Number(len(objects))
	switch {
	case len(objects) == 1 && out.Rule == conflict.Rule.Name:
		out.Message = text.New("%v takes over what %v applied: conflicts over %v", heir, former, some(fields))
		return out.About(fields...)
	case len(objects) == 1:
		return out
	case out.Rule == conflict.Rule.Name:
		out.Message = text.New(
			"%v takes over %v objects that %v applied: conflicts over %v fields", heir, n, former,
			text.Number(len(fields)),
		)
	case out.Rule == beforeFirstApply.Name:
		out.Message = text.New(
			"%v owns fields of %v objects that %v applies: no client writes under this name",
			text.By(out.Manager), n, heir,
		)
	default:
		out.Message = text.New(
			"%v applies %v objects in which %v owns fields too: dropped from their manifests, they stay",
			heir, n, former,
		)
	}
	out.Target, out.Objects, out.Field, out.Fields =
		report.Target{}, objects[:min(len(objects), report.MaxFields)], "", nil
	out.Fixes = []report.Fix{handingOver(migrateIt.With(s.Inputs...).With(s.Flags...), []string{out.Manager}, out.Joint)}
	return out
}

// findRefused reports another refusal than conflicts, and what is refused behind them.
func findRefused(s *examined) {
	if s.Manifest == nil || !s.Manifest.Outcome.Refused() {
		return
	}
	r := *s.Manifest
	if len(r.Conflicts) > 0 {
		if r.Forced == nil || r.Forced.Outcome != report.Invalid {
			return
		}
		r.Code, r.Status = r.Forced.Code, r.Forced.Status
	}
	says := s.refusalOf(r)
	f := s.finding(finding.Refused, "", nil, says,
		fix(s.applying(shell.Command("ssactl", "apply")), text.New("shows the answer of the API server")))
	f.Source = r.Source
	explained := false
	for _, c := range joined(r.Findings) {
		one := f
		one.Field, one.Fields, one.Manager, one.Source = c.Field, c.Fields, c.Manager, c.Source
		if !c.Evidence.IsZero() {
			one.Message = says.And(". ", text.New("%v %v", c.Evidence, some(c.Fields)))
			if len(c.Owners) > 0 {
				one.Message = one.Message.And(", of ", namesOf(c.Owners))
			}
		}
		if one = s.fixedAs(one, c); len(one.Fixes) == 0 {
			one.Fixes = f.Fixes
		}
		s.add(one)
		explained = true
	}
	if !explained {
		s.add(f)
	}
}

// refusalOf says who refuses the manifest, and in which words.
func (s *view) refusalOf(r report.Result) text.Text {
	says := text.New("applying the manifest as %v is refused", text.By(r.Manager))
	if len(r.Conflicts) > 0 {
		says = says.And(" ", text.New("with force too,"))
	}
	switch {
	case r.Status != nil && r.Code == 0 && r.Client.Sends():
		says = says.And(" by the client, after other requests for the object: ", s.quoting(text.FirstLine(r.Status.Message)))
	case r.Status != nil && r.Code == 0:
		says = says.And(" by the client, which sends no request: ", s.quoting(text.FirstLine(r.Status.Message)))
	case r.Status != nil:
		answer := text.New("%v", text.Number(r.Code))
		if r.Status.Reason != "" {
			answer = text.New("%v %v", text.Number(r.Code), text.Name(r.Status.Reason))
		}
		says = says.And(" with ", answer.And(": ", s.quoting(text.FirstLine(r.Status.Message))))
	case r.Error != "":
		says = text.New("what applying the manifest as %v would do is not known", text.By(r.Manager)).
			And(": ", s.quoting(r.Error))
	}
	return says
}

// joined are the refusals of a write that name fields, those of one reason as one.
func joined(list []report.Finding) []report.Finding {
	var out []report.Finding
	for _, c := range list {
		if c.Rule != report.RuleRefused || c.Field == "" {
			continue
		}
		same := func(other report.Finding) bool { return other.Joint == c.Joint }
		if at := slices.IndexFunc(out, same); at >= 0 && c.Joint != "" {
			out[at] = out[at].About(append(out[at].Fields, c.Field)...)
		} else {
			out = append(out, c.About(c.Field))
		}
	}
	return out
}

// findRemoved reports fields that are gone after the apply because no other manager
// owns them.
func findRemoved(s *examined) {
	if s.Manifest == nil || s.Manifest.Outcome.Refused() {
		return
	}
	r := *s.Manifest
	var fields []string
	for _, c := range r.Changes {
		if c.Kind == report.Removed && c.Reason == report.ReasonUnowned && !s.saidByRisk(c.Field) &&
			!managedfields.Within(c.Field, lastAppliedPath.String()) {
			fields = append(fields, c.Field)
		}
	}
	if len(fields) == 0 {
		return
	}
	f := s.finding(
		applyRemoves,
		r.Manager,
		fields,
		text.New("the next apply by %v removes %v", text.By(r.Manager), some(fields)),
		fix(s.applying(shell.Command("ssactl", "diff")), text.New("shows what the apply changes")),
	)
	f.Source = r.Source
	s.add(f)
}

// findKept reports fields that the manager stops managing with the apply, and
// that stay as another owns them.
func findKept(s *examined) {
	if s.Manifest == nil || s.Manifest.Outcome.Refused() {
		return
	}
	r := *s.Manifest
	byKeeper := map[string][]string{}
	owners := map[string][]report.Writer{}
	for _, o := range r.Ownership {
		owners[o.Field] = o.Managers
	}
	for _, t := range r.Transfers {
		if s.saidByRisk(t.Field) || t.Kind != report.Relinquished || t.Manager != r.Manager ||
			t.Operation != string(report.Apply) ||
			len(owners[t.Field]) == 0 {
			continue
		}
		keepers := keepersOf(owners[t.Field])
		byKeeper[keepers] = append(byKeeper[keepers], t.Field)
	}
	for _, keepers := range slices.Sorted(maps.Keys(byKeeper)) {
		fields := byKeeper[keepers]
		by := owners[fields[0]]
		f := s.finding(applyKeepsDropped, by[0].Manager, fields, text.New(
			"the manifest of %v no longer has %v, but %v %v %v",
			text.By(
				r.Manager,
			),
			some(fields),
			namesOf(by),
			text.Agree(len(by), "keeps", "keep"),
			them(fields),
		), s.fixWhy(fields[0]))
		f.Source = r.Source
		s.add(f)
	}
}

// keepersOf is a text that is the same for the same owners.
func keepersOf(list []report.Writer) string {
	out := ""
	for _, w := range list {
		out += fmt.Sprintf("%q %q %q,", w.Manager, w.Operation, w.Subresource)
	}
	return out
}

// applying is a command that applies the manifest as its manager does.
func (s *view) applying(command shell.Line) shell.Line {
	return s.inputs(command).With(s.Sender...).With(shell.Value("--field-manager", s.Manifest.Manager)).With(s.Flags...)
}

// inputs is a command on the object, its manifest, and the live object.
func (s *view) inputs(command shell.Line) shell.Line {
	manifest := shell.File("-f", s.Manifest.Source.File)
	if s.Kustomization != "" {
		manifest = shell.File("-k", s.Kustomization)
	}
	command = command.With(manifest)
	if at := s.Manifest.LiveSource; s.Lives != nil {
		command = command.With(s.Lives...)
	} else if at != nil {
		command = command.With(shell.File("--live", at.File))
	}
	if s.Target.Namespace != "" {
		command = command.With(shell.Value("-n", s.Target.Namespace))
	}
	return command.On(s.reference())
}
