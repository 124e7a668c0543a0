package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

const (
	// shownRows is how many fields of a note are enough, shownWorst how many of an error or a
	// warning, shownEqual how many of them with equal values, shownCauses how many causes: errors
	// and warnings are never cut.
	shownRows   = 3
	shownWorst  = 10
	shownEqual  = 2
	shownCauses = 10
	// shownPlaces is how many objects of a cause are named in a line where their values
	// say nothing, shownOwners how many owners of a field.
	shownPlaces = 5
	shownOwners = 10
)

// Look is what is to be looked at, the worst first. What holds for all conflicts is said
// once, behind them.
func (w *Run) Look(list []*cause) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l, said := model.List{Shown: max(shownCauses, decisive(list))}, map[string]bool{}
	for _, c := range list {
		l.Items = append(l.Items, inRun{c, w}.item(said))
	}
	out := []model.Block{l}
	if w.o.Headline && w.one == nil {
		out = []model.Block{w.overall(list), l}
	}
	i := slices.IndexFunc(list, func(c *cause) bool { return c.Rule == Conflicting && !c.wrongManager() })
	if i >= 0 && !w.Explains && (w.o.Brief || w.one != nil) {
		if line := (inRun{list[i], w}).on().Explain().String(); !said[line] {
			out = append(out, model.Paragraph{Apart: w.one == nil, Text: model.Say("What each option would do, field by field:")},
				model.Command{Line: line})
		}
	}
	return out
}

// decisive is how many causes are more than notes.
func decisive(list []*cause) int {
	n := 0
	for _, c := range list {
		if c.severity != report.SeverityNote {
			n++
		}
	}
	return n
}

// shown are the rows of a cause that are enough: equal values of many objects are shown of
// the first.
func (c *cause) shown(all bool) []causeRow {
	most := shownRows
	if c.severity != report.SeverityNote {
		most = shownWorst
	}
	if all || c.fields <= shownRows+1 {
		return c.rows
	}
	var out []causeRow
	said := map[string]int{}
	for _, row := range c.rows {
		pattern, _ := report.Pattern(row.Field)
		key := pattern + " " + row.values.String()
		if said[key]++; said[key] <= shownEqual && len(out) < most {
			out = append(out, row)
		}
	}
	return out
}

// overall is a table of causes with their fields, for formats that have room for it.
func (w *Run) overall(list []*cause) model.Table {
	t := model.Table{Columns: []model.Column{{Title: "Severity"}, {Title: "Before → after"}, {Title: "Object"}}}
	for _, c := range list {
		word := page.SeverityWord(c.severity)
		if c.Rule == risk.Takeover {
			says := model.Textf("takeover of %v from %v", words.Count(c.fields, "field"), model.Manager.Of(glyph.Cut(c.owner.Manager, inNarrow)))
			t.Rows = append(t.Rows, []model.Text{{word}, says, model.Say(c.kinds.gist())})
			continue
		}
		shown := c.shown(false)
		for _, row := range shown {
			t.Rows = append(t.Rows, []model.Text{{word}, c.inCell(row), placedIn(w.object(row.target), words.Place(row.source))})
		}
		if more := c.fields - len(shown); more > 0 {
			t.Rows = append(t.Rows, []model.Text{{word}, model.Say(fmt.Sprintf("… %d more", more)), nil})
		}
	}
	return t
}

// inCell is a field of a cause with its values and whose they are; without a field, what
// the cause is.
func (c *cause) inCell(row causeRow) model.Text {
	if row.Field == "" && len(row.values) == 0 {
		answer, message, _ := strings.Cut(c.causeKey.says, "\n")
		switch c.Rule {
		case rejected:
			return model.Say(glyph.Cut(answer+": "+glyph.FirstLine(message), inNarrow+inNarrow/2))
		case unanswered, inputNotice:
			return model.Say(glyph.Cut(answer, inNarrow+inNarrow/2))
		}
		return model.Say(c.Rule)
	}
	out := fieldBecomes(row.Field, row.values)
	if c.Rule == rejected && len(row.values) == 0 {
		_, message, _ := strings.Cut(c.causeKey.says, "\n")
		out = model.Textf("%v: %v", out, glyph.Cut(glyph.FirstLine(message), inNarrow))
	}
	if row.from != "" {
		out = model.Textf("%v (%v)", out, model.Manager.Of(glyph.Cut(row.from, inNarrow-12)))
	}
	return out
}

// item is a cause: its only field with the values, or what it is and its fields; and what to
// do. A command that an item before it has is not said again.
func (c inRun) item(said map[string]bool) model.Item {
	item := model.Item{Label: model.Text{page.SeverityWord(c.severity)}}
	switch shown := !c.w.o.Headline || c.w.one != nil; {
	case shown && c.isOne() && c.w.o.Headline:
		item.Text, item.Blocks = model.Join(full(c.w.cells(c.rows[0], true)), "  "), []model.Block{model.Paragraph{Text: capital(c.clause())}}
	case shown && c.isOne():
		item.Blocks = []model.Block{filled(model.Table{Rows: [][]model.Text{c.w.cells(c.rows[0], true)}}),
			model.Paragraph{Text: capital(c.clause())}}
	default:
		item.Text = c.says()
		if !shown && c.objects == 1 && c.Rule != rejected && c.Rule != unanswered {
			item.Text = model.Textf("%v: %v", c.w.object(c.rows[0].target), item.Text)
		}
		if shown || c.Rule == rejected || c.Rule == unanswered {
			item.Blocks = append(item.Blocks, c.listing()...)
		}
	}
	fix, lines := c.fix()
	if again := c.wrongManager() && said[lines[0]]; len(fix) > 0 && !again {
		item.Blocks = append(item.Blocks, model.Paragraph{Text: fix})
	}
	for _, line := range lines {
		if !said[line] {
			said[line] = true
			item.Blocks = append(item.Blocks, model.Command{Line: line})
		}
	}
	for _, b := range c.inClient() {
		key := fmt.Sprint(b)
		if !said[key] {
			said[key] = true
			item.Blocks = append(item.Blocks, b)
		}
	}
	item.Blocks = append(item.Blocks, c.options...)
	return item
}

// capital is a sentence that begins with a capital, unless it begins with a name.
func capital(t model.Text) model.Text {
	if len(t) > 0 && t[0].Role == model.Plain && !strings.HasPrefix(t[0].Text, "kubectl") {
		t[0].Text = words.Sentence(t[0].Text)
	}
	return t
}

// isOne reports whether a cause is about one field with values.
func (c *cause) isOne() bool {
	takeover := c.Rule == risk.Takeover || c.Rule == Conflicting && recommendedIn(c.advice) == conflict.Migrate
	return c.fields == 1 && len(c.rows[0].values) > 0 && !takeover && c.Rule != rejected
}

// says is what a cause is, with its field or how many there are.
func (c inRun) says() model.Text {
	switch clause := c.clause(); c.Rule {
	case Conflicting, risk.TakenByForce, risk.AtomicReplaced:
		return model.Textf("%v, %v", c.what(), clause)
	case rejected, unanswered, risk.Takeover:
		return clause
	default:
		if c.common == "" {
			return clause
		}
		return model.Textf("%v: %v", c.what(), clause)
	}
}

// clause is what a cause is, without its fields.
func (c inRun) clause() model.Text {
	switch c.Rule {
	case Conflicting:
		owner := c.ownerKind
		switch {
		case len(c.owners) > 1:
			most := len(c.owners)
			if !c.w.o.Verbose {
				most = min(most, shownOwners)
			}
			return model.Textf("owned by %v", words.Some(c.owners, most, len(c.owners)))
		case owner.Kind == writers.OtherApplier:
			// The operation says it.
			return model.Textf("owned by %v", page.WriterOf(c.owner))
		}
		return model.Textf("owned by %v: %v", page.WriterOf(c.owner), page.ManagerKind(owner))
	case rejected:
		answer, _, _ := strings.Cut(c.causeKey.says, "\n")
		if answer == refusedByClient {
			return c.of("refused by the client, which sends no request")
		}
		return c.of("rejected by the API server (" + answer + ")")
	case unanswered:
		return c.of("no answer")
	case risk.Takeover:
		lost := words.Count(c.fields, "field")
		if c.w.one == nil {
			lost += " of " + c.kinds.gist()
		}
		return model.Textf("%v loses %v to %v: a takeover. It %v (%v).", model.Manager.Of(c.owner.Manager), lost, model.Manager.Of(c.applier),
			nextOf(c.owner, c.ownerKind, c.fields), c.Rule)
	case risk.TakenByForce, risk.AtomicReplaced:
		if c.owner.Manager == "" {
			break
		}
		if c.ownerKind.Kind == writers.Person {
			by := "by hand"
			if c.ownerKind.Scripted {
				by = "by hand or in a script"
			}
			return model.Textf("changed "+by+" as %v, overwritten (%v)", model.Manager.Of(c.owner.Manager), c.Rule)
		}
		next := nextOf(c.owner, c.ownerKind, c.fields)
		return model.Textf("taken from %v, which %v (%v)", page.WriterOf(c.owner), next, c.Rule)
	}
	return model.Textf("%v (%v)", c.message, c.Rule)
}

// of is a text about the objects of a cause, unless there is one only.
func (c inRun) of(text string) model.Text {
	if c.w.one != nil {
		return model.Say(text)
	}
	return model.Textf("%v: %v", text, c.kinds.gist())
}

// what is the field of a cause, or how many there are, and of which objects where they are
// several.
func (c inRun) what() model.Text {
	what := model.Say(words.Count(c.fields, "field"))
	if c.common != "" {
		what = model.Text{model.Field.Of(report.Filled(c.common, c.at))}
	}
	if c.objects > 1 {
		return model.Textf("%v of %v", what, c.kinds.gist())
	}
	return what
}

// listing are the fields of a cause, each with its values and its line; of a takeover they
// are changes like others.
func (c inRun) listing() []model.Block {
	var out []model.Block
	switch c.Rule {
	case risk.Takeover:
		return nil
	case Conflicting:
		if recommendedIn(c.advice) == conflict.Migrate {
			return nil
		}
	case rejected, unanswered:
		if quote := c.quote(); quote.Text != "" {
			out = append(out, quote)
		}
		if c.refused != nil {
			out = append(out, model.Paragraph{Text: page.RefusalSays(*c.refused[0].refusal)})
		}
	}
	if text := c.places(); text != nil {
		return append(out, model.Paragraph{Text: text})
	}
	t := model.Table{}
	for _, row := range c.shown(c.w.o.Verbose) {
		t.Rows = append(t.Rows, c.w.cells(row, c.common == "" || c.refused != nil))
	}
	if t = filled(t); len(t.Columns) == 0 {
		return out
	}
	out = append(out, listed(c.w.o, t))
	if more := c.fields - len(t.Rows); more > 0 {
		out = append(out, model.Paragraph{Text: model.Text{model.Faint.Of(fmt.Sprintf("… %d more", more))}})
	}
	return out
}

// cells are those of a field in a row: the object, unless there is one only, the field, its
// values, its age and its line.
func (w *Run) cells(row causeRow, named bool) []model.Text {
	var cells []model.Text
	if w.one == nil {
		cells = append(cells, model.Say(w.object(row.target)))
	}
	if named && row.Field != "" {
		cells = append(cells, model.Text{model.Field.Of(row.Field)})
	}
	age := words.Age(row.since, w.o.Now)
	if age != "" {
		age += " ago"
	}
	return append(cells, row.values, model.Say(age), faintly(words.Place(row.source)))
}

// full are the cells that are not empty.
func full(cells []model.Text) []model.Text {
	return slices.DeleteFunc(cells, func(c model.Text) bool { return len(c) == 0 })
}

// faintly is a text in the background; nil for none.
func faintly(text string) model.Text {
	if text == "" {
		return nil
	}
	return model.Text{model.Faint.Of(text)}
}

// listed is a table without a header, where a format has none: its rows are a list.
func listed(o page.Options, t model.Table) model.Block {
	if !o.Headline {
		return t
	}
	l := model.List{Shown: t.Shown}
	for _, row := range t.Rows {
		l.Items = append(l.Items, model.Item{Text: model.Join(full(row), "  ")})
	}
	return l
}

// filled is a table without the columns that are empty.
func filled(t model.Table) model.Table {
	if len(t.Rows) == 0 {
		return t
	}
	used := make([]bool, len(t.Rows[0]))
	for _, row := range t.Rows {
		for i, cell := range row {
			used[i] = used[i] || len(cell) > 0
		}
	}
	for r, row := range t.Rows {
		var cells []model.Text
		for i, cell := range row {
			if used[i] {
				cells = append(cells, cell)
			}
		}
		t.Rows[r] = cells
	}
	t.Columns = make([]model.Column, len(t.Rows[0]))
	return t
}

// object names an object by its kind, without the group; its namespace is left out where
// all objects have the same one.
func (w *Run) object(t report.Target) string {
	name := strings.ToLower(t.Kind) + "/" + t.Name
	if t.Subresource != "" {
		name += " (" + t.Subresource + ")"
	}
	if len(w.namespaces) == 1 {
		return name
	}
	return name + words.Where(t)
}

// places are the objects of a cause in a line, where there are no values to show; nil
// elsewhere, and empty for the only one.
func (c inRun) places() model.Text {
	if c.w.one != nil && c.common != "" || c.refused != nil {
		return nil
	}
	var parts []string
	for _, row := range c.rows {
		if len(row.values) > 0 || c.Rule == Conflicting {
			return nil
		}
		name := c.w.object(row.target)
		if at := words.Place(row.source); at != "" {
			name += " (" + at + ")"
		}
		if !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return model.Say(words.Some(parts, shownPlaces, max(c.objects, min(len(parts), shownPlaces))))
}

// quote is the answer of the server, or why there is none.
func (c *cause) quote() model.Quote {
	_, message, _ := strings.Cut("\n"+c.causeKey.says, "\n")
	if c.Rule == rejected {
		_, message, _ = strings.Cut(c.causeKey.says, "\n")
	}
	if c.objects == 1 && len(c.rows[0].note) > 0 {
		message = c.rows[0].note.String()
	}
	if c.common != "" && c.refused == nil {
		message = report.Filled(c.common, c.at) + ": " + message
	}
	return model.Quote{Text: message}
}
