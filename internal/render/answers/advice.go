package answers

import (
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// recommendation is what is recommended, and why.
func recommendation(a *report.Advice) model.Text {
	if a == nil {
		return model.Say(program.In("Too many fields to try every option here; ssactl explain tries them."))
	}
	kind, because := conflict.Recommended(*a)
	return Recommendation(kind, because.Says())
}

// Recommendation is an option with the reason for it; where none is recommended, the reason.
func Recommendation(kind conflict.ResolutionKind, reason text.Text) model.Text {
	if kind == conflict.None {
		return model.Textf("%v", reason)
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended: "+page.Recommended(kind)+"."), reason)
}

// recommendedIn is what an advice recommends.
func recommendedIn(a *report.Advice) conflict.ResolutionKind {
	if a == nil {
		return conflict.None
	}
	kind, _ := conflict.Recommended(*a)
	return kind
}

// adviceCommands are the commands that follow an advice on a field of one object; none
// where none does it for just this field.
func adviceCommands(o page.Options, r report.Result, advice *report.Advice, field string) []string {
	on := o.OnResult(r)
	switch kind := recommendedIn(advice); kind {
	case conflict.Force:
		return Some(on.Force())
	case conflict.Migrate:
		return Some(on.Migrate(advice.Managers...))
	case conflict.StopManaging, conflict.UseLiveValue:
		return Some(on.Resolve(page.Resolving(kind, []string{field})...))
	}
	return nil
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
