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

// Applier is the field manager of writes, how it is known where nobody named it, and
// whether it forces; nil for none.
func Applier(o page.Options, name string, force bool, role model.Role) model.Text {
	var known []string
	if o.Inferred {
		known = append(known, "who applies all of the live objects")
	}
	if o.Client != "" {
		known = append(known, o.Client)
	}
	switch {
	case name == "":
		return nil
	case known != nil:
		return model.Textf("%v (%v)", role.Of(name), strings.Join(known, "; "))
	case force:
		return model.Textf("%v, which forces", role.Of(name))
	}
	return model.Text{role.Of(name)}
}

// InTitle is the field manager in the title of one object; of several, the first line has
// the rest.
func InTitle(o page.Options, name string, force bool) model.Text {
	if o.Several {
		o.Client, o.Inferred, force = "", false, false
	}
	return Applier(o, name, force, model.Plain)
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
