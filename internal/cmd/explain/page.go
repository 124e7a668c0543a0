package explain

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// layOut shows why applies conflict: each field with its options, simulated.
func layOut(d conflict.Document, o page.Options) model.Document {
	if d.FailOn != nil {
		o.FailOn = *d.FailOn
	}
	o.Several = len(d.Objects) > 1
	out := page.Document(o, "Explain conflicts", d.Head, d.Ending, d.Objects, explanation)
	out.Rules = writes.WriteRules
	w := grouped(o, d)
	if d.Summary.Total > 1 || d.Interrupted != nil {
		out.Lead = w.Headline(report.Report{Summary: d.Summary, Ending: d.Ending})
	}
	if o.Several && !o.Verbose && o.Names == nil {
		out.Brief, out.First = true, append(w.Look(w.Groups.Sorted()), w.Cautious(len(d.Objects))...)
		out.Blocks = append(
			out.Blocks,
			model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of("-v shows each object; KIND/NAME shows one of them.")}},
		)
	}
	out.Exit = page.ExitReason(d.Summary, d.Ending)
	w.Assumed.Tell(&out.Tail)
	if out.NotSimulated = notSimulated(d); o.Digest {
		for i := range out.Sections {
			out.Sections[i].Findings = nil
		}
		w.Digest(&out.Tail)
	}
	return out
}

// notSimulated is what a real server may do in addition, each sentence once.
func notSimulated(d conflict.Document) []string {
	out := []string{}
	for _, e := range d.Objects {
		for _, reason := range e.Confidence.Reasons {
			if reason.Rule == "" && !slices.Contains(out, reason.Message) {
				out = append(out, reason.Message)
			}
		}
	}
	return out
}

// explanation is the section of one apply.
func explanation(o page.Options, e conflict.Explanation) model.Section {
	gist := explainedGist(e)
	under := explainedAnswer(e)
	under.Risks, under.Findings = e.OtherRisks(), uncontested(e)
	s := model.Section{
		Before: page.CautionBlocks(e.Confidence, e.Target), Under: writes.Look(o, under), Weight: page.WeightOf(e.Outcome),
		Title:   writes.OutcomeTitle(e.Target, writes.InTitle(o, e.Manager, false), writes.OutcomeWord(under), gist),
		Subject: page.SubjectOf(e.Target, e.Source, e.Outcome, model.Say(gist)),
	}
	if i := slices.IndexFunc(e.Risks, o.Fails); i >= 0 && !e.Outcome.Refused() {
		s.Subject.State, s.Subject.Reason, s.Subject.Gist = model.Refused, page.Camel(
			e.Risks[i].Rule,
		), writes.RiskText(e.Risks[i]).
			String()
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	s.Findings = writes.AnswerFindings(o, conflictedAnswer(e))
	for _, n := range e.Notices {
		add(model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(n)})
	}
	switch {
	case len(e.Conflicts) > 0:
		s.Weight = model.Decision
		taken, rest := takeover(e.Conflicts)
		add(behind(o, e)...)
		for _, c := range rest {
			add(model.Section{
				Title:  FieldAt(c.Field, c.Source),
				Blocks: slices.Concat([]model.Block{Facts(o, c)}, unsettled(e, c), recommendation(o, e, c), options(c)),
			})
		}
		if add(takenOver(o, e, taken)...); taken == nil && !refusedAnyway(rest[0]) {
			add(together(o, e)...)
		}
		add(page.ClientParts(e.InClient)...)
	case e.Outcome == report.Failed:
	case e.Outcome.Refused():
		add(refused(o, e)...)
	default:
		if len(e.Risks) > 0 {
			s.Weight = model.Decision
		}
		add(page.Paragraph(unopposed(e)))
	}
	add(writes.NotSimulated(o, e.Confidence)...)
	return s
}

// behind is why the server rejects the apply with force too. The options are then those of the manifest
// once that is mended.
func behind(o page.Options, e conflict.Explanation) []model.Block {
	if e.Forced == nil {
		return nil
	}
	out := writes.WithForce(o, forcedAnswer(e))
	if e.Mended {
		out = append(out, page.Paragraph("The options below are simulated with that mended, in the way that is recommended."))
	}
	return out
}

// forcedAnswer is the answer that is explained, with what the server answers to it with force.
func forcedAnswer(e conflict.Explanation) report.Result {
	r := explainedAnswer(e)
	r.Forced = e.Forced
	return r
}

// refusedAnyway reports whether the server refuses every option of a conflict for a reason that is said once.
func refusedAnyway(c conflict.Conflict) bool { return c.Because.Kind == conflict.RefusedAnyway }

// unsettled says that the write of a contested field does not last, where the client takes it.
func unsettled(e conflict.Explanation, c conflict.Conflict) []model.Block {
	i := slices.IndexFunc(e.Risks, func(r report.Finding) bool { return r.Field == c.Field && risk.IsLasting(r) })
	if i < 0 {
		return nil
	}
	return []model.Block{model.Paragraph{Label: model.Say("Does not last:"), Text: writes.RiskText(e.Risks[i])}}
}

// uncontested are the risks that no conflict speaks of, as they were followed; nil where nothing was.
func uncontested(e conflict.Explanation) []report.Finding {
	if len(e.Findings) == 0 {
		return nil
	}
	others := e.OtherRisks()
	return slices.DeleteFunc(slices.Clone(e.Findings), func(f report.Finding) bool {
		return !slices.ContainsFunc(others, func(r report.Finding) bool { return r.Rule == f.Rule && r.Field == f.Field })
	})
}

// unopposed says why nothing conflicts.
func unopposed(e conflict.Explanation) string {
	switch {
	case e.Recreated:
		return "No conflicts: the client deletes the object, and the new one has no other owners."
	case e.Hook != "":
		return "No conflicts: the client runs the object as a hook (" + e.Hook + ")."
	case e.Deleted:
		return "No conflicts: the client deletes the object."
	}
	return "No conflicts; the apply would succeed: no field is owned by another manager with another value."
}

// explainedAnswer is the answer that is explained, without its conflicts.
func explainedAnswer(e conflict.Explanation) report.Result {
	return report.Result{
		Target: e.Target, Source: e.Source, Outcome: e.Outcome, Code: e.Code, Error: e.Message,
		Status: &report.Status{Message: e.Message},
		Causes: e.Causes, Notices: e.Notices, Confidence: e.Confidence, Risks: e.Risks, Manager: e.Manager,
		Operation: report.Apply, LiveSource: e.LiveSource,
		Live: e.Of.Live, Changes: e.Of.Changes, Transfers: e.Of.Transfers, Force: e.Of.Force, InClient: e.InClient,
		Recreated: e.Recreated, Deleted: e.Deleted, Hook: e.Hook, Client: e.Client,
	}
}

// explainedGist is what a refusal comes down to.
func explainedGist(e conflict.Explanation) string {
	var fields, managers []string
	for _, s := range e.Conflicts {
		fields, managers = append(fields, s.Field), append(managers, conflict.Managers(s.Owners)...)
	}
	switch e.Outcome {
	case report.Conflicted:
		return writes.ConflictGist(fields, managers)
	case report.Failed:
		return text.FirstLine(e.Message)
	}
	if len(fields) > 0 {
		return words.Count(len(fields), "field") + " would be taken by force, from " + writes.FewNames(managers)
	}
	switch {
	case e.Outcome.Refused() && e.Code == 0:
		return "refused by the client"
	case e.Outcome.Refused():
		return fmt.Sprintf("rejected by the API server: %d", e.Code)
	}
	return ""
}

// refused is an apply that is rejected for another reason than ownership: there
// is nothing to resolve between managers.
func refused(o page.Options, e conflict.Explanation) []model.Block {
	var out []model.Block
	if faults := writes.Causes(o, e.Causes); faults != nil {
		out = append(out, page.Part("What is wrong", faults...))
	}
	answer := []model.Block{model.Quote{Text: e.Message}}
	if e.Code == 0 {
		return append(out, page.Part(writes.Answerer(explainedAnswer(e)), answer...))
	}
	if e.Refusals == nil {
		answer = append(answer, page.Paragraph("This is no conflict of field managers: "+
			"the request, or the object that it is for, is rejected."))
	}
	out = append(out, page.Part(fmt.Sprintf("The API server would answer %d", e.Code), answer...))
	if e.Refusals != nil {
		r := explainedAnswer(e)
		r.Refusals = e.Refusals
		out = append(out, page.Part("What causes it", o.Refusals(r)...))
	}
	return out
}

// takeover are the conflicts that are nothing but a part of a takeover, and the others.
func takeover(list []conflict.Conflict) (taken, rest []conflict.Conflict) {
	for _, s := range list {
		if s.Recommended == conflict.Migrate {
			taken = append(taken, s)
		} else {
			rest = append(rest, s)
		}
	}
	return taken, rest
}

// takenOver is the part on a takeover: its fields with their values, and the one command that
// hands all of them over.
func takenOver(o page.Options, e conflict.Explanation, taken []conflict.Conflict) []model.Block {
	if taken == nil {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 3), Shown: page.Shown}
	for _, s := range taken {
		change := report.Change{Kind: report.Modified, Before: s.Live.Value, After: s.Yours.Value}
		t.Rows = append(
			t.Rows,
			[]model.Text{{model.Field.Of(s.Field)}, page.ChangeValues(change), {model.Faint.Of(words.Place(s.Source))}},
		)
	}
	title := fmt.Sprintf("A takeover from %s: %s", words.And(taken[0].Because.Managers), words.Count(len(taken), "field"))
	blocks := append([]model.Block{t}, recommendation(o, e, taken[0])...)
	return []model.Block{page.Part(title, blocks...)}
}

// FieldAt is a field with its line.
func FieldAt(field string, source *report.Source) model.Text {
	title := model.Text{model.Field.Of(field)}
	if at := words.Place(source); at != "" {
		title = model.Textf("%v, %v", title, model.Faint.Of(at))
	}
	return title
}

// Facts are what is known of a conflicting field.
func Facts(o page.Options, s conflict.Conflict) model.List {
	facts := model.List{Items: []model.Item{
		{Label: model.Say("yours"), Text: page.ValueOf(s.Yours, model.Good)},
		{Label: model.Say("live"), Text: page.ValueOf(s.Live, model.Bad)},
	}}
	if inside := page.Inside(s.Live.Value, s.Yours.Value); len(inside) > 0 {
		facts.Items = []model.Item{
			{Label: model.Say("differs"), Text: inside.Text("live -> yours"), Blocks: []model.Block{inside.Diff()}},
		}
	}
	fact := func(label, text string) {
		facts.Items = append(facts.Items, model.Item{Label: model.Say(label), Text: model.Say(text)})
	}
	if s.AskedAs != "" {
		fact("", "shown in the API version of its owner; your manifest has it as "+s.AskedAs)
	}
	if difference := page.DifferenceText(s); difference != "" {
		fact("", difference)
	}
	if s.Nature.Kind != conflict.Scalar || s.Nature.Deduced {
		fact("field", page.Nature(s))
	}
	for _, owner := range s.Owners {
		facts.Items = append(facts.Items, page.LabeledItem("owned by", o.Owner(owner)))
	}
	return facts
}

// ShortValue is a value in a sentence or title.
func ShortValue(v conflict.Value) model.Text {
	if v.Missing {
		return model.Say("(not set)")
	}
	return model.Text{model.Value.Of(page.Short(v.Value))}
}

// recommendation says what to do, why, and with which command.
func recommendation(o page.Options, e conflict.Explanation, s conflict.Conflict) []model.Block {
	out := []model.Block{model.Paragraph{Apart: true, Text: page.Recommendation(s.Recommended, s.Reason)}}
	out = append(out, writes.Commands(o.RecommendedCommand(e, s))...)
	if s.Recommended == conflict.Force && !page.Agreed(e.Conflicts) {
		out = append(out, page.Paragraph(conflict.ForceTakesAll))
	}
	return out
}

// together are the options for all fields at once.
func together(o page.Options, e conflict.Explanation) []model.Block {
	if len(e.Together) == 0 {
		return nil
	}
	l := model.List{}
	for _, w := range e.Together {
		item := model.Item{Label: model.Text{model.Strong.Of(page.OptionName(w.Kind))}, Text: model.Say(page.TogetherText(w))}
		l.Items = append(l.Items, page.WithRefusal(item, w))
	}
	blocks := []model.Block{l}
	blocks = append(blocks, writes.Commands(o.AllCommand(e))...)
	return []model.Block{page.Part(fmt.Sprintf("All %d fields at once", len(e.Conflicts)), blocks...)}
}

// options are the options to resolve the conflict of one field, each simulated.
func options(s conflict.Conflict) []model.Block {
	if refusedAnyway(s) {
		return nil
	}
	l := model.List{}
	for _, w := range s.Resolutions {
		item := model.Item{
			Label: model.Text{model.Strong.Of(page.OptionName(w.Kind))},
			Text:  model.Say(page.OptionText(w, s)),
		}
		if w.Impossible.IsZero() {
			item = page.WithRefusal(item, w)
			item.Blocks = append(item.Blocks, page.Effects(w, s)...)
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{model.Paragraph{Apart: true, Text: model.Text{model.Strong.Of("Options to resolve it:")}}, l}
}

// grouped are many applies by why they are refused, with the options as the first object
// that has each cause shows them.
func grouped(o page.Options, d conflict.Document) *writes.Run {
	o.Brief = true
	w := writes.NewRun(o)
	w.Explains = true
	for _, e := range d.Objects {
		f := writes.FactsOf(conflictedAnswer(e)).Taking(conflict.Conflicting(explainedAnswer(e), e.Conflicts))
		f.Options = func(f report.Finding) []model.Block {
			at := slices.IndexFunc(e.Conflicts, func(c conflict.Conflict) bool {
				return c.Field == f.Field && c.Recommended != conflict.Migrate
			})
			if at < 0 {
				return nil
			}
			return options(e.Conflicts[at])
		}
		w.Add(f)
	}
	return w
}

// conflictedAnswer is the answer that is explained, with its conflicts. What a client takes by
// force is among them.
func conflictedAnswer(e conflict.Explanation) report.Result {
	if len(e.Findings) > 0 {
		r := explainedAnswer(e)
		r.Findings = e.Findings
		return r
	}
	return conflict.Conflicting(explainedAnswer(e), e.Conflicts)
}

// WithSettings writes settings of clients into a document.
func WithSettings(d conflict.Document) conflict.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		e := &d.Objects[i]
		e.InClient = page.Written(e.InClient, e.Target, e.Source.File)
		e.Findings = page.WithTexts(e.Findings, e.Source.File)
	}
	return d
}

// formatsOf is the answer of explain.
func formatsOf(d conflict.Document) show.Answer {
	d = WithSettings(d)
	return show.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, o) }}
}
