package view

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Why shows why a field is as it is, object by object.
func Why(d explain.Answers, o Options) model.Document {
	out := document(o, "Explain a field", d.Head, d.Ending, d.Answers, o.why)
	out.Headline = interruptedLine(d.Interrupted)
	return out
}

// why is the section of one object: the value, who set it, who may change it, what
// removes it.
func (o Options) why(a explain.Why) model.Section {
	var rows []model.Item
	row := func(label string, text model.Text, blocks ...model.Block) {
		rows = append(rows, model.Item{Label: model.Say(label), Text: text, Blocks: blocks})
	}
	if whole := words.Scalar(a.Value.Value); !a.Value.Missing && len(whole) <= wholeValue && whole != short(a.Value.Value) {
		row("value", model.Text{model.Value.Of(whole)})
	}
	if a.Inside {
		row("part of", model.Textf("%v, which is owned as a whole", model.Field.Of(a.Field)))
	}
	if n := a.Nature; n.Kind == explain.AtomicMap || n.Kind == explain.AtomicList || n.Deduced {
		row("field", model.Say(Nature(explain.Conflict{Nature: n})))
	}
	for i, d := range a.Drops {
		if i < len(a.Owners) {
			row("set by", o.owner(a.Owners[i]), dropped(a.Field, d)...)
		} else {
			row("in it", writerOf(d.Writer), dropped(a.Field, d)...)
		}
	}
	if len(a.Applies) > 0 {
		row("changed by", appliesText(a), refusedValues(a.Applies)...)
	}
	for i, kept := range a.Kept {
		row([]string{"kept", ""}[min(i, 1)], kept.Spans())
	}
	row("removed by", model.Say(a.Removal.Says), removal(a.Removal)...)
	s := model.Section{
		Before: cautions(report.Confidence{Reasons: a.Caveats}, a.Target), Weight: model.Detail,
		Title:   titled(a.Target, model.Textf("%v is %v", model.Field.Of(a.Field), shortValue(a.Value))),
		Subject: subjectOf(a.Target, a.Source, report.Unchanged, model.Say(a.Says)),
	}
	if a.Origin != explain.Owned || a.Value.Missing {
		s.Blocks = append(s.Blocks, paragraph("%v", a.Says))
	}
	s.Blocks = append(s.Blocks, model.List{Items: rows})
	s.Blocks = append(s.Blocks, saying("Notices", notes(a.Notices))...)
	return s
}

// owner is one of a field: since when, and what kind of writer it is.
func (o Options) owner(owner explain.Owner) model.Text {
	return model.Textf("%v, %v: %v", writerOf(owner.Writer), words.Since(owner.Time, o.Now), ManagerKind(owner.ManagerKind))
}

// dropped is what happens if an owner drops the field, and what changes with it.
func dropped(field string, d explain.Drop) []model.Block {
	out := []model.Block{paragraph("%v", d.Says)}
	if d.Message != "" {
		out = append(out, model.Quote{Text: d.Message})
	}
	var fields []string
	for _, c := range d.Also {
		if d.Effect == explain.EffectChanged || !managedfields.Within(c.Field, field) {
			fields = append(fields, c.Field)
		}
	}
	if fields == nil {
		return out
	}
	return append(out, paragraph("Changed with it: %v.", model.Join(model.Spans(model.Field, firstOf(fields, 3)), ", ")))
}

// appliesText says what happens if the manager applies the field.
func appliesText(a explain.Why) model.Text {
	var parts []model.Text
	for _, t := range a.Applies {
		parts = append(parts, model.Textf("applies %v: %v", model.Value.Of(short(t.Value)), t.Says))
	}
	return model.Textf("%v %v", model.Manager.Of(a.Manager), model.Join(parts, "; "))
}

// refusedValues are the server's words where it refuses a value for another reason than a
// conflict.
func refusedValues(list []explain.Apply) []model.Block {
	var out []model.Block
	for _, t := range list {
		if t.Message != "" && t.Outcome.Refused() && t.Outcome != report.Conflicted {
			out = append(out, model.Quote{Text: t.Message})
		}
	}
	return out
}

// removal are the steps after which the field is gone; none where the server refuses that.
func removal(r explain.Removal) []model.Block {
	if r.Effect == explain.EffectRefused {
		return nil
	}
	var out []model.Block
	for _, s := range r.Steps {
		if s.Command.None() {
			out = append(out, paragraph("%v", s.Says))
		} else {
			out = append(out, model.Command{Line: s.Command.String()})
		}
		if s.Outcome.Refused() {
			out = append(out, paragraph("%v %v", model.Bad.Of("refused:"), s.Message))
		}
	}
	return out
}
