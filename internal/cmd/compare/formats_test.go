package compare

import (
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// compared is one of everything that compare shows.
func compared() Comparison {
	old, today := golden.Now.Add(-40*24*time.Hour), golden.Now.Add(-time.Hour)
	helm, edit := golden.WriterAt("helm", "Apply", &old), golden.WriterAt("kubectl-edit", "Update", &today)
	return Comparison{
		Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Before: &report.Source{File: "monday.yaml", Document: 1, Line: 1},
		After:  &report.Source{File: "friday.yaml", Document: 2, Line: 40},
		State:  Changed,
		Values: []Value{
			{Field: ".metadata.labels.team", Kind: report.Added, After: "shop"},
			{Field: ".spec.paused", Kind: report.Removed, Before: true},
			{Field: ".spec.replicas", Kind: report.Modified, Before: 3, After: 7, By: []report.Writer{edit}},
		},
		Moves: []Move{
			{Field: ".spec.a", Kind: Joined, To: []report.Writer{edit}},
			{Field: ".spec.b", Kind: Left, From: []report.Writer{edit}},
			{Field: ".spec.c", Kind: Claimed, To: []report.Writer{edit}},
			{Field: ".spec.d", Kind: Unowned, From: []report.Writer{helm}},
			{Field: ".spec.e", Kind: Came, To: []report.Writer{edit}},
			{Field: ".spec.paused", Kind: Gone, From: []report.Writer{helm}},
			{Field: ".spec.replicas", Kind: Taken, From: []report.Writer{helm}, To: []report.Writer{edit}},
		},
		Entries: []Entry{
			{Writer: golden.WriterAt("flux", "Apply", nil), Kind: EntryRemoved, Fields: 12},
			{Writer: edit, Kind: EntryAdded, Fields: 1},
		},
		Next: &Next{
			Source: report.Source{File: "web.yaml"}, Manager: "helm",
			Before:    &report.Answer{Outcome: report.Unchanged, Code: 200},
			After:     report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 1 conflict"},
			Conflicts: []report.Conflict{{Field: ".spec.replicas", Writer: edit, Live: 7, Applied: 3}},
		},
	}
}

// otherwise is the object in another state.
func otherwise(c Comparison, name string, state State) Comparison {
	c.Target.Name, c.State = name, state
	c.Values, c.Moves, c.Entries, c.Next = nil, nil, nil, nil
	switch state {
	case Added:
		c.Before = nil
	case Removed:
		c.After = nil
	case Failed:
		c.Error = "live object " + golden.Acting
	}
	return c
}

func TestCompare(t *testing.T) {
	one := []Comparison{compared()}
	several := append(
		one,
		otherwise(compared(), "added", Added),
		otherwise(compared(), "removed", Removed),
		otherwise(
			compared(),
			"again",
			Recreated,
		),
		otherwise(compared(), "same", Unchanged),
		otherwise(compared(), golden.Acting, Failed),
	)
	several[3].WasAt = "apps/v1beta2"
	formats.CheckAnswers(t, func(objects []Comparison) show.Answer {
		d := NewDocument(golden.RunOf("v1.36.3"), objects)
		return answer(d, (&compareOptions{}).exit(d))
	}, []formats.AnswerCase[Comparison]{
		{"compare", "text", show.Options{Width: 80}, one},
		{"compare_verbose", "text", show.Options{Width: 80, Verbose: true, Color: true}, several},
		{"compare_several", "text", show.Options{Width: 100, Fit: true}, several},
		{"compare_several", "markdown", show.Options{}, several},
		{"compare_several", "html", show.Options{}, several},
		{"compare_several", "github", show.Options{}, several},
		{"compare_several", "sarif", show.Options{}, several},
		{"compare_several", "junit", show.Options{}, several},
		{"compare", "report", show.Options{}, one},
	})
}
