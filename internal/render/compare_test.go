package render

import (
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/plan/compare"
	"github.com/ssactl/ssactl/internal/report"
)

// compared is one of everything that compare shows.
func compared() compare.Comparison {
	old, today := now.Add(-40*24*time.Hour), now.Add(-time.Hour)
	helm, edit := writerAt("helm", "Apply", &old), writerAt("kubectl-edit", "Update", &today)
	return compare.Comparison{
		Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Before: &report.Source{File: "monday.yaml", Document: 1, Line: 1},
		After:  &report.Source{File: "friday.yaml", Document: 2, Line: 40},
		State:  compare.Changed,
		Values: []compare.Value{
			{Field: ".metadata.labels.team", Kind: report.Added, After: "shop"},
			{Field: ".spec.paused", Kind: report.Removed, Before: true},
			{Field: ".spec.replicas", Kind: report.Modified, Before: 3, After: 7, By: []report.Writer{edit}},
		},
		Moves: []compare.Move{
			{Field: ".spec.a", Kind: compare.Joined, To: []report.Writer{edit}},
			{Field: ".spec.b", Kind: compare.Left, From: []report.Writer{edit}},
			{Field: ".spec.c", Kind: compare.Claimed, To: []report.Writer{edit}},
			{Field: ".spec.d", Kind: compare.Unowned, From: []report.Writer{helm}},
			{Field: ".spec.e", Kind: compare.Came, To: []report.Writer{edit}},
			{Field: ".spec.paused", Kind: compare.Gone, From: []report.Writer{helm}},
			{Field: ".spec.replicas", Kind: compare.Taken, From: []report.Writer{helm}, To: []report.Writer{edit}},
		},
		Entries: []compare.Entry{
			{Writer: writerAt("flux", "Apply", nil), Kind: compare.EntryRemoved, Fields: 12},
			{Writer: edit, Kind: compare.EntryAdded, Fields: 1},
		},
		Next: &compare.Next{
			Source: report.Source{File: "web.yaml"}, Manager: "helm",
			Before:    &report.Answer{Outcome: report.Unchanged, Code: 200},
			After:     report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 1 conflict"},
			Conflicts: []report.Conflict{{Field: ".spec.replicas", Writer: edit, Live: 7, Applied: 3}},
		},
	}
}

// otherwise is the object in another state.
func otherwise(c compare.Comparison, name string, state compare.State) compare.Comparison {
	c.Target.Name, c.State = name, state
	c.Values, c.Moves, c.Entries, c.Next = nil, nil, nil, nil
	switch state {
	case compare.Added:
		c.Before = nil
	case compare.Removed:
		c.After = nil
	case compare.Failed:
		c.Error = "live object " + acting
	}
	return c
}

func TestCompare(t *testing.T) {
	one := []compare.Comparison{compared()}
	several := append(one, otherwise(compared(), "added", compare.Added), otherwise(compared(), "removed", compare.Removed),
		otherwise(compared(), "again", compare.Recreated), otherwise(compared(), "same", compare.Unchanged), otherwise(compared(), acting, compare.Failed))
	several[3].WasAt = "apps/v1beta2"
	checkAnswers(t, func(objects []compare.Comparison) Answer {
		return Compare(compare.NewDocument(runOf("v1.36.3"), objects))
	}, []answerCase[compare.Comparison]{
		{"compare", "text", Options{Width: 80}, one},
		{"compare_verbose", "text", Options{Width: 80, Verbose: true, Color: true}, several},
		{"compare_several", "text", Options{Width: 100, Fit: true}, several},
		{"compare_several", "markdown", Options{}, several},
		{"compare_several", "html", Options{}, several},
		{"compare_several", "github", Options{}, several},
		{"compare_several", "sarif", Options{}, several},
		{"compare_several", "junit", Options{}, several},
		{"compare", "report", Options{}, one},
	})
}
