package transfer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// layOut shows how fields go from one field manager to another, object by
// object.
func layOut(d Document, o page.Options) model.Document {
	out := page.Document(o, "Transfer ownership", d.Head, d.Ending, d.Plans, plan)
	if len(d.Plans) != 1 || d.Summary.Without > 0 || d.Interrupted != nil {
		s := d.Summary
		without := "left out, as " + words.Agree(s.Without, "it does", "they do") + " not have the fields"
		out.Lead = append([]model.Text{page.Total(
			s.Total, "plan", page.Of(model.Good, s.Safe, "safe"), page.Of(model.Bad, s.Unsafe, "without a safe plan"),
			page.Of(model.Bad, s.Failed, "failed"), page.Of(model.Plain, s.Without, without),
		)}, page.InterruptedLine(d.Interrupted)...)
	}
	if len(d.Plans) > page.Many {
		one := func(p Plan) (report.Target, model.Text) { return p.Target, transferVerdict(p) }
		page.GroupMany(
			&out, page.Grouped(d.Plans, transferVerdict, one, reasons),
			"-v shows each plan, --output-dir writes the steps.",
		)
	}
	return out
}

// reasons say why no plan of these is safe, each once.
func reasons(list []Plan) []model.Block {
	var out []model.Block
	seen := map[string]bool{}
	for _, p := range list {
		if why := model.Text(p.Reason.Spans()); p.Chosen == "" && !p.Reason.IsZero() && !seen[why.String()] {
			seen[why.String()] = true
			out = append(out, model.Paragraph{Text: why})
		}
	}
	return out
}

// plan is the section of one object.
func plan(o page.Options, p Plan) model.Section {
	verdict := transferVerdict(p)
	s := model.Section{
		Title: page.Titled(p.Target, verdict), Weight: page.WeightOf(p.Outcome),
		Subject: page.SubjectOf(p.Target, p.Source, p.Outcome, verdict),
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if message := p.Message.String(); strings.Contains(message, "\n") {
		add(model.Quote{Text: message})
	}
	if p.Chosen == "" && !p.Reason.IsZero() {
		s.Notes = []model.Text{p.Reason.Spans()}
	}
	if len(p.Fields) > 0 {
		now := model.List{}
		for _, f := range p.Fields {
			now.Items = append(now.Items, page.LabeledItem("now", stateText(f)))
		}
		add(now)
	}
	if len(p.Options) > 0 {
		// The first option in full: its steps with what is there after each.
		w := p.Options[0]
		blocks := []model.Block{page.Paragraph("%v", p.Reason)}
		if len(w.Steps) > 0 {
			blocks = append(blocks, transferSteps(o, p, w))
			if p.Chosen != "" {
				blocks = append(blocks, afterSteps(o, p, w)...)
			}
		} else if !w.Problem.IsZero() {
			blocks = append(blocks, page.Paragraph("%v %v", model.Bad.Of("problem:"), w.Problem))
		}
		add(page.Part("The steps: "+planNames[w.Kind], blocks...))
		add(hazardBlocks(p)...)
		add(otherPlans(o, p)...)
	}
	add(page.Remarks(p.Findings)...)
	return s
}

func transferVerdict(p Plan) model.Text {
	whom := model.Textf("to %v", model.Manager.Of(p.To))
	if p.From != "" {
		whom = model.Textf("from %v %v", model.Manager.Of(p.From), whom)
	}
	switch {
	case p.Outcome == report.Failed && p.Chosen == "":
		return model.Textf("%v, %v", whom, page.NoAnswer(p.Message.String()))
	case p.Chosen == "" && !p.Message.IsZero():
		return model.Textf("%v, %v: %v", whom, model.Bad.Of("no safe plan"), text.FirstLine(p.Message.String()))
	case p.Chosen == "":
		return model.Textf("%v, %v", whom, model.Bad.Of("no safe plan"))
	case p.Chosen == Done:
		return model.Textf("%v, %v", whom, model.Good.Of("nothing to do"))
	}
	return model.Textf("%v, %v", whom, model.Good.Of("safe in "+words.Count(len(p.Options[0].Steps), "step")))
}

// stateText is a field with its value and owners.
func stateText(s State) model.Text {
	value := model.Say("is gone")
	if !s.Value.Missing {
		value = model.Textf("is %v", explain.ShortValue(s.Value))
	}
	return model.Textf("%v %v, %v", model.Field.Of(s.Field), value, stateOwners(s))
}

func stateOwners(s State) model.Text {
	if len(s.Owners) == 0 {
		return model.Say("without an owner")
	}
	var names []model.Text
	for _, w := range s.Owners {
		w.APIVersion = ""
		names = append(names, page.WriterOf(w))
	}
	return model.Textf("owned by %v", model.Join(names, " and "))
}

var planNames = map[OptionKind]string{
	ShareThenDrop:     "share, then drop",
	ForceThenDrop:     "force, then drop",
	MigrateThenDrop:   "share, migrate to server-side apply, then drop",
	HandOverManager:   "a manager in between, then drop",
	WaitForController: "wait for the controller, then drop",
	DropOnly:          "only drop",
	Done:              "nothing to do",
	DisownOnly:        "remove it from the entry",
	MigrateOnly:       "migrate to server-side apply",
}

// afterSteps say where the files of the steps are, and how to go on where one fails.
func afterSteps(o page.Options, p Plan, w Option) []model.Block {
	var out []model.Block
	commands := 0
	for i, s := range w.Steps {
		if fileOf(i, s) != "" {
			commands++
		}
	}
	if !o.Files {
		out = append(
			out,
			model.Paragraph{
				Apart: true,
				Text:  model.Say("--output-dir DIR writes the files of the steps, -o kubectl prints a script that needs none."),
			},
		)
	}
	if commands > 1 {
		from := ""
		if p.FromThen != "" {
			from = " (after step 1 with " + shell.Value("--from", p.FromThen).String() + ")"
		}
		says := "If a step fails, those before it hold: fetch the object again and repeat the command" + from + "; the new plan goes on from there."
		out = append(out, model.Paragraph{Apart: out == nil, Text: model.Say(says)})
	}
	return out
}

func transferSteps(o page.Options, p Plan, w Option) model.List {
	l := model.List{Numbered: true, Apart: true}
	for i, s := range w.Steps {
		l.Items = append(l.Items, transferStep(o, p, i, s))
	}
	return l
}

func transferStep(o page.Options, p Plan, i int, s Step) model.Item {
	item := model.Item{Text: s.Does.Spans()}
	add := func(blocks ...model.Block) { item.Blocks = append(item.Blocks, blocks...) }
	switch {
	case !s.NotSimulated.IsZero():
		add(page.Paragraph("nothing to run: it does so by itself; not simulated, as %v", s.NotSimulated))
		return item
	case s.Kind == ByItself:
	case s.Kind == Patch || s.Source != nil || len(s.Manifest) > 0:
		file := fileOf(i, s)
		if o.Folders {
			file = words.FileName(p.Target) + "/" + file
		}
		line := commandOf(p, s, file)
		if err := line.Err(); err != nil {
			add(page.Paragraph("no command line does it: %v", err.Error()))
		} else {
			add(model.Command{Line: line.String()})
		}
	}
	if o.Files && s.Kind == Apply && s.Manager == cmp.Or(p.FromThen, p.From) {
		add(page.Paragraph("Where a tool applies this manifest from a repository, commit the change there."))
	}
	if s.NotEdited != "" {
		add(page.Paragraph("the given manifest cannot be edited in place, so that its comments are lost: %v", s.NotEdited))
	}
	add(simulated(s)...)
	if len(s.Also) > 0 {
		add(page.Paragraph("This changes too:"), page.Changes(s.Also))
	}
	return item
}

// simulated says how the server answered a step, and what the fields are like afterwards.
func simulated(s Step) []model.Block {
	label := "simulated"
	if s.Kind == ByItself {
		label = "nothing to run; simulated with another value"
	}
	if len(s.States) == 1 && !s.Outcome.Refused() {
		return []model.Block{page.Paragraph("%v: %v; %v", label, stepOutcome(s), stateText(s.States[0]))}
	}
	out := []model.Block{page.Paragraph("%v: %v", label, stepOutcome(s))}
	if s.Outcome.Refused() {
		out = append(out, model.Quote{Text: s.Message})
	}
	for _, state := range s.States {
		out = append(out, model.List{Items: []model.Item{{Text: stateText(state)}}})
	}
	return out
}

func stepOutcome(s Step) model.Text {
	switch {
	case s.Outcome.Refused():
		return model.Text{model.Bad.Of(fmt.Sprintf("refused (%d)", s.Code))}
	case s.Outcome == report.Unchanged:
		return model.Say("accepted, nothing changes")
	}
	return model.Say("accepted")
}

// otherPlans are the ways that were not chosen, each with why.
func otherPlans(o page.Options, p Plan) []model.Block {
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
			item.Blocks = []model.Block{transferSteps(o, p, w)}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{page.Part("Other options", l)}
}

// hazardBlocks say what goes wrong in another order, and afterwards: the harm first.
func hazardBlocks(p Plan) []model.Block {
	if len(p.Hazards) == 0 {
		return nil
	}
	l := model.List{}
	worst := slices.Clone(p.Hazards)
	slices.SortStableFunc(worst, func(a, b Hazard) int {
		switch {
		case a.Harm == b.Harm:
			return 0
		case a.Harm:
			return -1
		}
		return 1
	})
	for _, r := range worst {
		sign := model.Text{model.Plain.Of("-")}
		if r.Harm {
			sign = model.Text{model.Bad.Of("!")}
		}
		l.Items = append(l.Items, model.Item{Label: sign, Text: hazardText(p, r)})
	}
	return []model.Block{page.Part("What may come in between (simulated)", l)}
}

// hazardText is a hazard in a sentence or two.
func hazardText(p Plan, r Hazard) model.Text {
	it := words.Them(len(p.Fields))
	when := map[HazardKind]string{
		DropFirst:         fmt.Sprintf("If %%v drops %s before step %d", it, r.Before),
		DeleteFirst:       fmt.Sprintf("If a client-side tool of %%v deletes %s before step %d, as gone from its manifest", it, r.Before),
		ControllerFirst:   fmt.Sprintf("If %%v writes between step %d and step %d", r.Before-1, r.Before),
		OldManifest:       "If %v applies its old manifest after the last step",
		OldManifestForced: "If %v applies its old manifest after the last step with force",
	}[r.Kind]
	then := ""
	switch {
	case r.Likely && r.Harm && r.Kind == OldManifestForced:
		then = " It is known to force by itself: remove the field from its source first."
	case r.Likely && r.Kind == DeleteFirst:
		then = " kubectl apply does so, as the last-applied annotation has " + it + "."
	}
	return model.Textf("%v: %v.%v", model.Textf(when, model.Manager.Of(r.Manager)), hazardEnd(p, r, it), then)
}

// hazardEnd is what happens to the fields.
func hazardEnd(p Plan, r Hazard, it string) model.Text {
	switch {
	case r.Outcome == report.Conflicted:
		return model.Textf("it conflicts with %v, and nothing changes", page.And(r.With))
	case r.Outcome.Refused():
		return model.Textf("the server refuses it (%v), and nothing changes", r.Code)
	}
	deletes := r.Kind == DropFirst || r.Kind == DeleteFirst
	var parts []model.Text
	changed := false
	for i, s := range r.States {
		before := conflict.Value{}
		if i < len(p.Fields) {
			before = p.Fields[i].Value
		}
		field := model.Field.Of(s.Field)
		switch {
		case s.Value.Missing:
			parts, changed = append(parts, model.Textf("the server removes %v", field)), true
		case deletes && words.Scalar(s.Value.Value) != words.Scalar(before.Value):
			parts, changed = append(
				parts,
				model.Textf("the server sets %v from %v to %v", field, explain.ShortValue(before), explain.ShortValue(s.Value)),
			), true
		default:
			parts = append(parts, model.Textf("%v is %v then, %v", field, explain.ShortValue(s.Value), stateOwners(s)))
		}
	}
	end := model.Join(parts, ", ")
	if changed && deletes {
		return model.Textf("%v, until %v sets %v", end, model.Manager.Of(p.To), it)
	}
	return end
}
