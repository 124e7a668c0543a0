package clear

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// layOut shows what clearing managed fields entries does, object by object.
func layOut(d Document, o page.Options) model.Document {
	out := page.Document(o, "Clear managed fields", d.Head, d.Ending, d.Objects, clearingSection)
	if s := out.Sections; len(s) == 1 && s[0].Weight == model.Dull && s[0].Notes == nil {
		s[0].Notes = []model.Text{model.Say("nothing to clear")}
	}
	if d.Summary.WithRefused > 0 {
		out.State = max(out.State, model.Refused)
	}
	if n := len(d.Objects); n > 1 || n == 1 && len(d.Problems) > 0 || d.Interrupted != nil {
		s := d.Summary
		lost := fmt.Sprintf(
			"to clear (%s; %s left unowned)",
			words.Count(s.Entries, page.EntryNoun),
			words.Count(s.Ownerless, "field"),
		)
		out.Lead = append([]model.Text{page.Total(s.Total, "object",
			page.Of(model.Changed, s.Cleared, lost),
			page.Of(model.Plain, s.Unchanged, "with nothing to clear"),
			page.Of(model.Bad, s.Refused, "refused"),
			page.Of(model.Bad, s.Failed, "failed"),
			page.Of(model.Bad, s.WithRefused, "refused an apply afterwards"))}, page.InterruptedLine(d.Interrupted)...)
		if n > page.Many {
			one := func(c Clearing) (report.Target, model.Text) { return c.Target, clearVerdict(c) }
			page.GroupMany(
				&out, page.Grouped(d.Objects, ofMany, one, told),
				"-v shows each object, -o kubectl prints the commands.",
			)
		}
	}
	return out
}

// ofMany is what is said of an object among many: whose entries would be cleared. Those with
// nothing to clear are counted only.
func ofMany(c Clearing) model.Text {
	if c.Patch == nil && c.Outcome == report.Unchanged && len(c.Findings)+len(c.Spared) == 0 && !c.withRefused() {
		return nil
	}
	if c.Patch == nil || c.Outcome.Refused() || len(c.Cleared) == 0 {
		return clearVerdict(c)
	}
	var whose []string
	for _, e := range c.Cleared {
		e.Writer.APIVersion = ""
		whose = append(whose, page.WriterOf(e.Writer).String())
	}
	return model.Textf(
		"%v of %v would be cleared",
		words.Count(len(c.Cleared), page.EntryNoun),
		words.Some(whose, shownWriters, len(whose)),
	)
}

// shownWriters is how many owners of cleared entries are named.
const shownWriters = 3

// withRefused reports whether the apply of --with would be refused afterwards.
func (c Clearing) withRefused() bool { return c.With != nil && c.With.After.Outcome.Refused() }

// told counts what is lost in objects of one verdict, and says each of their remarks once.
func told(list []Clearing) []model.Block {
	var ownerless, refused int
	seen := map[string]bool{}
	var remarks []model.Block
	for _, c := range list {
		ownerless += len(c.Ownerless)
		if c.withRefused() {
			refused++
		}
		for _, f := range c.Findings {
			if !seen[f.Rule] {
				seen[f.Rule] = true
				remarks = append(remarks, page.Remarks([]report.Finding{f})...)
			}
		}
	}
	var out []model.Block
	if ownerless > 0 {
		out = append(out, page.Paragraph("%v left unowned", words.Count(ownerless, "field")))
	}
	if refused > 0 {
		out = append(
			out,
			page.Paragraph("the apply afterwards would be %v in %v", model.Bad.Of("refused"), words.Count(refused, "object")),
		)
	}
	return append(out, remarks...)
}

// clearingSection is the section of one object.
func clearingSection(o page.Options, c Clearing) model.Section {
	verdict := clearVerdict(c)
	s := model.Section{
		Title: page.Titled(c.Target, verdict), Weight: page.WeightOf(c.Outcome),
		Subject: page.SubjectOf(c.Target, c.Source, c.Outcome, verdict),
		Notes:   page.Messages(c.Findings),
	}
	for _, e := range c.Spared {
		s.Notes = append(s.Notes, model.Textf("%v is kept: %v", page.WriterOf(e.Writer), e.Why))
	}
	if c.Patch == nil && c.Outcome == report.Unchanged && c.With == nil && len(c.Spared) == 0 {
		s.Weight = model.Dull
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if c.Outcome.Refused() && (c.Outcome != report.Failed || strings.Contains(c.Message, "\n")) {
		add(model.Quote{Text: c.Message})
	}
	add(page.Remarks(c.Findings)...)
	add(entries(o, "Entries to clear", c.Cleared, "field")...)
	add(entries(o, "Entries to shorten by the paths that the object does not have", c.Pruned, "path")...)
	add(entries(o, "Kept, though selected", c.Spared, "field")...)
	if c.Patch != nil && !c.Outcome.Refused() {
		add(losses(c)...)
		add(nextApplies(c.Next)...)
	}
	if w := c.With; w != nil {
		title := model.Textf(
			"The apply of %v by %v (simulated)",
			words.FileOrStdin(w.Source.File),
			model.Manager.Of(w.Manager),
		)
		add(model.Section{Title: title, Blocks: []model.Block{model.List{Items: []model.Item{
			answered("without clearing", w.Before), answered("after clearing", w.After),
		}}}})
	}
	if !c.Command.None() && !c.Outcome.Refused() {
		add(page.Part("To clear them", model.Command{Line: c.Command.String()}))
	}
	return s
}

func clearVerdict(c Clearing) model.Text {
	entries := words.Count(c.Entries, page.EntryNoun)
	switch {
	case c.Outcome == report.Failed:
		return page.NoAnswer(c.Message)
	case c.Outcome.Refused():
		return model.Textf("%v", model.Bad.Of(fmt.Sprintf("the API server would refuse (%d)", c.Code)))
	case c.Patch == nil:
		return model.Say("nothing to clear")
	case c.Whole && c.Entries == 0:
		return model.Textf("%v", model.Changed.Of("managedFields, which cannot be read, would be cleared"))
	case c.Whole && c.Entries == 1:
		return model.Textf("%v, %v", model.Changed.Of("its only managed fields entry would be cleared"), unowned(c.Ownerless))
	case c.Whole:
		return model.Textf("%v, %v", model.Changed.Of("all "+entries+" would be cleared"), unowned(c.Ownerless))
	case len(c.Cleared) == 0:
		return model.Textf("%v", model.Changed.Of(words.Count(len(c.Pruned), page.EntryNoun)+" would be shortened"))
	}
	text := fmt.Sprintf("%d of %s would be cleared", len(c.Cleared), entries)
	if len(c.Pruned) > 0 {
		text += fmt.Sprintf(", %d shortened", len(c.Pruned))
	}
	return model.Textf("%v, %v", model.Changed.Of(text), unowned(c.Ownerless))
}

func unowned(fields []string) string {
	if len(fields) == 0 {
		return "no field left unowned"
	}
	return words.Count(len(fields), "field") + " left unowned"
}

// entries are managed fields entries that were looked at.
func entries(o page.Options, title string, list []Entry, noun string) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l := model.List{}
	for _, e := range list {
		item := model.Item{
			Text: model.Textf("%v, %v: %v", page.WriterOf(e.Writer), words.Since(e.Time, o.Now), words.Count(e.Fields, noun)),
		}
		if e.Who != "" {
			item.Blocks = append(item.Blocks, page.Paragraph("%v", e.Who))
		}
		if !e.Why.IsZero() {
			item.Blocks = append(item.Blocks, page.Paragraph("%v", e.Why))
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{page.Part(title, l)}
}

// losses say what happens to the fields of the cleared entries.
func losses(c Clearing) []model.Block {
	if len(c.Cleared) == 0 {
		return nil
	}
	s := page.Part("What is lost", page.Paragraph("No field is left unowned."))
	if n := len(c.Ownerless); n > 0 {
		says := fmt.Sprintf(
			"%s left unowned: the %s, any manager may set THEM, and no apply removes THEM by leaving THEM out",
			words.Count(n, "field"),
			words.Agree(n, "value stays", "values stay"),
		)
		if !c.Whole {
			// Of an object without entries, the server makes up an owner at the next apply.
			says += ". Until a manager applies THEM again, no conflict shows a change of THEM"
		}
		s.Blocks = []model.Block{model.List{Items: []model.Item{{
			Text:   model.Say(strings.ReplaceAll(says, "THEM", words.Them(n))),
			Blocks: []model.Block{page.Fields(c.Ownerless)},
		}}}}
	}
	if n := len(c.Remaining); n > 0 {
		s.Blocks = append(s.Blocks, model.List{Items: []model.Item{{
			Text:   model.Textf("%v still owned by others", words.Count(n, "field")),
			Blocks: []model.Block{page.Owned(c.Remaining)},
		}}})
	}
	return []model.Block{s}
}

// answered is the server's answer to an apply, in short.
func answered(label string, a Answer) model.Item {
	text := strings.ToLower(string(a.Outcome))
	switch {
	case a.Outcome.Refused() && a.Outcome != report.Conflicted:
		text += ": " + a.Message
	case a.Outcome == report.Configured && len(a.Changes) == 0:
		text += ": only ownership changes"
	case a.Outcome == report.Configured:
		text += ": " + words.Count(len(a.Changes), "change")
	}
	item := model.Item{Label: model.Say(label), Text: model.Say(text)}
	conflicts, changes := model.Table{Columns: make([]model.Column, 2), Shown: page.Shown}, model.Diff{Shown: page.Shown}
	for _, c := range a.Conflicts {
		conflicts.Rows = append(
			conflicts.Rows,
			[]model.Text{{model.Field.Of(c.Field)}, model.Textf("owned by %v", model.Manager.Of(c.Manager))},
		)
	}
	for _, c := range a.Changes {
		changes.Lines = append(changes.Lines, page.ChangeLine(c.Kind, " "+c.Field))
	}
	if conflicts.Rows != nil {
		item.Blocks = append(item.Blocks, conflicts)
	}
	if changes.Lines != nil {
		item.Blocks = append(item.Blocks, changes)
	}
	return item
}

// nextApplies say what the next apply of each manager does.
func nextApplies(list []Next) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l := model.List{}
	for _, n := range list {
		who := page.WriterOf(n.Writer)
		if n.New {
			who = model.Say("Any manager that applies for the first time")
		}
		l.Items = append(l.Items, model.Item{Text: who, Blocks: []model.Block{page.Sentences(nextTexts(n))}})
	}
	return []model.Block{page.Part("What the next applies do (simulated)", l)}
}

// nextTexts are sentences on one manager's next apply.
func nextTexts(n Next) []model.Text {
	if n.Unknown != "" {
		return []model.Text{model.Textf("What it applied is not known: %v.", n.Unknown)}
	}
	if n.New && len(n.Shares) > 0 {
		return []model.Text{
			model.Textf(
				"If it applies the live values, the apply succeeds, and it co-owns them with %v, synthesized by the server for all that the object has: from then on other values conflict with it, and fields left out stay.",
				page.And(n.Shares),
			),
		}
	}
	out := []model.Text{model.Textf("Applied again unchanged, its configuration %v", nextText(n))}
	for i, probe := range n.Probes {
		// What clearing does not alter is said of the next apply only, and not twice.
		repeats := i > 0 && probe.Kind == DropLater && probe.After == n.Probes[i-1].After
		if !repeats && (probe.Before != probe.After || probe.Kind == DropNext) {
			out = append(out, probeText(probe))
		}
	}
	return out
}

// nextText is the result of applying a configuration again.
func nextText(n Next) model.Text {
	switch {
	case n.Outcome == report.Conflicted:
		return model.Textf("conflicts with %v.", page.And(n.With))
	case n.Outcome.Refused():
		return model.Say(fmt.Sprintf("is refused (%d): %s", n.Code, n.Message))
	case len(n.Shares) > 0:
		return model.Textf(
			"is accepted, but from then on it co-owns its fields with %v, synthesized by the server for all that the object has.",
			page.And(n.Shares),
		)
	case n.Cleared:
		return model.Say("is accepted, and it owns its fields again.")
	}
	return model.Say("is accepted, and nothing changes.")
}

// probes are what is done to a field by way of example.
var probes = map[ProbeKind]string{
	DropNext:    "If its next apply leaves %v out, the field %v%v",
	DropLater:   "If it applies %v again first, and leaves it out later, the field %v%v",
	ChangeLater: "If it applies %v again first, and another value later, the apply %v%v",
}

// probeText says what happens to the field, with clearing and without.
func probeText(b Probe) model.Text {
	compared := model.Say(", as it would without clearing.")
	if b.Before != b.After {
		compared = model.Textf("; without clearing, it %v.", effectText(b.Kind, b.Before, nil))
	}
	return model.Textf(probes[b.Kind], model.Field.Of(b.Field), effectText(b.Kind, b.After, b.With), compared)
}

func effectText(kind ProbeKind, f Effect, with []string) model.Text {
	others := model.Say("other managers")
	if len(with) > 0 {
		others = page.And(with)
	}
	if kind == ChangeLater {
		switch f {
		case Conflicted:
			return model.Textf("conflicts with %v", others)
		case Refused:
			return model.Say("is refused for another reason than a conflict")
		}
		return model.Say("is accepted")
	}
	switch f {
	case Removed:
		return model.Say("is removed")
	case Changed:
		return model.Say("goes back to the server's default")
	case Conflicted:
		return model.Textf("stays, as the apply conflicts with %v", others)
	case Refused:
		return model.Say("stays, as the apply is refused")
	}
	return model.Say("stays as it is")
}
