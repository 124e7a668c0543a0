package interactive

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/answers"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// riskQuestion is that about one risk of an apply that is accepted.
func riskQuestion(e conflict.Explanation, r report.Risk, stops []conflict.Stop) Question {
	q := Question{
		Target: e.Target, Field: r.Field, Rule: r.Rule, File: e.Source.File,
		Title:    explain.FieldAt(r.Field, r.Source),
		Facts:    []model.Block{model.Paragraph{Text: model.Textf("%v: %v (%v)", answers.SeverityWord(r.Severity), r.Message, r.Rule)}},
		Identity: append(identityOf(e, r.Rule, r.Field), r.Manager),
	}
	if r.Field == "" {
		q.Title = model.Say("the object as a whole")
	}
	if !isSecret(e.Target) {
		q.Identity = append(q.Identity, r.Message.String())
	}
	if i := slices.IndexFunc(stops, func(s conflict.Stop) bool { return s.Target == e.Target && s.Field == r.Field }); i >= 0 {
		q.Options = append(q.Options, stopOption(stops[i].Resolution))
	}
	q.Options = append(q.Options, Option{Choice: Keep, Name: "Keep", Text: model.Say("the apply would succeed; leave the manifest as it is")})
	return q
}

// stopOption is to stop managing a field that does not conflict.
func stopOption(r conflict.Resolution) Option {
	out := Option{Choice: StopManaging, Name: page.OptionName(conflict.StopManaging), Off: !r.Impossible.IsZero() || r.Outcome.Refused() || r.Uneditable() != ""}
	if out.Text = model.Say(page.OptionText(r, conflict.Conflict{})); r.Impossible.IsZero() && r.Uneditable() != "" {
		out.Text = model.Say("not possible: " + r.Uneditable())
		return out
	}
	out.Blocks = page.WithRefusal(model.Item{}, r).Blocks
	if r.Impossible.IsZero() {
		out.Blocks = append(out.Blocks, page.Effects(r, conflict.Conflict{})...)
	}
	return out
}

// identityOf distinguishes the questions about an object.
func identityOf(e conflict.Explanation, rule, field string) []string {
	t := e.Target
	return []string{e.Source.File, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, e.Manager, rule, field}
}

// conflictIdentity is who owns a field, since when, and the two values.
func conflictIdentity(t report.Target, s conflict.Conflict) []string {
	var out []string
	for _, owner := range s.Owners {
		since := ""
		if owner.Time != nil {
			since = owner.Time.UTC().Format(time.RFC3339)
		}
		out = append(out, words.Writer(owner.Writer), since)
	}
	if isSecret(t) {
		return out
	}
	for _, v := range []conflict.Value{s.Yours, s.Live} {
		text := "-"
		if !v.Missing {
			text = "=" + words.Scalar(v.Value)
		}
		out = append(out, text)
	}
	return out
}
