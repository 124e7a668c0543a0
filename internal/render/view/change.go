package view

import (
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// signs are how changes are marked, and stressed.
var signs = map[report.ChangeKind]model.Span{
	report.Added: model.Good.Of("+"), report.Removed: model.Bad.Of("-"), report.Modified: model.Changed.Of("~"),
}

// changes are a table of changed fields with their values.
func changes(list []report.Change) model.Table {
	t := model.Table{Columns: make([]model.Column, 3), Shown: shown}
	for _, c := range list {
		t.Rows = append(t.Rows, []model.Text{{signs[c.Kind]}, {model.Field.Of(c.Field)}, changeValues(c)})
	}
	return t
}

// changeValues are both values; of large ones what differs inside.
func changeValues(c report.Change) model.Text {
	if inside := inside(c.Before, c.After); inside.n > 0 && c.Kind == report.Modified {
		return inside.gist()
	}
	if c.Kind == report.Modified {
		before, after := apart(words.Scalar(c.Before), words.Scalar(c.After))
		return model.Textf("%v -> %v", model.Value.Of(before), model.Value.Of(after))
	}
	if c.Kind == report.Removed {
		return model.Textf("was %v", valueOf(report.Value{Value: c.Before}, model.Value))
	}
	return valueOf(report.Value{Value: c.After}, model.Value)
}

// lineKinds are how changes stand in a difference: a field that only has another
// value stands with a sign of its own.
var lineKinds = map[report.ChangeKind]model.LineKind{
	report.Added: model.Added, report.Removed: model.Removed, report.Modified: model.Altered,
}

// changeLine is a change as a line of a difference.
func changeLine(kind report.ChangeKind, text string) model.DiffLine {
	return model.DiffLine{Kind: lineKinds[kind], Text: model.Say(text)}
}
