package view

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Explain shows why applies conflict: each field with its options, simulated.
func Explain(d explain.Document, o Options) model.Document {
	if d.FailOn != nil {
		o.FailOn = *d.FailOn
	}
	o.Several = len(d.Objects) > 1
	out := document(o, "Explain conflicts", d.Head, d.Ending, d.Objects, o.explanation)
	out.Rules = writeRules
	if d.Summary.Total > 1 || d.Interrupted != nil {
		as := model.Text(nil)
		if len(d.Objects) > 0 {
			as = o.applier(glyph.Cut(d.Objects[0].Manager, inHeadline), model.Manager)
		}
		out.Lead = append([]model.Text{outcomes(d.Summary, as)}, interruptedLine(d.Interrupted)...)
	}
	if o.Several && !o.Verbose && o.Names == nil {
		out.Brief, out.First = true, o.grouped(d)
		out.Blocks = append(out.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of("-v shows each object; KIND/NAME shows one of them.")}})
	}
	out.Exit = ExitReason(d.Summary, d.Ending)
	var a assumed
	for _, e := range d.Objects {
		a.add(e.Confidence)
	}
	a.tell(&out.Tail)
	return out
}

// conflictRule is that of conflicts, for systems of CI.
var conflictRule = model.Rule{
	ID: "ssactl/conflict", Name: "Conflict", Level: model.Error,
	Short: "Another field manager owns the field with another value.",
	Help: "Server-Side Apply refuses to change a field that another field manager owns with another value. The options to resolve it: " +
		"stop managing the field (remove it from the manifest); use the live value, and share ownership; " +
		"or force, and take ownership. The message says which is recommended.",
}

// explanation is the section of one apply.
func (o Options) explanation(e explain.Explanation) model.Section {
	gist := explainedGist(e)
	s := model.Section{
		Before: cautions(e.Confidence, e.Target), Under: o.look(explainedAnswer(e)), Weight: weightOf(e.Outcome),
		Title:   outcomeTitle(e.Target, o.applier(e.Manager, model.Plain), outcomeSpan(e.Outcome), gist),
		Subject: subjectOf(e.Target, e.Source, e.Outcome, model.Say(gist)),
	}
	if i := slices.IndexFunc(e.Risks, o.fails); i >= 0 && !e.Outcome.Refused() {
		s.Subject.State, s.Subject.Reason, s.Subject.Gist = model.Refused, camel(e.Risks[i].Rule), riskText(e.Risks[i]).String()
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	s.Findings = o.answerFindings(explainedAnswer(e))
	for _, n := range e.Notices {
		add(model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(n)})
	}
	switch {
	case e.Outcome == report.Conflicted:
		for _, story := range e.Conflicts {
			add(o.story(e, story))
			s.Findings = append(s.Findings, o.storyFinding(e, story))
		}
		add(o.together(e)...)
		add(clientParts(e.InClient)...)
	case e.Outcome == report.Failed:
	case e.Outcome.Refused():
		add(o.refused(e)...)
	default:
		if len(e.Risks) > 0 {
			s.Weight = model.Decision
		}
		add(paragraph("No conflicts; the apply would succeed: no field is owned by another manager with another value."))
	}
	add(o.notSimulated(e.Confidence)...)
	return s
}

// explainedAnswer is the answer that is explained, without its conflicts.
func explainedAnswer(e explain.Explanation) report.Result {
	return report.Result{
		Target: e.Target, Source: e.Source, Outcome: e.Outcome, Code: e.Code, Error: e.Message, Status: &report.Status{Message: e.Message},
		Causes: e.Causes, Notices: e.Notices, Confidence: e.Confidence, Risks: e.Risks, Manager: e.Manager, Operation: report.Apply, LiveSource: e.LiveSource,
	}
}

// explainedGist is what a refusal comes down to.
func explainedGist(e explain.Explanation) string {
	switch e.Outcome {
	case report.Conflicted:
		managers := map[string]bool{}
		for _, s := range e.Conflicts {
			for _, owner := range s.Owners {
				managers[owner.Manager] = true
			}
		}
		return words.Count(len(e.Conflicts), "field") + " owned by " + words.Count(len(managers), "other manager")
	case report.Failed:
		return glyph.FirstLine(e.Message)
	}
	if e.Outcome.Refused() {
		return fmt.Sprintf("rejected by the API server: %d", e.Code)
	}
	return ""
}

// refused is an apply that is rejected for another reason than ownership: there
// is nothing to resolve between managers.
func (o Options) refused(e explain.Explanation) []model.Block {
	var out []model.Block
	if faults := o.causes(e.Causes); faults != nil {
		out = append(out, part("What is wrong", faults...))
	}
	return append(out, part(fmt.Sprintf("The API server would answer %d", e.Code),
		model.Quote{Text: e.Message},
		paragraph("This is no conflict of field managers: the request itself, or the object that would come of it, is rejected.")))
}

// story is the part on one field.
func (o Options) story(e explain.Explanation, s explain.Conflict) model.Section {
	return model.Section{
		Title:  fieldAt(s.Field, s.Source),
		Blocks: slices.Concat([]model.Block{o.facts(s)}, options(s), o.recommendation(e, s)),
	}
}

// fieldAt is a field with its line.
func fieldAt(field string, source *report.Source) model.Text {
	title := model.Text{model.Field.Of(field)}
	if at := words.Place(source); at != "" {
		title = model.Textf("%v, %v", title, model.Faint.Of(at))
	}
	return title
}

// facts are what is known of a conflicting field.
func (o Options) facts(s explain.Conflict) model.List {
	facts := model.List{Items: []model.Item{
		{Label: model.Say("yours"), Text: valueOf(s.Yours, model.Good)},
		{Label: model.Say("live"), Text: valueOf(s.Live, model.Bad)},
	}}
	if inside := inside(s.Live.Value, s.Yours.Value); inside.n > 0 {
		facts.Items = []model.Item{{Label: model.Say("differs"), Text: inside.text("live -> yours"), Blocks: []model.Block{inside.diff()}}}
	}
	fact := func(label, text string) {
		facts.Items = append(facts.Items, model.Item{Label: model.Say(label), Text: model.Say(text)})
	}
	if s.AskedAs != "" {
		fact("", "shown in the API version of its owner; your manifest has it as "+s.AskedAs)
	}
	if difference := differenceText(s); difference != "" {
		fact("", difference)
	}
	if s.Nature.Kind != explain.Scalar || s.Nature.Deduced {
		fact("field", Nature(s))
	}
	for _, owner := range s.Owners {
		facts.Items = append(facts.Items, labeledItem("owned by", o.owner(owner)))
	}
	return facts
}

// valueOf is a value, or that there is none.
func valueOf(v explain.Value, role model.Role) model.Text {
	if v.Missing {
		return model.Text{role.Of("(not set)")}
	}
	return model.Text{role.Of(glyph.Cut(words.Scalar(v.Value), wholeValue))}
}

// wholeValue is how much of a value is shown where it is shown as a whole.
const wholeValue = 400

// shortValue is a value in a sentence or title.
func shortValue(v explain.Value) model.Text {
	if v.Missing {
		return model.Say("(not set)")
	}
	return model.Text{model.Value.Of(short(v.Value))}
}

// recommendation says what to do, why, and with which command.
func (o Options) recommendation(e explain.Explanation, s explain.Conflict) []model.Block {
	head := model.Strong.Of("Recommended: " + recommended(s.Recommended) + ".")
	out := []model.Block{model.Paragraph{Apart: true, Text: model.Textf("%v %v", head, s.Reason)}}
	if s.Recommended == explain.None {
		return out
	}
	out = append(out, commands(some(o.recommendedCommand(e, s)))...)
	if s.Recommended == explain.Force && !agreed(e.Conflicts) {
		out = append(out, paragraph(forceTakesAll))
	}
	return out
}

// agreed reports whether one option is recommended for all fields.
func agreed(stories []explain.Conflict) bool {
	for _, s := range stories {
		if s.Recommended != stories[0].Recommended {
			return false
		}
	}
	return true
}

// together are the options for all fields at once.
func (o Options) together(e explain.Explanation) []model.Block {
	if len(e.Together) == 0 {
		return nil
	}
	l := model.List{}
	for _, w := range e.Together {
		item := model.Item{Label: model.Text{model.Strong.Of(optionName(w.Kind))}, Text: model.Say(togetherText(w))}
		l.Items = append(l.Items, withRefusal(item, w))
	}
	blocks := []model.Block{l}
	if command := o.allCommand(e); command != "" {
		blocks = append(blocks, model.Command{Line: command})
	}
	return []model.Block{part(fmt.Sprintf("All %d fields at once", len(e.Conflicts)), blocks...)}
}

// storyFinding is a conflict for systems of CI, with what is recommended.
func (o Options) storyFinding(e explain.Explanation, s explain.Conflict) model.Finding {
	t := e.Target
	var owners []report.Writer
	var names string
	for _, owner := range s.Owners {
		owners, names = append(owners, owner.Writer), owner.Manager
	}
	out := model.Finding{
		Rule: conflictRule.ID, Level: model.Error, Fails: true, Title: "Conflict: " + words.Object(t),
		Message: fmt.Sprintf("%s is owned by %s: live %s, yours %s. Recommended: %s. %s", s.Field, words.Writers(owners),
			valueOf(s.Live, model.Plain), valueOf(s.Yours, model.Plain), recommended(s.Recommended), s.Reason),
		File: e.Source.File, Line: e.Source.Line, Class: class(t), Object: qualified(t), Name: t.Name, Field: s.Field,
		Identity: []string{conflictRule.ID, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, s.Field, names},
	}
	if s.Source != nil {
		out.File, out.Line = s.Source.File, s.Source.Line
	}
	if s.Recommended != explain.None {
		out.Fix = o.recommendedCommand(e, s)
	}
	return out
}
