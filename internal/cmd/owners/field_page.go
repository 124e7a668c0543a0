package owners

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// layOutField shows why a field is as it is, object by object.
func layOutField(d conflict.Answers, o page.Options) model.Document {
	out := page.Document(o, "Explain a field", d.Head, d.Ending, d.Answers, why)
	out.Headline = page.InterruptedLine(d.Interrupted)
	return out
}

// why is the section of one object: the value, who set it, who may change it, what
// removes it.
func why(o page.Options, a conflict.Why) model.Section {
	var rows []model.Item
	row := func(label string, text model.Text, blocks ...model.Block) {
		rows = append(rows, model.Item{Label: model.Say(label), Text: text, Blocks: blocks})
	}
	if whole := words.Scalar(a.Value.Value); !a.Value.Missing && len(whole) <= page.WholeValue &&
		whole != page.Short(a.Value.Value) {
		row("value", model.Text{model.Value.Of(whole)})
	}
	if a.Inside {
		row("part of", model.Textf("%v, which is owned as a whole", model.Field.Of(a.Field)))
	}
	if n := a.Nature; n.Kind == conflict.AtomicMap || n.Kind == conflict.AtomicList || n.Deduced {
		row("field", model.Say(page.Nature(conflict.Conflict{Nature: n})))
	}
	for i, d := range a.Drops {
		if i < len(a.Owners) {
			row("set by", o.Owner(a.Owners[i]), dropped(a.Field, d)...)
		} else {
			row("in it", page.WriterOf(d.Writer), dropped(a.Field, d)...)
		}
	}
	if len(a.Applies) > 0 {
		does, refused := applies(a)
		row("changed by", does, refused...)
	}
	for i, kept := range a.Kept {
		row([]string{"kept", ""}[min(i, 1)], kept.Spans())
	}
	row("removed by", model.Say(a.Removal.Says), removal(a.Removal)...)
	s := model.Section{
		Before: page.CautionBlocks(report.Confidence{Reasons: a.Caveats}, a.Target), Weight: model.Detail,
		Title:   page.Titled(a.Target, model.Textf("%v is %v", model.Field.Of(a.Field), explain.ShortValue(a.Value))),
		Subject: page.SubjectOf(a.Target, a.Source, report.Unchanged, model.Say(a.Says)),
	}
	if a.Origin != conflict.Owned || a.Value.Missing {
		s.Blocks = append(s.Blocks, page.Paragraph("%v", a.Says))
	}
	s.Blocks = append(s.Blocks, model.List{Items: rows})
	s.Blocks = append(s.Blocks, page.Saying("Notices", page.Notes(a.Notices))...)
	return s
}

// applies says what the manager's applies do, with the server's words where it refuses a value
// for another reason than a conflict.
func applies(a conflict.Why) (model.Text, []model.Block) {
	var parts []model.Text
	var refused []model.Block
	for _, t := range a.Applies {
		parts = append(parts, model.Textf("applies %v: %v", model.Value.Of(page.Short(t.Value)), t.Says))
		if t.Message != "" && t.Outcome.Refused() && t.Outcome != report.Conflicted {
			refused = append(refused, model.Quote{Text: t.Message})
		}
	}
	return model.Textf("%v %v", model.Manager.Of(a.Manager), model.Join(parts, "; ")), refused
}

// dropped is what happens if an owner drops the field, and what changes with it.
func dropped(field string, d conflict.Drop) []model.Block {
	out := []model.Block{page.Paragraph("%v", d.Says)}
	if d.Message != "" {
		out = append(out, model.Quote{Text: d.Message})
	}
	var fields []string
	for _, c := range d.Also {
		if d.Effect == conflict.EffectChanged || !managedfields.Within(c.Field, field) {
			fields = append(fields, c.Field)
		}
	}
	if fields == nil {
		return out
	}
	return append(
		out,
		page.Paragraph("Changed with it: %v.", model.Join(model.Spans(model.Field, page.FirstOf(fields, 3)), ", ")),
	)
}

// removal are the steps after which the field is gone; none where the server refuses that.
func removal(r conflict.Removal) []model.Block {
	if r.Effect == conflict.EffectRefused {
		return nil
	}
	var out []model.Block
	for _, s := range r.Steps {
		if s.Command.None() {
			out = append(out, page.Paragraph("%v", s.Says))
		} else {
			out = append(out, model.Command{Line: s.Command.String()})
		}
		if s.Outcome.Refused() {
			out = append(out, page.Paragraph("%v %v", model.Bad.Of("refused:"), s.Message))
		}
	}
	return out
}

// DropText is what happens to the field if an owner drops it.
func DropText(a conflict.Why, d conflict.Drop) string {
	how := "its next apply without the field"
	if d.Operation != managedfields.Apply {
		how = "an update that omits it or a patch that deletes the field"
	}
	switch d.Effect {
	case conflict.EffectUnknown:
		if d.Operation == managedfields.Apply {
			return fmt.Sprintf("What %s applied is not known: %s.", d.Manager, d.Unknown)
		}
		return fmt.Sprintf(
			"%s owns it by updates, and the object does not have it: nothing is left to drop but the ownership.",
			d.Manager,
		)
	case conflict.EffectRefused:
		return fmt.Sprintf("The server refuses %s (%d).", how, d.Code)
	case conflict.EffectRemoved:
		switch {
		case a.Value.Missing:
			return fmt.Sprintf("%s only ends the ownership.", words.Sentence(how))
		case a.Whole != "":
			return fmt.Sprintf("%s removes it, with all of %s.", words.Sentence(how), a.Whole)
		}
		return words.Sentence(how) + " removes it."
	case conflict.EffectDefault:
		if reflect.DeepEqual(d.After, a.Value) {
			return fmt.Sprintf("After %s it stays as it is: the live value is the server default.", how)
		}
		return fmt.Sprintf("%s resets it to the default%s.", words.Sentence(how), behindDefault(d.After))
	case conflict.EffectChanged:
		if a.Nature.HasParts() && len(d.KeptBy) > 0 {
			return fmt.Sprintf(
				"%s changes parts of it; %s still %s it.",
				words.Sentence(how),
				words.And(d.KeptBy),
				words.Owns(len(d.KeptBy)),
			)
		}
		return fmt.Sprintf("%s changes it to %s.", words.Sentence(how), quoted(d.After))
	}
	if len(d.KeptBy) > 0 {
		return fmt.Sprintf("After %s it stays as it is: %s still %s it.", how, words.And(d.KeptBy), words.Owns(len(d.KeptBy)))
	}
	return fmt.Sprintf("After %s it stays as it is, without an owner.", how)
}

// removalText is the result of all steps; without any, why there are none.
func removalText(r conflict.Removal) string {
	none := len(r.Steps) == 0
	switch r.Effect {
	case conflict.EffectRemoved:
		if none {
			return "nothing: the object does not have it"
		}
		return "these steps (simulated)"
	case conflict.EffectDefault:
		if none {
			return "nothing: the live value is the server default, which comes back at once (simulated)"
		}
		return fmt.Sprintf("nothing; these steps reset it to the server default%s (simulated)", behindDefault(r.After))
	case conflict.EffectChanged:
		return fmt.Sprintf("nothing; after these steps it is %s (simulated)", quoted(r.After))
	case conflict.EffectRefused:
		if none {
			return "nothing: it is part of the object's identity, or the server tracks no owner of it"
		}
		return "nothing: the server refuses to be without it (simulated)"
	}
	return "nothing; after these steps it is still there (simulated)"
}

// behindDefault is a default behind the word; empty for a long one.
func behindDefault(v conflict.Value) string {
	if text := quoted(v); text != longValue {
		return ", " + text
	}
	return ""
}

// longValue stands for a value that is too long for a sentence.
const longValue = "another value"

// quoted is a value in a sentence.
func quoted(v conflict.Value) string {
	if v.Missing {
		return "nothing"
	}
	b, err := json.Marshal(v.Value)
	if err != nil || len(b) > 80 {
		return longValue
	}
	return string(b)
}

// fieldFormatsOf is the answer of why.
func fieldFormatsOf(d conflict.Answers) show.Answer {
	d = WhyDocument(d)
	return show.Answer{Report: d, View: func(o page.Options) model.Document { return layOutField(d, o) }}
}
