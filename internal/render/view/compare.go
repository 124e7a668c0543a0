package view

import (
	"strings"

	"github.com/ssactl/ssactl/internal/plan/compare"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Compare shows what happened between two dumps: first who took what from whom
// over all objects, then object by object.
func Compare(d compare.Document, o Options) model.Document {
	out := document(o, "Compare two dumps", d.Head, d.Ending, d.Objects, o.comparison)
	out.Lead = append(comparedTotal(d), interruptedLine(d.Interrupted)...)
	out.Blocks = movesByManager(d.Managers)
	out.Rules = ruleModels("compare/", compare.Rules())
	return out
}

// comparedTotal are at most three lines: the objects, who took most, and the next
// applies.
func comparedTotal(d compare.Document) []model.Text {
	s := d.Summary
	out := []model.Text{total(s.Total, "object",
		of(model.Bad, s.Failed, "failed"),
		of(model.Bad, s.Removed, "removed"),
		of(model.Changed, s.Recreated, "recreated"),
		of(model.Changed, s.Changed, "changed"+inBrackets(counts(s.Values, s.Moves, s.LostEntries))),
		of(model.Good, s.Added, "added"),
		of(model.Plain, s.Unchanged, "unchanged"))}
	for _, m := range d.Managers {
		if m.From != "" && m.To != "" {
			out = append(out, model.Textf("%v took %v from %v", model.Manager.Of(m.To), words.Count(m.Fields, "field"), model.Manager.Of(m.From)))
			break
		}
	}
	if s.Refused > 0 {
		out = append(out, model.Textf("%v; it would have accepted %v of them before",
			model.Bad.Of("The API server would reject "+words.Count(s.Refused, "next apply")), s.NewlyRefused))
	}
	return out
}

// counts are the numbers of what changed, those that are not zero.
func counts(values, moves, lost int) []string {
	var out []string
	if values > 0 {
		out = append(out, words.Count(values, "value"))
	}
	if moves > 0 {
		out = append(out, "owners of "+words.Count(moves, "field"))
	}
	if lost > 0 {
		out = append(out, words.Count(lost, entryNoun)+" lost")
	}
	return out
}

// inBrackets are these behind a word; nothing where there are none.
func inBrackets(parts []string) string {
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// movesByManager says who took what from whom.
func movesByManager(list []compare.ManagerMoves) []model.Block {
	if len(list) == 0 {
		return nil
	}
	t := model.Table{Columns: []model.Column{{Title: "from"}, {Title: "to"}, {Title: "fields", Right: true}, {Title: "objects", Right: true}}, Shown: shown}
	for _, m := range list {
		t.Rows = append(t.Rows, []model.Text{someManager(m.From), someManager(m.To), model.Textf("%v", m.Fields), model.Textf("%v", m.Objects)})
	}
	return []model.Block{part("Ownership that moved", t)}
}

func someManager(name string) model.Text {
	if name == "" {
		return model.Text{model.Faint.Of("no owner")}
	}
	return model.Text{model.Manager.Of(name)}
}

// comparison is the section of one object.
func (o Options) comparison(c compare.Comparison) model.Section {
	verdict := comparedVerdict(c)
	source := c.After
	if source == nil {
		source = c.Before
	}
	s := model.Section{
		Title: titled(c.Target, verdict), Weight: model.Change,
		Subject: subjectOf(c.Target, *source, comparedOutcome(c), verdict),
	}
	if c.Bare != "" {
		s.Before = bareSide(c)
	}
	switch {
	case comparedOutcome(c).Refused():
		s.Weight = model.Decision
	default:
		s.Subject.Reason = comparedStates[c.State].Text
		if c.State == compare.Unchanged {
			s.Weight = model.Dull
		}
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if c.WasAt != "" {
		add(paragraph("The earlier dump has it at %v and the later one at %v; values are not compared, as each version has its own fields.", c.WasAt, c.Target.APIVersion))
	}
	if len(c.Values) > 0 {
		add(part("Values", comparedValues(c.Values)))
	}
	if moves := o.comparedMoves(c.Moves); moves.Rows != nil {
		add(part("Owners", moves))
	}
	if len(c.Entries) > 0 {
		add(part("Managed fields entries", o.comparedEntries(c.Entries)))
	}
	add(comparedNext(c.Next)...)
	s.Findings = comparedFindings(c)
	return s
}

// bareSide says that the owners may not have changed at all.
func bareSide(c compare.Comparison) []model.Block {
	return cautionBlocks(Caution{
		Caveat: report.Caveat{Message: "The " + map[compare.BareSide]string{compare.BareBefore: "earlier", compare.BareAfter: "later"}[c.Bare] +
			" dump has no managed fields of the object: if it was fetched without them, no owner has changed."},
		Cure:    "Fetch it with its managed fields:",
		Command: fetchObject(c.Target),
	})
}

// comparedOutcome is that of the next apply, for systems of CI.
func comparedOutcome(c compare.Comparison) report.Outcome {
	switch {
	case c.State == compare.Failed:
		return report.Failed
	case c.Next != nil && c.Next.After.Outcome.Refused():
		return c.Next.After.Outcome
	}
	return report.Unchanged
}

var comparedStates = map[compare.State]model.Span{
	compare.Added: model.Good.Of("added"), compare.Removed: model.Bad.Of("removed"),
	compare.Recreated: model.Changed.Of("deleted and created again"),
	compare.Changed:   model.Changed.Of("changed"), compare.Unchanged: model.Plain.Of("unchanged"),
}

func comparedVerdict(c compare.Comparison) model.Text {
	if c.State == compare.Failed {
		return noAnswer(c.Error)
	}
	lost := 0
	for _, e := range c.Entries {
		if e.Kind == compare.EntryRemoved {
			lost++
		}
	}
	parts := counts(len(c.Values), c.Moved(), lost)
	if n := c.Next; n != nil && n.After.Outcome.Refused() {
		parts = append(parts, "the next apply would be rejected")
	}
	if parts == nil {
		return model.Text{comparedStates[c.State]}
	}
	return model.Textf("%v: %v", comparedStates[c.State], strings.Join(parts, ", "))
}

// comparedValues is a table of fields, their values, and who wrote them.
func comparedValues(list []compare.Value) model.Table {
	t := model.Table{Columns: make([]model.Column, 4), Shown: shown}
	for _, v := range list {
		change := report.Change{Kind: v.Kind, Before: v.Before, After: v.After}
		var by model.Text
		if len(v.By) > 0 {
			by = model.Textf("by %v", model.Manager.Of(words.Writers(v.By)))
		}
		t.Rows = append(t.Rows, []model.Text{{signs[v.Kind]}, {model.Field.Of(v.Field)}, shortValues(change), by})
	}
	return t
}

// shortValues are the values of a change where there is a line for it.
func shortValues(c report.Change) model.Text {
	switch c.Kind {
	case report.Added:
		return model.Text{model.Value.Of(short(c.After))}
	case report.Removed:
		return model.Textf("was %v", model.Value.Of(short(c.Before)))
	}
	return changeValues(c)
}

// comparedMoves is a table of fields and what became of their owners. Fields that
// came or went with them are among the values already.
func (o Options) comparedMoves(list []compare.Move) model.Table {
	t := model.Table{Columns: make([]model.Column, 2), Shown: shown}
	for _, m := range list {
		if !m.Stays() && !o.Verbose {
			continue
		}
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(m.Field)}, moveText(m)})
	}
	return t
}

func moveText(m compare.Move) model.Text {
	from, to := model.Manager.Of(words.Writers(m.From)), model.Manager.Of(words.Writers(m.To))
	switch m.Kind {
	case compare.Taken:
		return model.Textf("%v took ownership from %v", to, from)
	case compare.Joined:
		return model.Textf("%v owns it too", to)
	case compare.Left:
		return model.Textf("%v no longer owns it, others do", from)
	case compare.Claimed:
		return model.Textf("%v owns it, it had no owner", to)
	case compare.Unowned:
		return model.Textf("no manager owns it any more, %v did", from)
	case compare.Came:
		return model.Textf("%v owns it, it is new", to)
	}
	return model.Textf("gone, %v owned it", from)
}

// comparedEntries are the managed fields entries that came and went.
func (o Options) comparedEntries(list []compare.Entry) model.Table {
	t := model.Table{Columns: make([]model.Column, 3), Shown: shown}
	for _, e := range list {
		sign, text := model.Good.Of("+"), "new"
		if e.Kind == compare.EntryRemoved {
			sign, text = model.Bad.Of("-"), "lost"
		}
		t.Rows = append(t.Rows, []model.Text{{sign}, writerOf(e.Writer), model.Textf("%v, %v, %v", text, words.Count(e.Fields, "field"), words.Since(e.Time, o.Now))})
	}
	return t
}

// comparedNext is the next apply of the manifest.
func comparedNext(n *compare.Next) []model.Block {
	if n == nil {
		return nil
	}
	list := model.List{Items: []model.Item{}}
	if n.Before != nil {
		list.Items = append(list.Items, comparedAnswer("before", *n.Before, n.Solved))
	}
	list.Items = append(list.Items, comparedAnswer("now", n.After, n.Conflicts))
	title := model.Textf("The next apply of %v by %v (simulated)", words.FileOrStdin(n.Source.File), model.Manager.Of(n.Manager))
	return []model.Block{model.Section{Title: title, Blocks: []model.Block{list}}}
}

// comparedAnswer is one answer, with the conflicts that only it has.
func comparedAnswer(label string, a report.Answer, conflicts []report.Conflict) model.Item {
	text := strings.ToLower(string(a.Outcome))
	if a.Outcome == report.Invalid || a.Outcome == report.Failed {
		text += ": " + glyph.FirstLine(a.Message)
	}
	item := labeledItem(label, model.Say(text))
	t := model.Table{Columns: make([]model.Column, 2), Shown: shown}
	for _, c := range conflicts {
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(c.Field)}, model.Textf("owned by %v", model.Manager.Of(words.Writer(c.Writer)))})
	}
	if t.Rows != nil {
		item.Blocks = []model.Block{t}
	}
	return item
}
