package view

import (
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

// why is the section of one object.
func (o Options) why(a explain.Why) model.Section {
	s := model.Section{
		Before: cautions(report.Confidence{Reasons: a.Caveats}, a.Target), Weight: model.Detail,
		Title:   titled(a.Target, model.Textf("%v is %v", model.Field.Of(a.Field), shortValue(a.Value))),
		Subject: subjectOf(a.Target, a.Source, report.Unchanged, model.Say(a.Says)),
	}
	facts := o.owners(a.Owners)
	fact := func(label, text string) { facts = append(facts, labeledItem(label, model.Say(text))) }
	if a.Inside {
		fact("note", a.Typed+" is inside this field, which is owned as a whole: what is said of the field holds for all that is in it")
	}
	fact("field", Nature(explain.Conflict{Nature: a.Nature}))
	s.Blocks = []model.Block{paragraph("%v", a.Says), model.List{Items: facts}}
	if whole := valueOf(a.Value, model.Value); whole.String() != shortValue(a.Value).String() {
		s.Blocks = append(s.Blocks, model.List{Items: []model.Item{labeledItem("value", whole)}})
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	add(saying("Who may set it", notes(a.Setters))...)
	add(drops(a.Drops)...)
	add(applies(a)...)
	add(saying("Why it stays when it is removed from a manifest", model.Said(a.Kept))...)
	add(removal(a.Removal))
	add(saying("Notices", notes(a.Notices))...)
	return s
}

// owners are those of a field, each with what kind of writer it is.
func (o Options) owners(list []explain.Owner) []model.Item {
	var out []model.Item
	for _, owner := range list {
		item := labeledItem("owned by", model.Textf("%v, %v", writerOf(owner.Writer), words.Since(owner.Time, o.Now)))
		item.Blocks = []model.Block{paragraph("%v", ManagerKind(owner.ManagerKind))}
		out = append(out, item)
	}
	return out
}

// drops say what happens if an owner drops the field.
func drops(list []explain.Drop) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l := model.List{}
	for _, d := range list {
		item := model.Item{Text: writerOf(d.Writer), Blocks: []model.Block{paragraph("%v", d.Says)}}
		if d.Message != "" {
			item.Blocks = append(item.Blocks, model.Quote{Text: d.Message})
		}
		item.Blocks = append(item.Blocks, also(d.Also)...)
		l.Items = append(l.Items, item)
	}
	return []model.Block{part("If its owner drops it (simulated)", l)}
}

// also are other fields that change with the one in question.
func also(list []report.Change) []model.Block {
	if len(list) == 0 {
		return nil
	}
	return []model.Block{paragraph("This changes too:"), changes(list)}
}

// applies say what happens if the manager applies the field.
func applies(a explain.Why) []model.Block {
	if len(a.Applies) == 0 {
		return nil
	}
	l := model.List{Marked: true}
	for _, t := range a.Applies {
		what := "another value"
		if t.Same {
			what = "the same value"
		}
		item := model.Item{Text: model.Textf("%v, %v: %v", what, model.Value.Of(short(t.Value)), t.Says)}
		if t.Message != "" && t.Outcome.Refused() && t.Outcome != report.Conflicted {
			item.Blocks = []model.Block{model.Quote{Text: t.Message}}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{model.Section{Title: model.Textf("If %v applies it (simulated)", model.Manager.Of(a.Manager)), Blocks: []model.Block{l}}}
}

// removal are the steps after which the field is gone.
func removal(r explain.Removal) model.Block {
	l := model.List{Numbered: true}
	for _, s := range r.Steps {
		item := model.Item{Text: model.Say(s.Says)}
		if !s.Command.None() {
			item.Blocks = append(item.Blocks, model.Command{Line: s.Command.String()})
		}
		if s.Outcome.Refused() {
			item.Blocks = append(item.Blocks, paragraph("%v %v", model.Bad.Of("refused:"), s.Message))
		}
		l.Items = append(l.Items, item)
	}
	blocks := []model.Block{paragraph("%v", r.Says)}
	if l.Items != nil {
		blocks = append([]model.Block{l}, blocks...)
	}
	return part("To get it removed", blocks...)
}
