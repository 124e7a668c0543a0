package answers

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Headline is the answer of the whole in a line: how many objects have each outcome, how
// much there is to look at, and what has no answer.
func (w *Run) Headline(doc report.Report) []model.Text {
	s := doc.Summary
	if s.Total == 0 {
		return append([]model.Text{model.Textf("%v%v", model.Bad.Of("No object could be answered."), unread(doc))}, page.InterruptedLine(doc.Interrupted)...)
	}
	line := page.TotalAs(s.Total, "object", w.applier(), counts(s)...)
	line = model.Textf("%v.", line)
	if tally := w.tally(); tally != nil {
		line = model.Textf("%v %v", line, tally)
	}
	line = model.Textf("%v%v", line, unread(doc))
	return append([]model.Text{line}, page.InterruptedLine(doc.Interrupted)...)
}

// tally counts what there is to look at.
func (w *Run) tally() model.Text {
	n := map[report.Severity]int{}
	for _, c := range w.Causes.list {
		n[c.severity]++
	}
	counts := page.Enumerated([]page.Counted{
		{N: n[report.SeverityError], Text: model.Text{model.Bad.Of(words.Count(n[report.SeverityError], "error"))}},
		{N: n[report.SeverityWarning], Text: model.Text{model.Changed.Of(words.Count(n[report.SeverityWarning], "warning"))}},
		{N: n[report.SeverityNote], Text: model.Say(words.Count(n[report.SeverityNote], "note"))},
		{N: len(w.cautions.list), Text: model.Text{model.Changed.Of(words.Count(len(w.cautions.list), "caution"))}},
	})
	switch {
	case counts != nil:
		return model.Textf("%v.", counts)
	case !w.applies():
		return nil
	case w.noLive:
		return model.Say("No live objects are given (--live): each is taken as absent from the cluster.")
	}
	return model.Text{model.Good.Of("No conflicts.")}
}

// unread counts the inputs that have no answer.
func unread(doc report.Report) model.Text {
	if n := len(doc.Problems); n > 0 {
		return model.Textf(" %v", model.Bad.Of(fmt.Sprintf("%s could not be read.", words.Count(n, "input"))))
	}
	return nil
}

// inHeadline is how much of a manager's name stands in a headline.
const inHeadline = 40

// applier is the field manager of all the writes, and whether it forces; nil for several,
// and where titles say it.
func (w *Run) applier() model.Text {
	if w.objects < 2 || w.command == "delete" || len(w.appliers) != 1 {
		return nil
	}
	var out model.Text
	for name := range w.appliers {
		out = Applier(w.o, glyph.Cut(name, inHeadline), w.forces, model.Manager)
	}
	return out
}
