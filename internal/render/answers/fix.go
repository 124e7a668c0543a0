package answers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// fix is what to do about a cause, with the commands that do just that.
func (w *Run) fix(c *cause) (model.Text, []string) {
	on := w.on(c)
	switch c.Rule {
	case Conflicting:
		advice := recommendation(c.advice)
		if recommendedIn(c.advice) == conflict.Force && w.forcesOthers() {
			advice = advice.With(" " + page.ForceTakesAll)
		}
		if recommendedIn(c.advice) != conflict.Migrate && w.migrates() {
			advice = advice.With(" " + conflict.MigrateFirst)
		}
		return advice, w.resolving(c, on)
	case rejected, unanswered:
		return nil, nil
	case risk.Takeover:
		return model.Say("To hand them over for good:"), Some(on.Migrate(c.owner.Manager))
	case risk.TakenByForce:
		if !w.applies() || !c.live || !returns(c.owner, c.applier) {
			return nil, nil
		}
		return model.Textf("To leave %v to %v:", words.Them(c.fields), model.Manager.Of(c.owner.Manager)),
			Some(on.Resolve(shell.Value("--owned-by", c.owner.Manager), shell.Switch("--all-stop-managing")))
	}
	rule := risk.Rules().Of(c.Rule)
	if rule.Fix == "" {
		return nil, w.helping(c, on)
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended:"), rule.Fix), w.helping(c, on)
}

// returns reports whether a manager takes back what it loses without being run.
func returns(w report.Writer, applier string) bool {
	again := conflict.ManagerKindOf(w, applier).Returns
	return again == conflict.Always || again == conflict.OnSync
}

// resolving are the commands that follow the advice on conflicts for all objects, and do
// nothing else; where no edit does, the one that shows what each option would do.
func (w *Run) resolving(c *cause, on page.Asked) []string {
	kind := recommendedIn(c.advice)
	var lines []string
	switch all := page.ResolvingAll(kind); {
	case c.wrongManager():
		if again := on.As(c.advice.Managers[0]); !w.Explains {
			return Some(again.Apply())
		} else {
			return Some(again.Explain())
		}
	case kind == conflict.Migrate:
		return Some(on.Migrate(c.owner.Manager))
	case kind == conflict.Force:
		return Some(on.Force())
	case all == nil:
	case w.one != nil && !c.edits.Many:
		return Some(on.Resolve(page.Resolving(kind, c.edits.List[0].Fields)...))
	case len(w.conflicts()) == 1:
		return Some(on.Resolve(all...))
	case len(c.owners) == 1 && w.agreedOn(c.owner.Manager, kind):
		return Some(on.Resolve(shell.Value("--owned-by", c.owner.Manager), all[0]))
	default:
		lines = w.editing(c, on, kind)
	}
	if lines == nil && !w.Explains {
		return Some(on.Explain())
	}
	return lines
}

// wrongManager reports whether a conflict is most likely one of another field manager.
func (c *cause) wrongManager() bool {
	return c.advice != nil && c.advice.Because == string(conflict.WrongManager)
}

// editing are the commands that edit just the fields of a cause; none where they are too
// many to be named.
func (w *Run) editing(c *cause, on page.Asked, kind conflict.ResolutionKind) []string {
	if w.one != nil && !c.edits.Many {
		return Some(on.Resolve(page.Resolving(kind, c.edits.List[0].Fields)...))
	}
	return c.edits.Commands(on, kind)
}

// conflicts are the causes that are conflicts.
func (w *Run) conflicts() []*cause {
	return slices.DeleteFunc(slices.Clone(w.Causes.list), func(c *cause) bool { return c.Rule != Conflicting })
}

// forcesOthers reports whether force takes fields for which something else is recommended.
func (w *Run) forcesOthers() bool {
	return slices.ContainsFunc(w.conflicts(), func(c *cause) bool { return recommendedIn(c.advice) != conflict.Force })
}

// migrates reports whether a takeover is among the conflicts.
func (w *Run) migrates() bool {
	return slices.ContainsFunc(w.conflicts(), func(c *cause) bool { return recommendedIn(c.advice) == conflict.Migrate })
}

// agreedOn reports whether one option is recommended for all conflicts with a manager.
func (w *Run) agreedOn(manager string, kind conflict.ResolutionKind) bool {
	return !slices.ContainsFunc(w.conflicts(), func(c *cause) bool { return c.owner.Manager == manager && recommendedIn(c.advice) != kind })
}

// inClient is the setting of the client that applies which follows the advice on a
// conflict, or leaves fields to those from whom they are taken; none for others.
func (w *Run) inClient(c *cause) []model.Block {
	switch {
	case c.Rule == Conflicting && c.advice != nil:
		return page.InClient(conflict.ClientOf(c.applier), c.advice.InClient)
	case c.owner.Manager != "" && c.Rule != risk.Takeover:
		s := w.leaving[[2]string{c.applier, c.owner.Manager}]
		return page.InClient(s.Client, s.Kind)
	}
	return nil
}

// helping are the commands that help with a risk: replicas are left to the
// autoscaler, of what is owned already by a transfer, as dropping it sets the default;
// a line that removes what an injector put there is deleted. None helps with others, where
// the live object has no such field, a note asks for no decision, or there are more objects
// than a command names.
func (w *Run) helping(c *cause, on page.Asked) []string {
	live := w.liveInputs()
	switch {
	case !w.applies() || live == nil || c.severity == report.SeverityNote || !c.live:
		return nil
	case stopped[c.Rule] && c.taken:
		return w.editing(c, on, conflict.StopManaging)
	case c.Rule == risk.ReplicasAutoscaled && c.owned:
		return c.transfers(live, w.o.Repeated)
	}
	return nil
}

// stopped are the rules about fields that a manifest is better without.
var stopped = map[string]bool{risk.ReplicasAutoscaled: true, risk.InjectedField: true}

// transfers hand the field of the objects over to its controller.
func (c *cause) transfers(live, flags []shell.Flag) []string {
	if c.edits.Many {
		return nil
	}
	var targets []report.Target
	for _, e := range c.edits.List {
		targets = append(targets, e.Target)
	}
	var out []string
	for _, objects := range page.OperandsOf(targets, flags) {
		line := shell.Command("ssactl", "transfer").With(live...).With(objects.In...).With(shell.Value("--from", c.applier), shell.Switch("--to-controller"))
		out = append(out, line.On(objects.Names...).On(c.rows[0].Field).String())
	}
	return out
}

// liveInputs are the flags that name the live objects, for commands on these; empty for
// none.
func (w *Run) liveInputs() []shell.Flag {
	var out []shell.Flag
	for _, f := range w.o.Inputs {
		if f.Is("--live") {
			out = append(out, f.As("-f"))
		}
	}
	if out == nil {
		return nil
	}
	for _, f := range w.o.Repeated {
		if !f.Is("-k") {
			out = append(out, f)
		}
	}
	return out
}

// recommendation is what is recommended, and why.
func recommendation(a *report.Advice) model.Text {
	if a == nil {
		return model.Say(program.In("Too many fields to try every option here; ssactl explain tries them."))
	}
	kind, because := conflict.Recommended(*a)
	return page.Recommendation(kind, because.Says())
}

// recommendedIn is what an advice recommends.
func recommendedIn(a *report.Advice) conflict.ResolutionKind {
	if a == nil {
		return conflict.None
	}
	kind, _ := conflict.Recommended(*a)
	return kind
}

// Some is a list of a command; empty for none.
func Some(line string) []string {
	if line == "" {
		return nil
	}
	return []string{line}
}

// Commands are lines, each to be pasted.
func Commands(lines []string) []model.Block {
	var out []model.Block
	for _, line := range lines {
		out = append(out, model.Command{Line: line})
	}
	return out
}
