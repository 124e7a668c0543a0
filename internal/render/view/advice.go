package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
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
	return model.Textf("%v %v", model.Strong.Of("Recommended: "+recommended(kind)+"."), reason(because))
}

// recommendedIn is what an advice recommends.
func recommendedIn(a *report.Advice) explain.ResolutionKind {
	if a == nil {
		return explain.None
	}
	kind, _ := explain.Recommended(*a)
	return kind
}

// inputsOf are the flags that name the manifest and the live object of one write.
func (o Options) inputsOf(r report.Result) []shell.Flag {
	live := o.LiveFile
	if r.LiveSource != nil && live == "" {
		live = r.LiveSource.File
	}
	var out []shell.Flag
	if r.Source.File != "" && !o.Built {
		out = append(out, shell.File("-f", r.Source.File))
	}
	if live != "" {
		out = append(out, shell.File("--live", live))
	}
	return append(out, o.Repeated...)
}

// Commands of ours on manifests.
var (
	applyIt   = shell.Command("ssactl", "apply")
	explainIt = shell.Command("ssactl", "explain")
	resolveIt = shell.Command("ssactl", "resolve")
)

// forceConflicts is the flag that takes ownership.
var forceConflicts = shell.Switch("--force-conflicts")

// commandOn is a command of ours on some inputs, as a manager writes them.
func commandOn(command shell.Line, inputs []shell.Flag, manager, subresource string, more ...shell.Flag) string {
	command = command.With(inputs...)
	if subresource != "" {
		command = command.With(shell.Value("--subresource", subresource))
	}
	return command.With(shell.Value("--field-manager", manager)).With(more...).String()
}

// resolving is the flag of resolve that does an option with a field.
func resolving(kind explain.ResolutionKind, field string) shell.Flag {
	if kind == explain.UseLiveValue {
		return shell.Value("--use-live-value", field)
	}
	return shell.Value("--stop-managing", field)
}

// maxFields is how many fields a command names at most.
const maxFields = 5

// adviceCommand is the command that follows an advice; empty where none does it for
// just these fields.
func (o Options) adviceCommand(inputs []shell.Flag, manager, subresource string, a advised) string {
	kind := recommendedIn(a.advice)
	switch {
	case kind == explain.Force:
		return commandOn(applyIt, inputs, manager, subresource, forceConflicts)
	case kind == explain.None || len(a.fields) > maxFields:
		return ""
	}
	var more []shell.Flag
	for _, f := range a.fields {
		more = append(more, resolving(kind, f))
	}
	return commandOn(resolveIt, inputs, manager, subresource, more...)
}
