package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// advised are fields about which the advice is the same.
type advised struct {
	advice *report.Advice
	fields []string
}

// advices groups fields by the advice on them, in their order.
func advices(fields []contested) []advised {
	var out []advised
	for _, c := range fields {
		i := slices.IndexFunc(out, func(a advised) bool { return sameAdvice(a.advice, c.Advice) })
		if i < 0 {
			i = len(out)
			out = append(out, advised{advice: c.Advice})
		}
		out[i].fields = append(out[i].fields, c.Field)
	}
	return out
}

// sameAdvice reports whether two recommend the same, or both nothing.
func sameAdvice(a, b *report.Advice) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

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

// adviceCommands are the commands that follow an advice on the apply of one object;
// none where none does it for just these fields.
func (o Options) adviceCommands(r report.Result, a advised) []string {
	on := o.onResult(r)
	switch kind := recommendedIn(a.advice); kind {
	case explain.Force:
		return some(on.force())
	case explain.Migrate:
		return some(on.migrate(a.advice.Managers...))
	case explain.StopManaging, explain.UseLiveValue:
		if len(a.fields) <= maxFields {
			return some(on.resolve(resolving(kind, a.fields)...))
		}
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
