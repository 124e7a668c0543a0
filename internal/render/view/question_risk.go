package view

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// riskQuestion is that about one risk of an apply that is accepted.
func riskQuestion(e explain.Explanation, r report.Risk, stops []explain.Stop) Question {
	q := Question{
		Target: e.Target, Field: r.Field, Rule: r.Rule, File: e.Source.File,
		Title:    fieldAt(r.Field, r.Source),
		Facts:    []model.Block{model.Paragraph{Text: model.Textf("%v: %v (%v)", severityWord(r.Severity), r.Message, r.Rule)}},
		Identity: append(identityOf(e, r.Rule, r.Field), r.Manager),
	}
	if r.Field == "" {
		q.Title = model.Say("the object as a whole")
	}
	if !isSecret(e.Target) {
		q.Identity = append(q.Identity, r.Message.String())
	}
	if i := slices.IndexFunc(stops, func(s explain.Stop) bool { return s.Target == e.Target && s.Field == r.Field }); i >= 0 {
		q.Options = append(q.Options, stopOption(stops[i].Resolution))
	}
	q.Options = append(q.Options, Option{Choice: Keep, Name: "Keep", Text: model.Say("the apply would succeed; leave the manifest as it is")})
	return q
}

// stopOption is to stop managing a field that does not conflict.
func stopOption(r explain.Resolution) Option {
	out := Option{Choice: StopManaging, Name: optionName(explain.StopManaging), Off: !r.Impossible.IsZero() || r.Outcome.Refused() || r.Uneditable() != ""}
	if out.Text = model.Say(optionText(r, explain.Conflict{})); r.Impossible.IsZero() && r.Uneditable() != "" {
		out.Text = model.Say("not possible: " + r.Uneditable())
		return out
	}
	out.Blocks = withRefusal(model.Item{}, r).Blocks
	if r.Impossible.IsZero() {
		out.Blocks = append(out.Blocks, effects(r)...)
	}
	return out
}

// identityOf distinguishes the questions about an object.
func identityOf(e explain.Explanation, rule, field string) []string {
	t := e.Target
	return []string{e.Source.File, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, e.Manager, rule, field}
}

// conflictIdentity is who owns a field, since when, and the two values.
func conflictIdentity(t report.Target, s explain.Conflict) []string {
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
	for _, v := range []explain.Value{s.Yours, s.Live} {
		text := "-"
		if !v.Missing {
			text = "=" + words.Scalar(v.Value)
		}
		out = append(out, text)
	}
	return out
}
