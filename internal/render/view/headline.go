package view

import (
	"fmt"

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
		counts := outcomes(doc.Summary, nil)
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
		return model.Textf("%v%v%v", model.Bad.Of(w.unansweredOf(s, shape)+"."), w.price(" ", shape), unread)
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

// unansweredOf is how many objects have no answer, and why.
func (w *Run) unansweredOf(s report.Summary, shape shape) string {
	return fmt.Sprintf("No answer for %d of %s%s", s.Failed, words.Count(s.Total, "object"), w.failure(": ", shape))
}

// failure is why objects have no answer, where that is one thing for all of them and not
// said for the only one; empty elsewhere.
func (w *Run) failure(before string, shape shape) string {
	for text, n := range w.unanswered {
		if len(w.unanswered) == 1 && n > 1 && shape.causes {
			return before + glyph.FirstLine(text)
		}
	}
	return ""
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

// counts are how many writes have each outcome, as far as the verdict leaves it open.
func (w *Run) counts(s report.Summary) model.Text {
	refused, as := s.Conflicted+s.Invalid+s.Failed, w.o.applier(w.manager(), model.Manager)
	switch {
	case refused > 0 || w.taken.fields > 0 && as != nil:
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

// accepted are the writes that are not refused, by a manager; nil for none without one.
func accepted(s report.Summary, manager model.Text) model.Text {
	out := enumerated(acceptances(s))
	switch {
	case manager == nil && out == nil:
		return nil
	case manager == nil:
		return followed(model.Textf("The others: %v", out), risky(s))
	case out == nil:
		out = model.Say("nothing accepted")
	}
	return followed(model.Textf("As %v: %v", manager, out), risky(s))
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
