package page

import (
	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// RefusedOn is the apply of a rejected object alone.
func (o Options) RefusedOn(r report.Result) fixes.Asked {
	return o.OnResult(r).Of(fixes.OperandsOf([]report.Target{r.Target}, o.Repeated)[0])
}

// Refusals show what in the live object has an apply rejected, with the ways to have it
// accepted; nil for none.
func (o Options) Refusals(r report.Result) []model.Block {
	on, live, list := o.RefusedOn(r), r.Live, r.Refusals
	var out []model.Block
	for _, r := range list {
		t := model.Table{Columns: make([]model.Column, 4), Shown: Shown}
		for _, f := range r.Fields {
			t.Rows = append(t.Rows, []model.Text{{model.Field.Of(f.Field)}, RefusedValues(r.Kind, f),
				o.liveOwners(r.Kind, f), {model.Faint.Of(words.Place(f.Source))}})
		}
		out = append(out, model.Paragraph{Apart: true, Text: model.Textf("%v", refusal.Says(r))}, t)
		out = append(out, RefusalFixes(on, live, r)...)
	}
	return out
}

// RefusedValues are the values of a field that causes a refusal.
func RefusedValues(kind report.RefusalKind, f report.RefusedField) model.Text {
	if kind == report.Leftover {
		return model.Text{model.Value.Of(Short(f.Live))}
	}
	switch {
	case f.LiveMissing:
		return model.Textf("(not set) -> %v", model.Value.Of(Short(f.Applied)))
	case f.AppliedMissing:
		return model.Textf("%v -> (removed)", model.Value.Of(Short(f.Live)))
	}
	if inside := Inside(f.Live, f.Applied); len(inside) > 0 {
		return inside.Gist()
	}
	live, applied := words.Both(f.Live, f.Applied)
	return model.Textf(
		"%v -> %v",
		model.Value.Of(glyph.Cut(live, inSentence)),
		model.Value.Of(glyph.Cut(applied, inSentence)),
	)
}

// liveOwners are those of a live value, with its age, the latest first.
func (o Options) liveOwners(kind report.RefusalKind, f report.RefusedField) model.Text {
	if kind != report.Leftover {
		return nil
	}
	var out []model.Text
	for _, w := range refusal.Latest(f.Owners) {
		w.APIVersion = ""
		text := WriterOf(w)
		if age := words.Age(w.Time, o.Now); age != "" {
			text = model.Textf("%v, %v", text, age+" ago")
		}
		out = append(out, text)
	}
	if out == nil {
		return model.Say("no owner")
	}
	return model.Join(out, "; ")
}

// RefusalFixes are the ways to have a rejected apply accepted, the best one first, each
// with its command.
func RefusalFixes(on fixes.Asked, live map[string]any, r report.Refusal) []model.Block {
	var out []model.Block
	for i, fix := range r.Fixes {
		out = append(out, model.Paragraph{Text: refusalFix(r, i)})
		if line := refusalCommand(on, fix); !line.None() {
			out = append(out, model.Command{Line: line.String()})
		}
	}
	for _, said := range refusal.Rest(on.Manager, live, r) {
		out = append(out, Paragraph("%v", said))
	}
	return out
}

// refusalFix is one of the ways in a sentence.
func refusalFix(r report.Refusal, number int) model.Text {
	return model.Textf("%v%v", InOrder(number), refusal.Does(r, r.Fixes[number]))
}

// InOrder is what stands before a way, by its number.
func InOrder(number int) string {
	if number == 0 {
		return "Recommended: "
	}
	return "Or "
}

// refusalCommand is the command of a way; empty where a manifest is to be edited.
func refusalCommand(on fixes.Asked, fix report.RefusalFix) shell.Line {
	if fix.Kind == report.MigrateLeftover {
		return on.MigrateLeftover(fix.From...)
	}
	return fix.Command
}
