package answers

import (
	"fmt"
	"strings"

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
		out = Applier(w.o, glyph.Cut(name, inHeadline), model.Manager)
	}
	if out != nil && w.forces && w.o.Client == "" {
		out = model.Textf("%v, which forces", out)
	}
	return out
}

// outcomeRoles stress the outcomes.
var outcomeRoles = map[report.Outcome]model.Role{
	report.Created: model.Good, report.Configured: model.Changed, report.Unchanged: model.Plain,
	report.Conflicted: model.Bad, report.Invalid: model.Bad, report.Failed: model.Bad,
}

// OutcomeSpan is an outcome in kubectl's words.
func OutcomeSpan(outcome report.Outcome) model.Span {
	return outcomeRoles[outcome].Of(strings.ToLower(string(outcome)))
}

// OutcomeTitle is the answer for one object and a field manager in one line, in
// kubectl's words.
func OutcomeTitle(t report.Target, manager model.Text, outcome model.Span, gist string) model.Text {
	title := model.Textf("%v %v%v", model.Strong.Of(words.Object(t)), outcome, words.Where(t))
	if manager != nil {
		title = model.Textf("%v as %v", title, manager)
	}
	if gist == "" {
		return title
	}
	return model.Textf("%v: %v", title, gist)
}

// Applier is the field manager of a write, and how it is known where nobody named it;
// nil for none.
func Applier(o page.Options, name string, role model.Role) model.Text {
	switch {
	case name == "":
		return nil
	case o.Client != "":
		return model.Textf("%v (%v)", role.Of(name), o.Client)
	case o.Inferred:
		return model.Textf("%v (who applies all of the live objects)", role.Of(name))
	}
	return model.Text{role.Of(name)}
}

// counts are how many writes are not accepted, by why, and what the others do.
func counts(s report.Summary) []page.Counted {
	changed := s.Configured - s.Deleted - s.Deleting
	return []page.Counted{
		page.Of(model.Bad, s.Conflicted, "conflicted"), page.Of(model.Bad, s.Invalid, "rejected"), page.Of(model.Bad, s.Failed, "unanswered"),
		page.Of(model.Good, s.Created, "created"), page.Of(model.Changed, changed, words.Agree(changed, "changed", "change")),
		page.Of(model.Changed, s.Deleted, "deleted"), page.Of(model.Changed, s.Deleting, "deleting"), page.Of(model.Plain, s.Unchanged, "unchanged"),
	}
}

// NotSimulated says what a real server might do that was not simulated.
func NotSimulated(o page.Options, c report.Confidence) []model.Block {
	doubts := c.Doubts()
	if o.Verbose {
		doubts = c.Reasons
	}
	list := report.Sentences(page.Behind(doubts))
	if len(list) == 0 {
		return nil
	}
	return []model.Block{page.Part("Not simulated", page.Sentences(page.Notes(list)))}
}
