package answers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// inRun is a cause as its run shows it.
type inRun struct {
	*cause
	w *Run
}

// on is the apply that a cause is about.
func (c inRun) on() fixes.Asked {
	if c.w.one != nil {
		return *c.w.one
	}
	return c.w.o.Run(c.applier, c.subresource)
}

// fix is what to do about a cause, with the commands that do just that.
func (c inRun) fix() (model.Text, []string) {
	switch c.Rule {
	case Conflicting:
		advice, kind := recommendation(c.advice), recommendedIn(c.advice)
		recommends := func(is bool, kind conflict.ResolutionKind) bool {
			return slices.ContainsFunc(c.w.Causes.under(Conflicting), func(c *cause) bool { return (recommendedIn(c.advice) == kind) == is })
		}
		if kind == conflict.Force && recommends(false, conflict.Force) {
			advice = advice.With(" " + conflict.ForceTakesAll)
		}
		if kind != conflict.Migrate && recommends(true, conflict.Migrate) {
			advice = advice.With(" " + conflict.MigrateFirst)
		}
		return advice, c.resolving()
	case rejected:
		return c.accepting()
	case unanswered:
		return nil, nil
	case risk.Takeover:
		return model.Say("To hand them over for good:"), lines(c.on().Migrate(c.owner.Manager))
	case risk.TakenByForce, risk.AtomicReplaced:
		if text, lines := c.leave(); text != nil {
			return text, lines
		}
	}
	todo := c.todo
	if c.Rule == risk.DeletesMore && !c.onTheWay {
		todo = ""
		if annotation := keeping[conflict.ClientOf(c.applier)]; annotation != "" && c.w.applies() {
			todo = "keep the object in the manifests, or give the live one the annotation " + annotation + ", unless all of it is to go."
		}
	}
	if todo == "" {
		return nil, c.helping()
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended:"), todo), c.helping()
}

// accepting is how rejected objects are accepted, with the commands for the first of them.
func (c inRun) accepting() (model.Text, []string) {
	if c.refused == nil {
		return nil, nil
	}
	first := *c.refused[0].refusal
	var says []model.Text
	for i := range first.Fixes {
		says = append(says, page.RefusalFix(first, i))
	}
	var lines []string
	for _, one := range c.refused {
		lines = append(lines, one.commands(c.w.o)...)
	}
	return model.Join(append(says, page.RefusalRest(c.applier, c.refused[0].live, first)...), " "), lines
}

// leave is how what is taken is left to its owner, who writes again by itself: with the
// command that does so where that is safe. It is nil where there is no more to say than the
// rule does.
func (c inRun) leave() (model.Text, []string) {
	owner := c.ownerKind
	again := owner.Returns == writers.Always || owner.Returns == writers.OnSync
	left := c.w.applies() && c.live && c.owner.Manager != "" && again
	switch {
	case c.unsafe():
		return recommendation(c.advice), nil
	case left && c.Rule == risk.AtomicReplaced && recommendedIn(c.advice) == conflict.StopManaging:
		return recommendation(c.advice), lines(c.giving())
	case c.Rule == risk.AtomicReplaced && owner.Kind == writers.Controller && owner.Certain:
		because := conflict.Reason{Kind: conflict.Controlled, Managers: []string{c.owner.Manager}}
		return page.Recommendation(conflict.StopManaging, because.Says()), nil
	case left && c.Rule == risk.TakenByForce:
		return model.Textf("To leave %v to %v:", words.Them(c.fields), model.Manager.Of(c.owner.Manager)), lines(c.giving())
	}
	return nil, nil
}

// giving is the command that stops managing what is taken from an owner.
func (c inRun) giving() shell.Line {
	return c.on().Resolve(shell.Value("--owned-by", c.owner.Manager), shell.Switch("--all-stop-managing"))
}

// keeping are the annotations of live objects that clients do not delete.
var keeping = map[report.Client]string{
	report.Helm:   "helm.sh/resource-policy: keep",
	report.ArgoCD: "argocd.argoproj.io/sync-options: Prune=false",
	report.Flux:   "kustomize.toolkit.fluxcd.io/prune: disabled",
}

// resolving are the commands that follow the advice on conflicts for all objects, and do
// nothing else; where no edit does, the one that shows what each option would do.
func (c inRun) resolving() []string {
	on, kind, conflicts := c.on(), recommendedIn(c.advice), c.w.Causes.under(Conflicting)
	differs := func(other *cause) bool {
		return other.owner.Manager == c.owner.Manager && recommendedIn(other.advice) != kind
	}
	var out []string
	switch all := fixes.ResolvingAll(kind); {
	case c.wrongManager() && c.w.Explains:
		return lines(on.As(c.advice.Managers[0]).Explain())
	case c.wrongManager():
		return lines(on.As(c.advice.Managers[0]).Apply())
	case kind == conflict.Migrate:
		return lines(on.Migrate(c.owner.Manager))
	case kind == conflict.Force:
		return lines(on.Force())
	case all == nil:
	case (c.w.one == nil || c.edits.Many) && len(conflicts) == 1:
		return lines(on.Resolve(all...))
	case (c.w.one == nil || c.edits.Many) && len(c.owners) == 1 && !slices.ContainsFunc(conflicts, differs):
		return lines(on.Resolve(shell.Value("--owned-by", c.owner.Manager), all[0]))
	default:
		out = c.editing(kind)
	}
	if out == nil && !c.w.Explains {
		return lines(on.Explain())
	}
	return out
}

// wrongManager reports whether a conflict is most likely one of another field manager.
func (c *cause) wrongManager() bool {
	return c.Rule == Conflicting && c.advice != nil && c.advice.Because == string(conflict.WrongManager)
}

// editing are the commands that edit just the fields of a cause; none where they are too
// many to be named.
func (c inRun) editing(kind conflict.ResolutionKind) []string {
	if c.w.one != nil && !c.edits.Many {
		return lines(c.on().Resolve(fixes.Resolving(kind, c.edits.List[0].Fields)...))
	}
	return lines(c.edits.Commands(c.on(), kind)...)
}

// inClient is the setting of the client that applies which follows the advice on a
// conflict, or leaves fields to those from whom they are taken; none for others.
func (c inRun) inClient() []model.Block {
	switch {
	case c.Rule == Conflicting && c.advice != nil:
		return page.InClient(conflict.ClientOf(c.applier), c.advice.InClient)
	case c.owner.Manager != "" && c.Rule != risk.Takeover:
		s := c.w.leaving[[2]string{c.applier, c.owner.Manager}]
		return page.InClient(s.Client, s.Kind)
	}
	return nil
}

// helping are the commands that help with a risk: replicas are left to the
// autoscaler, of what is owned already by a transfer, as dropping it sets the default;
// a line that removes what an injector put there is deleted. None helps with others, where
// the live object has no such field, a note asks for no decision, or there are more objects
// than a command names.
func (c inRun) helping() []string {
	switch {
	case !c.w.applies() || c.w.o.LiveInputs() == nil || c.severity == report.SeverityNote || !c.live:
	case (c.Rule == risk.ReplicasAutoscaled || c.Rule == risk.InjectedField) && c.taken:
		return c.editing(conflict.StopManaging)
	case c.Rule == risk.ReplicasAutoscaled && c.owned && !c.edits.Many:
		var targets []report.Target
		for _, e := range c.edits.List {
			targets = append(targets, e.Target)
		}
		return lines(c.w.o.HandOvers(c.applier, c.rows[0].Field, targets)...)
	}
	return nil
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

// lines are the commands that there are.
func lines(list ...shell.Line) []string {
	var out []string
	for _, line := range list {
		if !line.None() {
			out = append(out, line.String())
		}
	}
	return out
}

// Commands are lines, each to be pasted.
func Commands(list ...shell.Line) []model.Block {
	var out []model.Block
	for _, line := range lines(list...) {
		out = append(out, model.Command{Line: line})
	}
	return out
}
