package resolve

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// untouched reports whether there is an answer to a manifest, and nothing was done or
// refused.
func untouched(r Resolution) bool {
	return (r.After == report.Conflicted || !r.After.Refused()) && len(r.Notices) == 0 &&
		!slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Outcome != NotAsked })
}

// resolvedTotal is what was done in all objects.
func resolvedTotal(all []Resolution) model.Text {
	resolved, dropped, rejected, unanswered, left, in := 0, 0, 0, 0, 0, 0
	for _, r := range all {
		if r.Before == report.Conflicted {
			resolved += r.Resolved()
		} else {
			dropped += r.Resolved()
		}
		switch {
		case r.After == report.Conflicted:
			in++
			left += len(r.Steps) - r.Resolved()
		case r.After == report.Failed:
			unanswered++
		case r.After.Refused():
			rejected++
		}
	}
	parts := []page.Counted{
		{N: resolved, Text: model.Text{model.Good.Of(words.Count(resolved, "conflict") + " resolved")}},
		{N: dropped, Text: model.Text{model.Good.Of(words.Count(dropped, "field") + " no longer managed")}},
		{
			N:    left,
			Text: model.Textf("%v in %v", model.Bad.Of(words.Count(left, "conflict")+" left"), words.Count(in, "object")),
		},
		page.Of(model.Bad, rejected, "rejected by the API server"),
		page.Of(model.Bad, unanswered, "without an answer"),
	}
	if page.Enumerated(parts) == nil {
		parts = []page.Counted{{N: 1, Text: model.Text{model.Good.Of("no conflicts")}}}
	}
	return page.Total(len(all), "object", parts...)
}

// ownersShown is how many owners of what is left are enough.
const ownersShown = 6

// owes is how much the same owners have of what is left.
type owes struct {
	owners                string
	fields, objects, last int
}

// left are the conflicts that stay, by owner, and the command that says what to do about
// them.
func left(o page.Options, all []Resolution) []model.Block {
	var list []owes
	var of []Resolution
	for n, r := range all {
		for _, s := range r.Steps {
			if r.After != report.Conflicted || s.Outcome == Done {
				continue
			}
			owners := words.Writers(s.Owners)
			i := slices.IndexFunc(list, func(w owes) bool { return w.owners == owners })
			if i < 0 {
				i, list = len(list), append(list, owes{owners: owners, last: -1})
			}
			if list[i].fields++; list[i].last != n {
				list[i].objects, list[i].last = list[i].objects+1, n
			}
			of = append(of, r)
		}
	}
	if list == nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b owes) int { return cmp.Compare(b.fields, a.fields) })
	t := model.Table{Columns: make([]model.Column, 2), Shown: ownersShown}
	for _, w := range list {
		t.Rows = append(
			t.Rows,
			[]model.Text{
				{model.Manager.Of(w.owners)},
				model.Textf("%v of %v", words.Count(w.fields, "field"), words.Count(w.objects, "object")),
			},
		)
	}
	return []model.Block{t, page.Paragraph("What is recommended for each:"), model.Command{Line: recommends(o, of)}}
}

// recommends is the command that says once an owner what to do.
func recommends(o page.Options, of []Resolution) string {
	a := o.Run(of[0].Manager, of[0].Target.Subresource)
	line := a.On(shell.Command("ssactl", "apply")).With(a.Sender...)
	if !slices.ContainsFunc(of, func(r Resolution) bool { return r.Manager != a.Manager }) {
		line = line.With(shell.Value("--field-manager", a.Manager))
	}
	return line.String()
}
