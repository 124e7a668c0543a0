package writes

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Headline is the answer of the whole in a line: how many objects have each outcome, how
// much there is to look at, and what has no answer.
func (w *Run) Headline(doc report.Report) []model.Text {
	s := doc.Summary
	interrupted := page.InterruptedLine(doc.Interrupted)
	var unread model.Text
	if n := len(doc.Problems); n > 0 {
		unread = model.Textf(" %v", model.Bad.Of(words.Count(n, "input")+" could not be read."))
	}
	if incomplete := unread != nil || interrupted != nil; s.Total == 0 && (s.Comparison == nil || incomplete) {
		return withoutObjects(unread, interrupted)
	}
	counts := page.Enumerated([]page.Counted{
		page.Of(
			model.Bad,
			s.Conflicted,
			"conflicted",
		),
		page.Of(model.Bad, s.Invalid, "rejected"),
		page.Of(model.Bad, s.Failed, "unanswered"),
		page.Of(
			model.Good,
			s.Created,
			"created",
		),
		page.Of(model.Changed, s.Configured, words.Agree(s.Configured, "changed", "change")),
		page.Of(model.Changed, s.Recreated, "deleted and created again"),
		page.Of(model.Changed, s.Deleted-s.Deleting, "deleted"),
		page.Of(model.Changed, s.Deleting, "deleting"),
		page.Of(model.Plain, s.Unchanged, "unchanged"),
		page.Of(model.Plain, s.Hooks, words.Agree(s.Hooks, "hook runs", "hooks run")),
	})
	line := model.Textf("%v", model.Strong.Of(words.Count(s.Total, "object")))
	switch manager := w.applier(); {
	case s.Comparison != nil:
		line = change(*s.Comparison, manager)
	case manager != nil:
		line = model.Textf("%v as %v", line, manager)
	}
	if counts != nil {
		line = model.Textf("%v: %v", line, counts)
	}
	line = model.Textf("%v.", line)
	if n := s.Undefined; n > 0 {
		line = model.Textf("%v %v", line, model.Changed.Of(undefined(n, s.Total)))
	}
	tally := w.tally(s.Comparison != nil)
	if c := s.Comparison; c != nil {
		tally = caused(*c, tally)
	}
	if tally != nil {
		line = model.Textf("%v %v", line, tally)
	}
	lines := []model.Text{model.Textf("%v%v", line, unread)}
	if c := s.Comparison; c != nil && c.Stood() != "" {
		lines = append(lines, model.Say(c.Stood()))
	}
	return append(lines, interrupted...)
}

// undefined says of how many objects the kind is taken for one that the cluster serves.
func undefined(n, total int) string {
	of := fmt.Sprintf("%d of them %s", n, words.Agree(n, "is", "are"))
	if n == total {
		of = words.Agree(n, "It is", "All are")
	}
	return of + " of " + words.Agree(n, "a kind", "kinds") + " that no definition of the inputs serves."
}

// tally counts what there is to look at; nil for nothing where writes are compared.
func (w *Run) tally(compared bool) model.Text {
	n := map[report.Severity]int{}
	for _, g := range w.Groups.Sorted() {
		if g.Counts() {
			n[g.Severity]++
		}
	}
	cautions := w.cautions.Len()
	counts := page.Enumerated(
		append(
			page.OfSeverity(n),
			page.Counted{N: cautions, Text: model.Text{model.Changed.Of(words.Count(cautions, "caution"))}},
		),
	)
	switch {
	case counts != nil:
		return model.Textf("%v.", counts)
	case !w.applies() || compared:
		return nil
	case w.noLive:
		return model.Say("No live objects are given (--live): each is taken as absent from the cluster.")
	}
	return model.Text{model.Good.Of("No conflicts.")}
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

// withoutObjects is the first line of a run that has answered for none: nothing was asked, or the
// inputs could not be read, or an interrupt came first.
func withoutObjects(unread model.Text, interrupted []model.Text) []model.Text {
	if unread == nil && interrupted == nil {
		return []model.Text{model.Say("Nothing was written.")}
	}
	return append([]model.Text{model.Textf("%v%v", model.Bad.Of("No object could be answered."), unread)}, interrupted...)
}
