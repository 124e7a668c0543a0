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
func (o Options) inputsOf(r report.Result) []string {
	live := o.LiveFile
	if r.LiveSource != nil && live == "" {
		live = r.LiveSource.File
	}
	var out []string
	if r.Source.File != "" && !o.Built {
		out = append(out, "-f", r.Source.File)
	}
	if live != "" {
		out = append(out, "--live", live)
	}
	return append(out, o.Repeated...)
}

// command is one of ours on some inputs.
func (o Options) command(name string, inputs []string, manager, subresource string, more ...string) string {
	words := append([]string{"ssactl", name}, inputs...)
	if subresource != "" {
		words = append(words, "--subresource", subresource)
	}
	return commandLine(append(append(words, "--field-manager", manager), more...)...)
}

// maxFields is how many fields a command names at most.
const maxFields = 5

// adviceCommand is the command that follows an advice; empty where none does it for
// just these fields.
func (o Options) adviceCommand(inputs []string, manager, subresource string, a advised) string {
	kind := recommendedIn(a.advice)
	flag := map[explain.ResolutionKind]string{explain.StopManaging: "--stop-managing", explain.UseLiveValue: "--use-live-value"}[kind]
	switch {
	case kind == explain.Force:
		return o.command("apply", inputs, manager, subresource, "--force-conflicts")
	case flag == "" || len(a.fields) > maxFields:
		return ""
	}
	var more []string
	for _, f := range a.fields {
		more = append(more, flag, f)
	}
	return o.command("resolve", inputs, manager, subresource, more...)
}
