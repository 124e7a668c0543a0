package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Write is the section of a simulated write. What stands under its title is what
// nobody may miss; the blocks are the details.
func Write(o page.Options, r report.Result) (model.Section, error) {
	s := headOf(o, r)
	if o.Brief && o.Several {
		return s, nil
	}
	s.Blocks = call(o, r)
	switch {
	case r.Outcome == report.Conflicted:
		s.Blocks = append(s.Blocks, conflicted(o, r)...)
	case r.Outcome.Refused():
		s.Blocks = append(s.Blocks, serverAnswer(o, r)...)
	default:
		s.Blocks = append(s.Blocks, accepted(o, r)...)
	}
	difference, err := difference(o, r)
	s.Blocks = slices.Concat(s.Blocks, fieldOwners(o, r), difference, NotSimulated(o, r.Confidence))
	return s, err
}

// Remark is what standard error says of a write beside a format for programs;
// false where that is nothing.
func Remark(o page.Options, r report.Result) (model.Section, bool) {
	s := headOf(o, r)
	s.Under = Look(o, r)
	if r.Outcome.Refused() {
		s.Under = append(s.Under, said(o, r)...)
		s.Blocks = serverMessage(o, r)
	}
	risks := risksOf(r)
	// What a diff cannot show.
	keeps := slices.ContainsFunc(risks, func(f report.Finding) bool { return f.Rule == risk.Kept })
	return s, r.Outcome.Refused() || len(s.Before) > 0 || keeps || report.Risky(risks)
}

// headOf is a section without its blocks.
func headOf(o page.Options, r report.Result) model.Section {
	s := model.Section{
		Before: page.CautionBlocks(
			r.Confidence,
			r.Target,
		), Title: writeTitle(o, r), Weight: writeWeight(r), Severity: string(severityOf(r)),
		Under: slices.Concat(Look(o, r), said(o, r), faults(o, r)), Confidential: r.Target.Kind == "Secret",
	}
	s.Subject = page.SubjectOf(r.Target, r.Source, r.Outcome, s.Title)
	if r.Outcome.Refused() && !r.Decides() {
		s.Subject.State, s.Subject.Gist = model.Accepted, "refused as before this change"
	}
	s.Subject.Gist = strings.TrimPrefix(s.Subject.Gist, words.Object(r.Target)+" ")
	if word := OutcomeWord(r); r.Outcome == report.Configured {
		s.Subject.Reason = strings.ToUpper(word.Text[:1]) + word.Text[1:]
	}
	risks := risksOf(r)
	if i := slices.IndexFunc(risks, o.Fails); i >= 0 && !r.Outcome.Refused() {
		s.Subject.State, s.Subject.Reason, s.Subject.Gist = model.Refused, page.Camel(
			risks[i].Rule,
		), RiskText(
			risks[i],
		).String()
	}
	if r.Decides() {
		s.Subject.Gist = why(o, r, s.Subject.Gist)
	}
	s.Findings = writeFindings(o, r)
	return s
}

// why is the first sentence on a write that is refused: systems of CI show no more in a list.
func why(o page.Options, r report.Result, gist string) string {
	w := alone(o, r)
	w.Add(FactsOf(r))
	list := w.Groups.Sorted()
	if len(list) == 0 {
		return gist
	}
	g := list[0]
	switch values := valuesOf(g.Rows[0]); {
	case g.Rule == report.RuleRefused:
		return glyph.Cut(answerOf(r)+": "+text.FirstLine(quote(g).Text), inGist)
	case g.Rule == report.RuleConflict && len(values) > 0:
		return glyph.Cut(model.Textf("%v %v, %v", g.Field, values, w.clause(g)).String(), inGist)
	}
	return gist
}

// inGist is how long the first sentence on a write is at most.
const inGist = 300

// refusedByClient stands for the server's answer where the client sends no request.
const refusedByClient = "refused by the client"

// answerOf is the code of the server's answer, with its reason.
func answerOf(r report.Result) string {
	if r.Code == 0 && r.Status != nil {
		return refusedByClient
	}
	if r.Status == nil {
		return strings.TrimSpace(fmt.Sprint(r.Code))
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.Status.Reason))
}

// severityOf is that of the worst there is to look at in a result, but for takeovers, which
// are said once of a run; empty for nothing.
func severityOf(r report.Result) report.Severity {
	if r.Outcome.Refused() {
		return report.SeverityError
	}
	var worst report.Severity
	for _, k := range risksOf(r) {
		if k.Rule != risk.Takeover && (worst == "" || k.Severity.Rank() < worst.Rank()) {
			worst = k.Severity
		}
	}
	return worst
}

func writeWeight(r report.Result) model.Weight {
	switch severity := severityOf(r); {
	case severity == report.SeverityError || severity == report.SeverityWarning:
		return model.Decision
	case r.Outcome != report.Unchanged || r.Removed:
		return model.Change
	case len(r.Warnings)+len(r.Notices)+len(risksOf(r)) > 0:
		return model.Detail
	}
	return model.Dull
}

// said are the warnings of the server, which of many objects are said together, and
// notices on what is odd about the input.
func said(o page.Options, r report.Result) []model.Block {
	var out []model.Block
	for _, s := range r.Warnings {
		if o.Brief && o.Several {
			break
		}
		out = append(out, model.Paragraph{Label: model.Text{model.Changed.Of("Warning:")}, Text: model.Say(s)})
	}
	for _, s := range r.Notices {
		out = append(out, model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(s)})
	}
	return out
}

// call is the operation, the manager and the live object.
func call(o page.Options, r report.Result) []model.Block {
	if !o.Listing {
		return nil
	}
	text := model.Textf("%v by %v", string(r.Operation), model.Manager.Of(r.Manager))
	if r.Force {
		text = model.Textf("%v with force by %v", string(r.Operation), model.Manager.Of(r.Manager))
	}
	for _, at := range []struct{ what, place string }{
		{", ", words.Place(&r.Source)}, {"; live object from ", words.Place(r.LiveSource)},
	} {
		if at.place != "" {
			text = model.Textf("%v%v%v", text, at.what, at.place)
		}
	}
	return []model.Block{model.Paragraph{Text: model.Textf("%v.", text)}}
}

// Look is what stands right under the title: conflicts, and risks of what the server
// accepts. Of many objects they are said together.
func Look(o page.Options, r report.Result) []model.Block {
	if o.Brief && o.Several {
		return nil
	}
	w, facts := alone(o, r), FactsOf(r)
	facts.found = slices.DeleteFunc(slices.Clone(facts.found), func(f report.Finding) bool {
		// A takeover is said once of the run.
		return f.Rule != report.RuleConflict && !f.IsRisk() || o.Several && f.Rule == risk.Takeover
	})
	w.Add(facts)
	return w.Look(w.Groups.Sorted())
}

// alone is the run over one object.
func alone(o page.Options, r report.Result) *Run {
	w := NewRun(o)
	on := o.OnResult(r)
	w.one = &on
	return w
}

// RiskText is a risk with its rule, which --fail-on takes.
func RiskText(r report.Finding) model.Text {
	if r.Field == "" {
		return model.Textf("%v (%v)", r.Message, r.Rule)
	}
	return model.Textf("%v: %v (%v)", model.Field.Of(r.Field), r.Message, r.Rule)
}

// NotSimulated says what a real server might do that was not simulated.
func NotSimulated(o page.Options, c report.Confidence) []model.Block {
	doubts := c.Doubts()
	if o.Verbose {
		doubts = c.Reasons
	}
	// What has a rule is said before the answer, or once of the run.
	list := report.Sentences(slices.DeleteFunc(slices.Clone(doubts), func(c report.Caveat) bool { return c.Rule != "" }))
	if len(list) == 0 {
		return nil
	}
	return []model.Block{page.Part("Not simulated", page.Sentences(page.Notes(list)))}
}
