package view

import (
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// recommendation is what is recommended, and why.
func recommendation(a *report.Advice) model.Text {
	if a == nil {
		return model.Say(program.In("Too many fields to try every option here; ssactl explain tries them."))
	}
	kind, because := explain.Recommended(*a)
	return model.Textf("%v %v", model.Strong.Of("Recommended: "+recommended(kind)+"."), because.Says())
}

// recommendedIn is what an advice recommends.
func recommendedIn(a *report.Advice) explain.ResolutionKind {
	if a == nil {
		return explain.None
	}
	kind, _ := explain.Recommended(*a)
	return kind
}

// adviceCommands are the commands that follow an advice on a field of one object; none
// where none does it for just this field.
func (o Options) adviceCommands(r report.Result, advice *report.Advice, field string) []string {
	on := o.onResult(r)
	switch kind := recommendedIn(advice); kind {
	case explain.Force:
		return some(on.force())
	case explain.Migrate:
		return some(on.migrate(advice.Managers...))
	case explain.StopManaging, explain.UseLiveValue:
		return some(on.resolve(resolving(kind, []string{field})...))
	}
	return nil
}

// some is a list of a command; empty for none.
func some(line string) []string {
	if line == "" {
		return nil
	}
	return []string{line}
}

// commands are lines, each to be pasted.
func commands(lines []string) []model.Block {
	var out []model.Block
	for _, line := range lines {
		out = append(out, model.Command{Line: line})
	}
	return out
}
