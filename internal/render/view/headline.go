package view

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// A headline has at most so many lines on a terminal of the usual width. Lines after
// the first of a sentence hang.
const headlineLines, headlineColumns, headlineHang = 3, 80, 4

// shape is how much a headline says. What it leaves out stands in the groups below it.
type shape struct {
	// owners is how many managers are named.
	owners int
	// Answers are those of the API server, hints name flags that show more, advice is
	// what is recommended, causes are why writes are refused and what is taken.
	answers, hints, advice, causes bool
}

// shapes are those of headlines, the one that says most first.
var shapes = []shape{
	{owners: 3, answers: true, hints: true, advice: true, causes: true},
	{owners: 3, answers: true, advice: true, causes: true},
	{owners: 3, advice: true, causes: true},
	{owners: 2, advice: true, causes: true},
	{owners: 1, advice: true, causes: true},
	{advice: true, causes: true},
	{causes: true},
	{hints: true},
	{},
}

// headline is the answer of the whole: what would happen, how bad that is, and what to
// do; then how many of each outcome. It says as much as fits.
func (w *Run) headline(doc report.Report) []model.Text {
	var lines []model.Text
	for _, s := range shapes {
		if lines = w.shaped(doc, s); height(lines) <= headlineLines {
			break
		}
	}
	return lines
}

// shaped is the headline in a shape.
func (w *Run) shaped(doc report.Report, shape shape) []model.Text {
	lines := []model.Text{w.verdict(doc, shape)}
	interrupted := interruptedLine(doc.Interrupted)
	if !shape.causes {
		counts := outcomes(doc.Summary, "")
		if shape.hints {
			counts = followed(counts, unmatched(doc.Summary))
		}
		return append(lines, model.Join(append([]model.Text{counts}, interrupted...), "; "))
	}
	counts := followed(w.counts(doc.Summary), unmatched(doc.Summary))
	if shape.hints && doc.Summary.Unmatched != nil && *doc.Summary.Unmatched > 0 && len(doc.Unmatched) == 0 {
		counts = model.Textf("%v (--unmatched lists them)", counts)
	}
	if counts != nil {
		lines = append(lines, counts)
	}
	return append(lines, interrupted...)
}

// height is how many lines texts have on a terminal of the usual width.
func height(texts []model.Text) int {
	n := 0
	for _, t := range texts {
		room := 0
		for i, word := range t.Words() {
			columns := glyph.Columns(glyph.Visible(word.String()))
			switch {
			case i == 0:
				n, room = n+1, headlineColumns-columns
			case columns < room:
				room -= 1 + columns
			default:
				n, room = n+1, headlineColumns-headlineHang-columns
			}
		}
	}
	return n
}

// verdict is the answer in a sentence or two.
func (w *Run) verdict(doc report.Report, shape shape) model.Text {
	s := doc.Summary
	refused := s.Conflicted + s.Invalid + s.Failed
	unread := ""
	if n := len(doc.Problems); n > 0 {
		unread = fmt.Sprintf(" %s could not be read.", words.Count(n, "input"))
	}
	switch {
	case s.Total == 0:
		return model.Textf("%v%v", model.Bad.Of("No object could be answered."), unread)
	case refused == s.Failed && refused > 0:
		return model.Textf("%v%v%v", model.Bad.Of(fmt.Sprintf("No answer for %d of %s.", refused, words.Count(s.Total, "object"))), w.price(" ", shape), unread)
	case !shape.causes && refused > 0:
		return model.Textf("%v%v", model.Bad.Of(fmt.Sprintf("%d of %s would be refused.", refused, words.Count(s.Total, "object"))), unread)
	case refused > 0:
		return model.Textf("%v%v%v%v", w.refusal(s, shape), w.price(" ", shape), w.recommendations(shape), unread)
	case w.taken.fields > 0:
		return model.Textf("%v%v%v", model.Changed.Of(words.Count(s.Total, "object")+" accepted, and "), w.price("", shape), unread)
	case s.Risky > 0:
		return model.Textf("%v%v", model.Changed.Of(fmt.Sprintf("Accepted, with risky changes to %s.", words.Count(s.Risky, "object"))), unread)
	case len(w.cautions.list) > 0:
		return model.Textf("%v what was given may not be what the cluster has.%v", model.Changed.Of("Accepted, with caution:"), unread)
	case w.noLive:
		return model.Textf("%v no live objects are given (--live), so that each is taken as absent from the cluster.%v", model.Changed.Of("Accepted, with caution:"), unread)
	case s.Unchanged == s.Total:
		return model.Textf("%v%v", model.Good.Of("Nothing to do: no object would change."), unread)
	}
	return w.nothingAgainst(unread)
}

// nothingAgainst is the answer where every write is accepted, as far as they could be
// read.
func (w *Run) nothingAgainst(unread string) model.Text {
	switch {
	case unread != "":
		return model.Textf("%v%v", model.Bad.Of("Not everything has an answer:"), unread+" The others would be accepted.")
	case w.command == "delete":
		return model.Text{model.Changed.Of("Every delete would be accepted.")}
	case !w.applies():
		return model.Text{model.Good.Of("Every write would be accepted.")}
	}
	return model.Text{model.Good.Of("No conflicts; every object would be accepted.")}
}

// refusal is how many writes are refused, and why.
func (w *Run) refusal(s report.Summary, shape shape) model.Text {
	refused := s.Conflicted + s.Invalid + s.Failed
	what := fmt.Sprintf("%d of %s would be refused", refused, words.Count(s.Total, "object"))
	switch refused {
	case s.Invalid:
		what = fmt.Sprintf("%d of %s would be rejected by the API server", refused, words.Count(s.Total, "object"))
		if !shape.answers {
			return model.Textf("%v.", model.Bad.Of(what))
		}
		return model.Textf("%v: %v.", model.Bad.Of(what), w.rejected.causes())
	case s.Conflicted:
		return model.Textf("%v: %v.", model.Bad.Of(what), w.decisions.owners(shape.owners))
	}
	return model.Textf("%v: %v.", model.Bad.Of(what), w.causes(s, shape))
}

// causes are why writes are refused, where that is not one thing.
func (w *Run) causes(s report.Summary, shape shape) model.Text {
	var parts []model.Text
	if s.Conflicted > 0 {
		part := model.Textf("%v conflicted", s.Conflicted)
		if shape.owners > 0 {
			part = model.Textf("%v (%v)", part, w.decisions.owners(shape.owners))
		}
		parts = append(parts, part)
	}
	if s.Invalid > 0 {
		part := model.Textf("%v rejected by the API server", s.Invalid)
		if shape.answers {
			part = model.Textf("%v (%v)", part, w.rejected.causes())
		}
		parts = append(parts, part)
	}
	if s.Failed > 0 {
		parts = append(parts, model.Textf("%v without an answer", s.Failed))
	}
	return model.Join(parts, "; ")
}

// price is who loses how many fields to the accepted writes, and what to leave to the one
// who takes them back; empty for nobody.
func (w *Run) price(before string, shape shape) model.Text {
	if w.taken.fields == 0 {
		return nil
	}
	losers, back := byManager(w.taken.list), byManager(returning(w.taken.list))
	who := model.Textf(" from %v", words.Count(len(losers), "manager"))
	if shape.owners > 0 {
		who = model.Textf(": %v", perManager(losers, shape.owners, func(n int) string { return fmt.Sprintf("loses %d", n) }))
	}
	out := model.Textf("%v%v%v.", before, model.Changed.Of(words.Count(w.taken.fields, "field")+" taken"), who)
	switch {
	case len(back) != 1 || !w.applies() || !shape.advice || w.decisions.contested > 0:
		return out
	case len(losers) == 1 && shape.owners > 0:
		return model.Textf("%v Recommended: leave them to it.", out)
	}
	return model.Textf("%v Recommended: leave %v to %v.", out, back[0].fields, managerName(back[0].manager))
}

// recommendations are what is recommended for how many of the conflicting fields; empty
// where nothing is.
func (w *Run) recommendations(shape shape) model.Text {
	if !shape.advice || w.decisions.advised[explain.None] == w.decisions.contested {
		return nil
	}
	var parts []string
	for _, one := range []struct {
		kind explain.ResolutionKind
		what string
	}{{explain.StopManaging, "stop managing %s"}, {explain.UseLiveValue, "use the live value of %s"}, {explain.Force, "force %s"}, {explain.None, "decide on %s"}} {
		switch n := w.decisions.advised[one.kind]; {
		case n > 0 && parts == nil:
			parts = append(parts, fmt.Sprintf(one.what, words.Count(n, "field")))
		case n > 0:
			parts = append(parts, fmt.Sprintf(one.what, fmt.Sprint(n)))
		}
	}
	return model.Say(" Recommended: " + strings.Join(parts, ", ") + ".")
}

// counts are how many writes have each outcome, as far as the verdict leaves it open.
func (w *Run) counts(s report.Summary) model.Text {
	refused, as := s.Conflicted+s.Invalid+s.Failed, w.manager()
	switch {
	case refused > 0 || w.taken.fields > 0 && as != "":
		return accepted(s, as)
	case w.taken.fields == 0:
		s.Risky = 0
	}
	return outcomes(s, as)
}

// unmatched is how many live objects no manifest names; empty for none.
func unmatched(s report.Summary) model.Text {
	if s.Unmatched == nil || *s.Unmatched == 0 {
		return nil
	}
	return model.Say(words.Count(*s.Unmatched, "live object") + " that no manifest names")
}

// accepted are the writes that are not refused, by a manager; empty for none without one.
func accepted(s report.Summary, manager string) model.Text {
	out := enumerated(acceptances(s))
	switch {
	case manager == "" && out == nil:
		return nil
	case manager == "":
		return followed(model.Textf("The others: %v", out), risky(s))
	case out == nil:
		out = model.Say("nothing accepted")
	}
	return followed(model.Textf("As %v: %v", managerName(manager), out), risky(s))
}

// followed is a text with another behind it; one that is empty is left out.
func followed(text, more model.Text) model.Text {
	if text == nil || more == nil {
		return append(text, more...)
	}
	return model.Textf("%v; %v", text, more)
}

// manager is the field manager of all the writes where their titles leave it out; empty
// elsewhere, and for several.
func (w *Run) manager() string {
	if !w.o.Brief || w.objects < 2 || w.command == "delete" || len(w.appliers) != 1 {
		return ""
	}
	for name := range w.appliers {
		return name
	}
	return ""
}

// owners are who owns how many fields.
func (d *decisions) owners(named int) model.Text {
	counts := byManager(d.groups.list)
	switch {
	case counts == nil:
		return model.Say("other field managers own fields")
	case named == 0:
		return model.Say(fmt.Sprintf("fields of %s", words.Count(len(counts), "manager")))
	}
	return perManager(counts, named, func(n int) string { return "owns " + words.Count(n, "field") })
}

// perManager is a sentence on how many fields managers have, which is said in full of
// the first.
func perManager(counts []managed, named int, said func(n int) string) model.Text {
	var parts []model.Text
	for i, c := range counts {
		switch {
		case i == named && len(counts) > i+1:
			return model.Textf("%v, and %v more managers", model.Join(parts, ", "), len(counts)-i)
		case i == 0:
			parts = append(parts, model.Textf("%v %v", managerName(c.manager), said(c.fields)))
		default:
			parts = append(parts, model.Textf("%v %v", managerName(c.manager), c.fields))
		}
	}
	return model.Join(parts, ", ")
}

// inHeadline is how much of a manager's name stands in a headline.
const inHeadline = 40

// managerName is a manager in a sentence.
func managerName(name string) model.Span {
	if name == "" {
		name = "(no name)"
	}
	return model.Manager.Of(glyph.Cut(name, inHeadline))
}
