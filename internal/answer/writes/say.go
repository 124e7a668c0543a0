package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

const (
	// shownRows is how many fields of a note are enough, shownWorst how many of an error or a
	// warning, shownEqual how many of them with equal values, shownGroups how many groups: errors
	// and warnings are never cut.
	shownRows   = 3
	shownWorst  = 10
	shownEqual  = 2
	shownGroups = 10
	// shownPlaces is how many objects of a group are named in a line where their values
	// say nothing.
	shownPlaces = 5
)

// Look is what is to be looked at, the worst first. What holds for all conflicts is said
// once, behind them.
func (w *Run) Look(list []*finding.Group) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l, said := model.List{Shown: max(shownGroups, decisive(list))}, map[string]bool{}
	for _, g := range list {
		l.Items = append(l.Items, w.item(g, said))
	}
	out := []model.Block{l}
	if w.o.Headline && w.one == nil {
		out = []model.Block{w.overall(list), l}
	}
	i := slices.IndexFunc(list, func(g *finding.Group) bool { return g.Rule == report.RuleConflict && !wrongManager(g) })
	if i >= 0 && !w.Explains && (w.o.Brief || w.one != nil) {
		if line := w.on(list[i]).Explain().String(); line != "" && !said[line] {
			out = append(
				out,
				model.Paragraph{Apart: w.one == nil, Text: model.Say("What each option would do, field by field:")},
				model.Command{Line: line},
			)
		}
	}
	return out
}

// decisive is how many groups are more than notes.
func decisive(list []*finding.Group) int {
	n := 0
	for _, g := range list {
		if g.Severity != report.SeverityNote {
			n++
		}
	}
	return n
}

// shown are the findings of a group that are enough: equal values of many objects are shown
// of the first.
func shown(g *finding.Group, all bool) []report.Finding {
	most := shownRows
	if g.Severity != report.SeverityNote {
		most = shownWorst
	}
	if all || g.Fields <= shownRows+1 {
		return g.Rows
	}
	var out []report.Finding
	said := map[string]int{}
	for _, f := range g.Rows {
		pattern, _ := report.Pattern(f.Field)
		key := pattern + " " + valuesOf(f).String()
		if said[key]++; said[key] <= shownEqual && len(out) < most {
			out = append(out, f)
		}
	}
	return out
}

// overall is a table of groups with their fields, for formats that have room for it.
func (w *Run) overall(list []*finding.Group) model.Table {
	t := model.Table{Columns: []model.Column{{Title: "Severity"}, {Title: "Before → after"}, {Title: "Object"}}}
	for _, g := range list {
		word := weightWord(g)
		if g.Rule == risk.Takeover {
			says := model.Textf(
				"takeover of %v from %v",
				words.Count(g.Fields, "field"),
				model.Manager.Of(glyph.Cut(g.Manager, inNarrow)),
			)
			t.Rows = append(t.Rows, []model.Text{{word}, says, model.Say(g.On.Gist())})
			continue
		}
		rows := shown(g, false)
		if len(rows) > 1 && sayAlike(rows) {
			t.Rows = append(t.Rows, []model.Text{{word}, inCellOf(rows[0]), model.Say(g.On.Gist())})
			continue
		}
		for _, f := range rows {
			t.Rows = append(t.Rows, []model.Text{{word}, inCellOf(f), placedIn(w.object(f.Target), words.Place(&f.Source))})
		}
		if more := g.Fields - len(rows); more > 0 {
			t.Rows = append(t.Rows, []model.Text{{word}, model.Say(fmt.Sprintf("… %d more", more)), nil})
		}
	}
	return t
}

// sayAlike reports whether findings have no fields, and one text.
func sayAlike(rows []report.Finding) bool {
	return !slices.ContainsFunc(rows, func(f report.Finding) bool {
		return f.Field != "" || inCellOf(f).String() != inCellOf(rows[0]).String()
	})
}

// inCellOf is a field of a finding with its values and whose they are; without a field, what
// the finding is.
func inCellOf(f report.Finding) model.Text {
	values, said := valuesOf(f), text.FirstLine(f.Quote)
	if f.Field == "" && len(values) == 0 {
		switch f.Rule {
		case report.RuleRefused:
			return model.Say(glyph.Cut(answerIn(f)+": "+said, inNarrow+inNarrow/2))
		case report.RuleNoAnswer:
			return model.Say(glyph.Cut(said, inNarrow+inNarrow/2))
		case report.RuleInputNotice, report.RuleWrittenBetween, report.RuleRejectedBefore:
			return model.Say(glyph.Cut(f.Message.String(), inNarrow+inNarrow/2))
		}
		return model.Say(f.Rule)
	}
	out := fieldBecomes(f.Field, values)
	if f.Rule == report.RuleRefused && len(values) == 0 {
		out = model.Textf("%v: %v", out, glyph.Cut(shortMessage(said), inNarrow))
	}
	// The values of a joint cause have their owner with them.
	if from := fromOf(f); from != "" && f.Joint == "" {
		out = model.Textf("%v (%v)", out, model.Manager.Of(glyph.Cut(from, inNarrow-12)))
	}
	return out
}

// answerIn is what a refusal begins with: the code of the server's answer, or that the client
// refuses.
func answerIn(f report.Finding) string {
	if len(f.Lead.Args) > 0 {
		return f.Lead.Args[0].Name
	}
	return refusedByClient
}

// fromOf is whose field it was; empty where that is not known.
func fromOf(f report.Finding) string {
	if len(f.Owners) == 0 {
		return ""
	}
	return f.Owners[0].Manager
}

// item is a group, and what to do. A command that an item before it has is not said again.
func (w *Run) item(g *finding.Group, said map[string]bool) model.Item {
	item := w.described(g)
	for _, other := range g.Others {
		item.Blocks = append(item.Blocks, page.Paragraph("%v (%v)", other.Message, other.Rule))
	}
	item.Blocks = append(item.Blocks, w.remedies(g, said)...)
	item.Blocks = append(item.Blocks, w.options[g]...)
	return item
}

// described is a group: its only field with the values, or what it is and its fields.
func (w *Run) described(g *finding.Group) model.Item {
	item := model.Item{Label: model.Text{weightWord(g)}}
	switch inFull := !w.o.Headline || w.one != nil; {
	case inFull && isOne(g) && w.o.Headline:
		item.Text = model.Join(full(w.cells(g.Rows[0], true)), "  ")
		item.Blocks = []model.Block{model.Paragraph{Text: capital(w.clause(g))}}
	case inFull && isOne(g):
		item.Blocks = []model.Block{filled(model.Table{Rows: [][]model.Text{w.cells(g.Rows[0], true)}}),
			model.Paragraph{Text: capital(w.clause(g))}}
	default:
		item.Text = w.says(g)
		if !inFull && g.Objects == 1 && !quotes(g) {
			item.Text = model.Textf("%v: %v", w.object(g.Target), item.Text)
		}
		if inFull || quotes(g) {
			item.Blocks = append(item.Blocks, w.listing(g)...)
		}
	}
	return item
}

// remedies are what to do about a group: a sentence, commands, and settings of the client; each
// that was not said before.
func (w *Run) remedies(g *finding.Group, said map[string]bool) []model.Block {
	var out []model.Block
	fix, lines := w.fix(g)
	idle := announces(fix) && !slices.ContainsFunc(lines, func(line string) bool { return !said[line] })
	again := wrongManager(g) && said[lines[0]] || lines == nil && said[fix.String()] || idle
	if len(fix) > 0 && !again {
		said[fix.String()] = true
		out = append(out, model.Paragraph{Text: fix})
	}
	for _, line := range lines {
		if !said[line] {
			said[line] = true
			out = append(out, model.Command{Line: line})
		}
	}
	for _, b := range inClient(g) {
		key := fmt.Sprint(b)
		if !said[key] {
			said[key] = true
			out = append(out, b)
		}
	}
	return out
}

// weightWord is the severity of a group, and that it stood before the change.
func weightWord(g *finding.Group) model.Span {
	word := page.SeverityWord(g.Severity)
	if !g.Counts() {
		word.Text += " (before)"
	}
	return word
}

// capital is a sentence that begins with a capital, unless it begins with a name.
func capital(t model.Text) model.Text {
	if len(t) > 0 && t[0].Role == model.Plain && !strings.HasPrefix(t[0].Text, "kubectl") {
		t[0].Text = words.Sentence(t[0].Text)
	}
	return t
}

// quotes reports whether a group is in the words of the server.
func quotes(g *finding.Group) bool {
	return g.Rule == report.RuleRefused || g.Rule == report.RuleNoAnswer
}

// isOne reports whether a group is about one field with values.
func isOne(g *finding.Group) bool {
	return g.Fields == 1 && len(valuesOf(g.Rows[0])) > 0 && g.Rule != risk.Takeover && !quotes(g)
}

// says is what a group is, with its field or how many there are.
func (w *Run) says(g *finding.Group) model.Text {
	switch clause := w.clause(g); {
	case quotes(g) || g.Rule == risk.Takeover:
		return clause
	case g.By == report.ByOwner:
		return model.Textf("%v, %v", what(g), clause)
	case g.Common == "":
		return clause
	default:
		return model.Textf("%v: %v", what(g), clause)
	}
}

// clause is what a group is, without its fields. What may be asked for by name has its rule.
func (w *Run) clause(g *finding.Group) model.Text {
	message := g.Message.For(g.Fields)
	switch {
	case g.Rule == report.RuleConflict:
		return model.Textf("%v", message)
	case quotes(g) && w.one != nil:
		return model.Textf("%v", g.Lead)
	case quotes(g):
		return model.Textf("%v: %v", g.Lead, g.On.Gist())
	case g.Rule == risk.Takeover && len(g.Owners) > 0:
		lost := words.Count(g.Fields, "field")
		if w.one == nil {
			lost += " of " + g.On.Gist()
		}
		next := risk.Next(g.Owners[0], writers.ManagerKindOf(g.Owners[0], g.Applier)).For(g.Fields)
		return model.Textf("%v (%v).", risk.TakenOver(g.Manager, text.Name(lost), g.Applier, next), g.Rule)
	}
	return model.Textf("%v (%v)", message, g.Rule)
}

// what is the field of a group, or the number of its fields, with the objects if there are
// several.
func what(g *finding.Group) model.Text {
	what := model.Say(words.Count(g.Fields, "field"))
	if path := g.Path(); path != "" {
		what = model.Text{model.Field.Of(path)}
	}
	if g.Objects > 1 {
		return model.Textf("%v of %v", what, g.On.Gist())
	}
	return what
}
