package writes

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// on is the apply that a group is about.
func (w *Run) on(g *finding.Group) fixes.Asked {
	if w.one != nil {
		return *w.one
	}
	return w.o.Run(g.Applier, g.Target.Subresource)
}

func recommends(g *finding.Group, to report.Edit) bool { return g.Does() == to }

// wrongManager reports whether a conflict is most likely one of another field manager.
func wrongManager(g *finding.Group) bool { return recommends(g, report.EditApplier) }

// fix is what to do about a group, with the commands that do just that.
func (w *Run) fix(g *finding.Group) (model.Text, []string) {
	fix, known := g.Recommended()
	switch {
	case g.Rule == report.RuleConflict:
		return w.resolving(g)
	case g.Rule == report.RuleRefused:
		return w.accepting(g)
	case g.Rule == risk.Takeover && known:
		return announced(model.Say("To hand them over for good:"), w.editing(g, fix))
	case !known && (g.By == report.ByOwner && g.Why.Format != risk.Rules().Of(g.Rule).Why ||
		g.Because == report.NoneHolds):
		return model.Textf("%v", g.Why), nil
	case !known:
		return nil, nil
	case fix.Edit == report.EditLeave && (g.Rule == risk.TakenByForce || g.Rule == risk.NeverSettles):
		return w.leaving(g, fix)
	case g.By == report.ByOwner && resolution(fix) != "":
		return page.Recommendation(resolution(fix), g.Why), w.editing(g, fix)
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended:"), fix.Does), w.editing(g, fix)
}

// announces reports whether what is said of commands is nothing without them.
func announces(fix model.Text) bool { return strings.HasSuffix(fix.String(), ":") }

// announced are commands with what they are for; nothing without a command.
func announced(what model.Text, commands []string) (model.Text, []string) {
	if len(commands) == 0 {
		return nil, nil
	}
	return what, commands
}

// leaving is how fields are left to their owner. Without a command it is said what the edit is.
func (w *Run) leaving(g *finding.Group, fix report.Fix) (model.Text, []string) {
	them, to := words.Them(g.Fields), model.Manager.Of(fix.Manager)
	if commands := w.editing(g, fix); len(commands) > 0 {
		return model.Textf("To leave %v to %v:", them, to), commands
	}
	return model.Textf("To leave %v to %v, remove %v from the manifest.", them, to, them), nil
}

// resolution is the option that a fix is: what leaves a field out stops managing it.
func resolution(fix report.Fix) conflict.ResolutionKind {
	switch kind := conflict.ResolutionKind(fix.Edit); {
	case fix.Edit == report.EditLeave, fix.Does.String() == conflict.StopManaging.Does():
		return conflict.StopManaging
	case kind.Does() != "":
		return kind
	}
	return ""
}

// resolving is what is recommended about conflicts, with the commands that do it for all
// objects, and nothing else; where no edit does, the one that shows what each option would do.
func (w *Run) resolving(g *finding.Group) (model.Text, []string) {
	fix, known := g.Recommended()
	conflicts := w.Groups.Under(report.RuleConflict)
	some := func(is bool, to report.Edit) bool {
		return slices.ContainsFunc(conflicts, func(g *finding.Group) bool { return recommends(g, to) == is })
	}
	says := page.Recommendation(conflict.ResolutionKind(g.Does()), g.Why)
	if fix.Edit == report.EditHandOver {
		says = model.Textf("%v %v", model.Strong.Of("Recommended:"), fix.Does)
	}
	if !fix.ByHand.IsZero() {
		says = says.With(" " + fix.ByHand.String())
	}
	if g.Does() == report.EditForce && some(false, report.EditForce) {
		says = says.With(" " + conflict.ForceTakesAll)
	}
	if g.Does() != report.EditMigrate && some(true, report.EditMigrate) {
		says = says.With(" " + conflict.MigrateFirst)
	}
	if fix.Edit == report.EditApplier && w.Explains {
		return says, lines(w.on(g).As(fix.Manager).Explain())
	}
	var out []string
	if known {
		out = w.editing(g, fix)
	}
	if out == nil && !w.Explains && g.Does() != report.EditForce {
		out = lines(w.on(g).Explain())
	}
	return says, out
}

// accepting is how rejected objects are accepted, with the commands for the first of them.
func (w *Run) accepting(g *finding.Group) (model.Text, []string) {
	if g.Joint == "" {
		return nil, nil
	}
	var says []model.Text
	for i, fix := range g.Fixes {
		says = append(says, model.Textf("%v%v", page.InOrder(i), fix.Does))
	}
	if g.Why.Format != finding.Refused.Why {
		says = append(says, model.Textf("%v", g.Why))
	}
	var out []string
	var named []report.Target
	for _, f := range g.Rows {
		if len(named) == shownPlaces || slices.Contains(named, f.Target) {
			continue
		}
		named = append(named, f.Target)
		if i := slices.IndexFunc(f.Fixes, func(fix report.Fix) bool { return !fix.Command.None() }); i >= 0 {
			out = append(out, f.Fixes[i].Command.String())
		}
	}
	return model.Join(says, " "), out
}

// editing are the commands that make the edit of a fix in all objects of a group, and
// nothing else; none where no command does, or there are more objects than it names.
func (w *Run) editing(g *finding.Group, fix report.Fix) []string {
	if !fix.ByHand.IsZero() {
		return nil
	}
	on := w.on(g)
	switch fix.Edit {
	case report.EditMigrate:
		return lines(on.Migrate(fix.Manager))
	case report.EditForce:
		return lines(on.Force())
	case report.EditApplier:
		return lines(on.As(fix.Manager).Apply())
	case report.EditImpact:
		return lines(on.Impact(g.Target))
	case report.EditLeave:
		return lines(on.Resolve(shell.Value("--owned-by", fix.Manager), shell.Switch("--all-stop-managing")))
	case report.EditHandOver:
		if !g.Edits.Many {
			return lines(w.o.HandOvers(fix.Manager, g.Rows[0].Field, g.Edits.Targets())...)
		}
	case report.EditStop, report.EditShare:
		return w.resolve(g, conflict.ResolutionKind(fix.Edit))
	}
	return nil
}

// resolve are the commands that resolve conflicts: all of them, or those with one owner,
// where one flag says which; else the fields by their names.
func (w *Run) resolve(g *finding.Group, kind conflict.ResolutionKind) []string {
	on, all := w.on(g), fixes.ResolvingAll(kind)
	conflicts := w.Groups.Under(report.RuleConflict)
	differs := func(other *finding.Group) bool {
		return other.Manager == g.Manager && !recommends(other, report.Edit(kind))
	}
	switch several := w.one == nil || g.Edits.Many; {
	case g.Rule != report.RuleConflict && w.o.LiveInputs() == nil:
		return nil
	case g.Rule != report.RuleConflict:
	case several && len(conflicts) == 1:
		return lines(on.Resolve(all...))
	case several && len(g.Owners) == 1 && !slices.ContainsFunc(conflicts, differs):
		return lines(on.Resolve(shell.Value("--owned-by", g.Manager), all[0]))
	}
	if w.one != nil && !g.Edits.Many {
		return lines(on.Resolve(fixes.Resolving(kind, g.Edits.List[0].Fields)...))
	}
	return lines(on.Editing(g.Edits, kind)...)
}

// inClient is the setting of the client that applies which fixes a group; none for others.
func inClient(g *finding.Group) []model.Block {
	for _, fix := range g.Fixes {
		if fix.InClient != nil {
			return page.InClient(fix.InClient.Client, fix.InClient.Kind)
		}
	}
	return nil
}

// settingText is inClient as text; empty for none.
func settingText(g *finding.Group) string {
	for _, b := range inClient(g) {
		if p, is := b.(model.Paragraph); is {
			return p.Text.String()
		}
	}
	return ""
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
