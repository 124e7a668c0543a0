package compare

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// answer is the answer of compare, with why the exit code is 1.
func answer(d Document, exit string) show.Answer {
	return show.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, exit, o) }}
}

// layOut shows what happened between two dumps: first who took what from whom
// over all objects, then object by object, the worst first.
func layOut(d Document, exit string, o page.Options) model.Document {
	found := map[report.Target][]report.Finding{}
	for _, f := range d.Findings {
		found[f.Target] = append(found[f.Target], f)
	}
	objects := slices.Clone(d.Objects)
	slices.SortStableFunc(
		objects,
		func(a, b Comparison) int { return weight(a, found[a.Target]) - weight(b, found[b.Target]) },
	)
	out := page.Document(
		o, "Compare two dumps", d.Head, d.Ending, objects,
		func(o page.Options, c Comparison) model.Section {
			return comparison(o, c, found[c.Target])
		},
	)
	out.Lead = append(comparedTotal(d), page.InterruptedLine(d.Interrupted)...)
	out.Blocks = movesByManager(d.Managers)
	out.Rules = page.RuleModels("compare/", Rules())
	if out.Exit = exit; exit != "" {
		out.State = max(out.State, model.Refused)
	}
	return out
}

// weight orders objects: those without an answer, then by the worst that was found.
func weight(c Comparison, found []report.Finding) int {
	switch {
	case c.State == Failed:
		return -1
	case len(found) > 0:
		return found[0].Severity.Rank()
	case c.State == Unchanged:
		return math.MaxInt
	}
	return math.MaxInt - 1
}

// comparedTotal are at most three lines: the objects, who took most, and the next
// applies.
func comparedTotal(d Document) []model.Text {
	s, changed := d.Summary, "changed"
	if parts := counts(s.Values, s.Moves, s.LostEntries); parts != nil {
		changed += " (" + strings.Join(parts, ", ") + ")"
	}
	out := []model.Text{page.Total(s.Total, "object",
		page.Of(model.Bad, s.Failed, "failed"),
		page.Of(model.Bad, s.Removed, "removed"),
		page.Of(model.Changed, s.Recreated, "recreated"),
		page.Of(model.Changed, s.Changed, changed),
		page.Of(model.Good, s.Added, "added"),
		page.Of(model.Plain, s.Unchanged, "unchanged"))}
	for _, m := range d.Managers {
		if m.From != "" && m.To != "" {
			out = append(
				out,
				model.Textf("%v took %v from %v", model.Manager.Of(m.To), words.Count(m.Fields, "field"), model.Manager.Of(m.From)),
			)
			break
		}
	}
	if severities := page.BySeverity(d.Findings); severities != nil {
		out[0] = model.Textf("%v. %v", out[0], severities)
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
		out = append(out, words.Count(lost, page.EntryNoun)+" lost")
	}
	return out
}

// movesByManager says who took what from whom.
func movesByManager(list []ManagerMoves) []model.Block {
	if len(list) == 0 {
		return nil
	}
	t := model.Table{
		Columns: []model.Column{
			{Title: "from"},
			{Title: "to"},
			{Title: "fields", Right: true},
			{Title: "objects", Right: true},
		},
		Shown: page.Shown,
	}
	for _, m := range list {
		t.Rows = append(
			t.Rows,
			[]model.Text{someManager(m.From), someManager(m.To), model.Textf("%v", m.Fields), model.Textf("%v", m.Objects)},
		)
	}
	return []model.Block{page.Part("Ownership that moved", t)}
}

func someManager(name string) model.Text {
	if name == "" {
		return model.Text{model.Faint.Of("no owner")}
	}
	return model.Text{model.Manager.Of(name)}
}

// comparison is the section of one object, with what was found on it.
func comparison(o page.Options, c Comparison, found []report.Finding) model.Section {
	verdict := comparedVerdict(c)
	s := model.Section{
		Title: page.Titled(c.Target, verdict), Weight: model.Change,
		Subject: page.SubjectOf(c.Target, c.at(), comparedOutcome(c), verdict),
	}
	if len(found) > 0 {
		s.Title = model.Textf("%v %v", page.SeverityWord(found[0].Severity), s.Title)
	}
	if c.Bare != "" {
		// The owners may not have changed at all.
		side := map[BareSide]string{BareBefore: "earlier", BareAfter: "later"}[c.Bare]
		s.Before = page.BlocksOf(findings.Cautioned(report.Caveat{Rule: report.RuleNoManagedFields, Message: "The " + side +
			" dump has no managed fields of the object: if it was fetched without them, no owner has changed."}, c.Target))
	}
	switch {
	case comparedOutcome(c).Refused():
		s.Weight = model.Decision
	default:
		s.Subject.Reason = comparedStates[c.State].Text
		if c.State == Unchanged {
			s.Weight = model.Dull
		}
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if c.WasAt != "" {
		add(
			page.Paragraph(
				"The earlier dump has it at %v and the later one at %v; values are not compared, as each version has its own fields.",
				c.WasAt,
				c.Target.APIVersion,
			),
		)
	}
	if fields := comparedFields(o, c); fields.Rows != nil {
		add(page.Part("Fields", fields))
	}
	if len(c.Entries) > 0 {
		add(page.Part("Managed fields entries", comparedEntries(o, c.Entries)))
	}
	add(comparedNext(c.Next)...)
	for _, f := range found {
		s.Findings = append(s.Findings, page.FindingModel(f, "compare/", "", f.Rule == applyRejected.Name))
	}
	return s
}

// comparedOutcome is that of the next apply, for systems of CI.
func comparedOutcome(c Comparison) report.Outcome {
	switch {
	case c.State == Failed:
		return report.Failed
	case c.refused():
		return c.Next.After.Outcome
	}
	return report.Unchanged
}

var comparedStates = map[State]model.Span{
	Added: model.Good.Of("added"), Removed: model.Bad.Of("removed"),
	Recreated: model.Changed.Of("deleted and created again"),
	Changed:   model.Changed.Of("changed"), Unchanged: model.Plain.Of("unchanged"),
}

func comparedVerdict(c Comparison) model.Text {
	if c.State == Failed {
		return page.NoAnswer(c.Error)
	}
	parts := counts(len(c.Values), c.Moved(), c.lost())
	if c.refused() {
		parts = append(parts, "the next apply would be rejected")
	}
	if parts == nil {
		return model.Text{comparedStates[c.State]}
	}
	return model.Textf("%v: %v", comparedStates[c.State], strings.Join(parts, ", "))
}

// comparedFields is a table of fields: their values, who wrote them, and what became of
// their owners. Owners that came or went with a field are shown with -v.
func comparedFields(o page.Options, c Comparison) model.Table {
	t := model.Table{Columns: []model.Column{{}, {Title: "field"}, {}, {Title: "owners"}}, Shown: page.Shown}
	moves := map[string]model.Text{}
	for _, m := range c.Moves {
		if m.Stays() || o.Verbose {
			moves[m.Field] = moveText(m)
		}
	}
	values := map[string]Value{}
	for _, v := range c.Values {
		values[v.Field] = v
	}
	fields := slices.AppendSeq(slices.Collect(maps.Keys(values)), maps.Keys(moves))
	slices.Sort(fields)
	for _, field := range slices.Compact(fields) {
		sign, change, who := model.Plain.Of(" "), model.Text(nil), moves[field]
		if v, changed := values[field]; changed {
			sign = page.Signs[v.Kind]
			switch v.Kind {
			case report.Added:
				change = model.Text{model.Value.Of(page.Short(v.After))}
			case report.Removed:
				change = model.Textf("was %v", model.Value.Of(page.Short(v.Before)))
			default:
				change = page.ChangeValues(report.Change{Kind: v.Kind, Before: v.Before, After: v.After})
			}
			if who == nil && len(v.By) > 0 {
				who = model.Textf("by %v", model.Manager.Of(words.Writers(v.By)))
			}
		}
		if change != nil {
			t.Columns[2].Title = "value"
		}
		t.Rows = append(t.Rows, []model.Text{{sign}, {model.Field.Of(field)}, change, who})
	}
	return t
}

func moveText(m Move) model.Text {
	from, to := model.Manager.Of(words.Writers(m.From)), model.Manager.Of(words.Writers(m.To))
	switch m.Kind {
	case Taken:
		return model.Textf("%v took ownership from %v", to, from)
	case Joined:
		return model.Textf("%v owns it too", to)
	case Left:
		return model.Textf("%v no longer owns it, others do", from)
	case Claimed:
		return model.Textf("%v owns it, it had no owner", to)
	case Unowned:
		return model.Textf("no manager owns it any more, %v did", from)
	case Came:
		return model.Textf("%v owns it, it is new", to)
	}
	return model.Textf("gone, %v owned it", from)
}

// comparedEntries are the managed fields entries that came and went.
func comparedEntries(o page.Options, list []Entry) model.Table {
	t := model.Table{Columns: []model.Column{{}, {Title: "manager"}, {Title: "entry"}}, Shown: page.Shown}
	for _, e := range list {
		sign, text := model.Good.Of("+"), "new"
		if e.Kind == EntryRemoved {
			sign, text = model.Bad.Of("-"), "lost"
		}
		t.Rows = append(
			t.Rows,
			[]model.Text{
				{sign},
				page.WriterOf(e.Writer),
				model.Textf("%v, %v, %v", text, words.Count(e.Fields, "field"), words.Since(e.Time, o.Now)),
			},
		)
	}
	return t
}

// comparedNext is the next apply of the manifest.
func comparedNext(n *Next) []model.Block {
	if n == nil {
		return nil
	}
	list := model.List{Items: []model.Item{}}
	if n.Before != nil {
		list.Items = append(list.Items, comparedAnswer("before", *n.Before))
	}
	list.Items = append(list.Items, comparedAnswer("now", n.After))
	title := model.Textf(
		"The next apply of %v by %v (simulated)",
		words.FileOrStdin(n.Source.File),
		model.Manager.Of(n.Manager),
	)
	return []model.Block{model.Section{Title: title, Blocks: []model.Block{list}}}
}

// comparedAnswer is one answer, with what the API server says where it refuses.
func comparedAnswer(label string, a report.Answer) model.Item {
	says := strings.ToLower(string(a.Outcome))
	if a.Outcome.Refused() || a.Outcome == report.Failed {
		says += ": " + text.FirstLine(a.Message)
	}
	return page.LabeledItem(label, model.Say(says))
}
