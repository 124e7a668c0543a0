package page

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
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

// Refusals are what of the live object a rejected apply comes of, with the ways to have it
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
		out = append(out, model.Paragraph{Apart: true, Text: RefusalSays(r)}, t)
		out = append(out, RefusalFixes(on, live, r)...)
	}
	return out
}

// RefusalSays is what a refusal comes of, before its fields.
func RefusalSays(r report.Refusal) model.Text {
	if r.Kind == report.Immutable {
		return model.Say("The API server does not let the live object change so:")
	}
	return model.Say("The manifest lacks this, and the apply leaves it in the live object:")
}

// RefusedValues are the values of a field that a refusal comes of.
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
	return model.Textf("%v -> %v", model.Value.Of(glyph.Cut(live, inSentence)), model.Value.Of(glyph.Cut(applied, inSentence)))
}

// liveOwners are those of a live value, with its age, the latest first.
func (o Options) liveOwners(kind report.RefusalKind, f report.RefusedField) model.Text {
	if kind != report.Leftover {
		return nil
	}
	var out []model.Text
	for _, w := range Latest(f.Owners) {
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

// Latest are writers by their time, the latest first.
func Latest(list []report.Writer) []report.Writer {
	list = slices.Clone(list)
	// Of one time, the later entry is the later write.
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b report.Writer) int {
		switch {
		case a.Time == nil || b.Time == nil:
			return 0
		}
		return b.Time.Compare(*a.Time)
	})
	return list
}

// RefusalFixes are the ways to have a rejected apply accepted, the best one first, each
// with its command.
func RefusalFixes(on fixes.Asked, live map[string]any, r report.Refusal) []model.Block {
	var out []model.Block
	for i, fix := range r.Fixes {
		out = append(out, model.Paragraph{Text: RefusalFix(r, i)})
		if line := RefusalCommand(on, fix); !line.None() {
			out = append(out, model.Command{Line: line.String()})
		}
	}
	for _, said := range RefusalRest(on.Manager, live, r) {
		out = append(out, model.Paragraph{Text: said})
	}
	return out
}

// RefusalRest is what else there is to say of the ways.
func RefusalRest(applier string, live map[string]any, r report.Refusal) []model.Text {
	all := []model.Text{refusalRest(r), writesAgain(applier, live, r)}
	return slices.DeleteFunc(all, func(t model.Text) bool { return t == nil })
}

// RefusalFix is one of the ways in a sentence.
func RefusalFix(r report.Refusal, number int) model.Text {
	fix, begin := r.Fixes[number], "Or "
	if number == 0 {
		begin = "Recommended: "
	}
	it := words.Them(len(r.Fields))
	text := model.Textf("%v", begin)
	accepted := " (simulated: accepted)."
	if r.Partly {
		accepted = " (simulated: this reason is gone)."
	}
	switch fix.Kind {
	case report.RemoveLive:
		return model.Textf("%vremove %v from the live object, and apply again%v", text, it, accepted)
	case report.ReplaceLive:
		return model.Textf("%vremove %v from the live object, with what the manifest has next to %v, and apply again%v",
			text, it, it, accepted)
	case report.ClearEntry:
		return model.Textf("%vclear the managed fields %v of %v, and apply again: nobody keeps %v then%v",
			text, words.Agree(len(owners(r)), "entry", "entries"), And(owners(r)), it, accepted)
	case report.HandOver:
		return model.Textf("%vmake your field manager the owner of %v, so that the next apply removes %v%v",
			text, it, it, accepted)
	case report.MigrateLeftover:
		more := ""
		if n := len(fix.Removes); n > 0 {
			more = ", and " + words.Some(fix.Removes, shownRemoved, n)
		}
		return model.Textf("%vmigrate what %v left, so that the apply removes %v%v%v",
			text, And(fix.From), it, more, accepted)
	case report.KeepLive:
		return model.Textf("%v%v in the manifest%v", text, keeping(r.Fields), accepted)
	}
	return model.Textf("%vreplace the object%v: %v.", text, strings.TrimSuffix(accepted, "."), r.Costs)
}

// keeping is to have the live values in the manifest.
func keeping(fields []report.RefusedField) model.Text {
	switch {
	case len(fields) == 1 && fields[0].LiveMissing:
		return model.Textf("leave %v out", model.Field.Of(fields[0].Field))
	case len(fields) == 1 && words.Fits(inSentence, fields[0].Live):
		return model.Textf("keep %v", model.Value.Of(Short(fields[0].Live)))
	}
	return model.Textf("keep the live %v", words.Agree(len(fields), "value", "values"))
}

// owners are the managers of the live values, each once.
func owners(r report.Refusal) []string {
	var out []string
	for _, f := range r.Fields {
		for _, w := range f.Owners {
			if !slices.Contains(out, w.Manager) {
				out = append(out, w.Manager)
			}
		}
	}
	return out
}

// shownRemoved is how many other fields a sentence names that go, too.
const shownRemoved = 3

// RefusalCommand is the command of a way; empty where a manifest is to be edited.
func RefusalCommand(on fixes.Asked, fix report.RefusalFix) shell.Line {
	if fix.Kind == report.MigrateLeftover {
		return on.MigrateLeftover(fix.From...)
	}
	return fix.Command
}

// refusalRest is what there is to say where no way, or not every one, was found.
func refusalRest(r report.Refusal) model.Text {
	recreates := func(f report.RefusalFix) bool { return f.Kind == report.Recreate }
	switch {
	case r.Kind == report.Immutable && !slices.ContainsFunc(r.Fixes, recreates) && !r.Costs.IsZero():
		return model.Textf("Or replace the object, at a cost: %v.", r.Costs)
	case len(r.Fixes) == 0:
		return model.Say("No single step was found that removes it and is accepted; edit the live object (kubectl edit).")
	}
	return nil
}

// writesAgain names owners of a leftover that may set it again; nil for none.
func writesAgain(applier string, live map[string]any, r report.Refusal) model.Text {
	if r.Kind != report.Leftover {
		return nil
	}
	var names []string
	certain := false
	for _, f := range r.Fields {
		for _, w := range f.Owners {
			kind := writers.Judge(w, applier, f.Field, live)
			again := kind.Returns == writers.Always || kind.Returns == writers.OnSync ||
				kind.Returns == writers.OnRun && w.Operation == managedfields.Apply
			if again && !slices.Contains(names, w.Manager) {
				names, certain = append(names, w.Manager), certain || kind.Certain
			}
		}
	}
	switch {
	case names == nil:
		return nil
	case certain:
		return model.Textf("%v %v it again: change it there first.", And(names), words.Agree(len(names), "sets", "set"))
	}
	return model.Textf("%v may set it again.", And(names))
}
