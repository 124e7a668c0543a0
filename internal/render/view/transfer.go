package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// Transfer shows how fields go from one field manager to another, object by
// object.
func Transfer(d transfer.Document, o Options) model.Document {
	out := document(o, "Transfer ownership", d.Head, d.Ending, d.Plans, o.plan)
	if len(d.Plans) != 1 || d.Summary.Without > 0 || d.Interrupted != nil {
		out.Lead = append([]model.Text{transferTotal(d.Summary)}, interruptedLine(d.Interrupted)...)
	}
	return out
}

func transferTotal(s transfer.Summary) model.Text {
	return total(s.Total, "plan",
		of(model.Good, s.Safe, "safe"), of(model.Bad, s.Unsafe, "without a safe plan"), of(model.Bad, s.Failed, "failed"),
		of(model.Plain, s.Without, "left out, as they do not have the fields"))
}

// plan is the section of one object.
func (o Options) plan(p transfer.Plan) model.Section {
	verdict := transferVerdict(p)
	s := model.Section{
		Title: titled(p.Target, verdict), Weight: weightOf(p.Outcome),
		Subject: subjectOf(p.Target, p.Source, p.Outcome, verdict),
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if message := p.Message.String(); strings.Contains(message, "\n") {
		add(model.Quote{Text: message})
	}
	if p.Chosen == "" && !p.Reason.IsZero() {
		s.Notes = []model.Text{p.Reason.Spans()}
	}
	now := model.List{}
	for _, f := range p.Fields {
		now.Items = append(now.Items, labeledItem("now", stateText(f)))
	}
	if now.Items != nil {
		add(now)
	}
	if len(p.Options) > 0 {
		add(o.chosenPlan(p, p.Options[0]))
		add(hazards(p)...)
		add(o.otherPlans(p)...)
	}
	add(remarks(p.Findings)...)
	if p.Chosen != "" && p.Chosen != transfer.Done && !o.Files {
		add(model.Paragraph{Apart: true, Text: model.Say("--output-dir DIR writes the files of the steps, -o kubectl a script with all of them.")})
	}
	return s
}

func transferVerdict(p transfer.Plan) model.Text {
	whom := model.Textf("to %v", model.Manager.Of(p.To))
	if p.From != "" {
		whom = model.Textf("from %v %v", model.Manager.Of(p.From), whom)
	}
	switch {
	case p.Outcome == report.Failed && p.Chosen == "":
		return model.Textf("%v, %v", whom, noAnswer(p.Message.String()))
	case p.Chosen == "" && !p.Message.IsZero():
		return model.Textf("%v, %v: %v", whom, model.Bad.Of("no safe plan"), glyph.FirstLine(p.Message.String()))
	case p.Chosen == "":
		return model.Textf("%v, %v", whom, model.Bad.Of("no safe plan"))
	case p.Chosen == transfer.Done:
		return model.Textf("%v, %v", whom, model.Good.Of("nothing to do"))
	}
	return model.Textf("%v, %v", whom, model.Good.Of("safe in "+words.Count(len(p.Options[0].Steps), "step")))
}

// stateText is a field with its value and owners.
func stateText(s transfer.State) model.Text {
	value := model.Say("is gone")
	if !s.Value.Missing {
		value = model.Textf("is %v", shortValue(s.Value))
	}
	return model.Textf("%v %v, %v", model.Field.Of(s.Field), value, stateOwners(s))
}

func stateOwners(s transfer.State) model.Text {
	if len(s.Owners) == 0 {
		return model.Say("without an owner")
	}
	var names []model.Text
	for _, w := range s.Owners {
		w.APIVersion = ""
		names = append(names, writerOf(w))
	}
	return model.Textf("owned by %v", model.Join(names, " and "))
}

var planNames = map[transfer.OptionKind]string{
	transfer.ShareThenDrop:     "share, then drop",
	transfer.ForceThenDrop:     "force, then drop",
	transfer.MigrateThenDrop:   "share, migrate to server-side apply, then drop",
	transfer.HandOverManager:   "a manager in between, then drop",
	transfer.WaitForController: "wait for the controller, then drop",
	transfer.DropOnly:          "only drop",
	transfer.Done:              "nothing to do",
	transfer.DisownOnly:        "remove it from the entry",
	transfer.MigrateOnly:       "migrate to server-side apply",
}

// chosenPlan is the first way in full: its steps with what is there after each.
func (o Options) chosenPlan(p transfer.Plan, w transfer.Option) model.Block {
	blocks := []model.Block{paragraph("%v", p.Reason)}
	switch {
	case len(w.Steps) > 0:
		blocks = append(blocks, o.transferSteps(p, w))
	case !w.Problem.IsZero():
		blocks = append(blocks, paragraph("%v %v", model.Bad.Of("problem:"), w.Problem))
	}
	return part("The steps: "+planNames[w.Kind], blocks...)
}

func (o Options) transferSteps(p transfer.Plan, w transfer.Option) model.List {
	l := model.List{Numbered: true, Apart: true}
	for i, s := range w.Steps {
		l.Items = append(l.Items, o.transferStep(p, i, s))
	}
	return l
}

// stepCommand is the command of a step, or why there is none.
func stepCommand(line shell.Line) model.Block {
	if err := line.Err(); err != nil {
		return paragraph("no command line does it: %v", err.Error())
	}
	return model.Command{Line: line.String()}
}

func (o Options) transferStep(p transfer.Plan, i int, s transfer.Step) model.Item {
	item := model.Item{Text: s.Does.Spans()}
	add := func(blocks ...model.Block) { item.Blocks = append(item.Blocks, blocks...) }
	switch {
	case !s.NotSimulated.IsZero():
		add(paragraph("nothing to run: it does so by itself; not simulated, as %v", s.NotSimulated))
		return item
	case s.Kind == transfer.ByItself:
		add(paragraph("nothing to run: it does so by itself (simulated with another value)"))
	case s.Kind == transfer.Patch || s.Source != nil || len(s.Manifest) > 0:
		file := StepFile(i, s)
		if o.Folders {
			file = words.FileName(p.Target) + "/" + file
		}
		add(stepCommand(StepCommand(p, s, file)))
	}
	if o.Files && s.Kind == transfer.Apply && s.Manager == cmp.Or(p.FromThen, p.From) {
		add(paragraph("Where a tool applies this manifest from a repository, commit the change there."))
	}
	if s.NotEdited != "" {
		add(paragraph("the given manifest cannot be edited in place, so that its comments are lost: %v", s.NotEdited))
	}
	add(paragraph("simulated: %v", stepOutcome(s)))
	if s.Outcome.Refused() {
		add(model.Quote{Text: s.Message})
	}
	for _, state := range s.States {
		add(model.List{Items: []model.Item{{Text: stateText(state)}}})
	}
	if len(s.Also) > 0 {
		add(paragraph("This changes too:"), changes(s.Also))
	}
	return item
}

func stepOutcome(s transfer.Step) model.Text {
	switch {
	case s.Outcome.Refused():
		return model.Text{model.Bad.Of(fmt.Sprintf("refused (%d)", s.Code))}
	case s.Outcome == report.Unchanged:
		return model.Say("accepted, nothing changes")
	}
	return model.Say("accepted")
}

// otherPlans are the ways that were not chosen, each with why.
func (o Options) otherPlans(p transfer.Plan) []model.Block {
	if len(p.Options) < 2 {
		return nil
	}
	l := model.List{Marked: true}
	for _, w := range p.Options[1:] {
		verdict := model.Say("safe too")
		if !w.Safe {
			verdict = model.Textf("not safe: %v", w.Problem)
		}
		item := model.Item{Text: model.Textf("%v (%v)", planNames[w.Kind], verdict)}
		if o.Verbose && len(w.Steps) > 0 {
			item.Blocks = []model.Block{o.transferSteps(p, w)}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{part("Other options", l)}
}

// isSame reports whether two values read the same.
func isSame(a, b explain.Value) bool { return words.Scalar(a.Value) == words.Scalar(b.Value) }
