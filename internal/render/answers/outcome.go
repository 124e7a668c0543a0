package answers

import (
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

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
