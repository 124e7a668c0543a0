package page

import (
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Signs are how changes are marked, and stressed.
var Signs = map[report.ChangeKind]model.Span{
	report.Added: model.Good.Of("+"), report.Removed: model.Bad.Of("-"), report.Modified: model.Changed.Of("~"),
}

// Changes are a table of changed fields with their values.
func Changes(list []report.Change) model.Table {
	t := model.Table{Columns: make([]model.Column, 3), Shown: Shown}
	for _, c := range list {
		t.Rows = append(t.Rows, []model.Text{{Signs[c.Kind]}, {model.Field.Of(c.Field)}, ChangeValues(c)})
	}
	return t
}

// ChangeValues are both values; of large ones what differs inside.
func ChangeValues(c report.Change) model.Text {
	if inside := Inside(c.Before, c.After); inside.N > 0 && c.Kind == report.Modified {
		return inside.Gist()
	}
	if c.Kind == report.Modified {
		before, after := apart(words.Scalar(c.Before), words.Scalar(c.After))
		return model.Textf("%v -> %v", model.Value.Of(before), model.Value.Of(after))
	}
	if c.Kind == report.Removed {
		return model.Textf("was %v", ValueOf(report.Value{Value: c.Before}, model.Value))
	}
	return ValueOf(report.Value{Value: c.After}, model.Value)
}

// lineKinds are how changes stand in a difference: a field that only has another
// value stands with a sign of its own.
var lineKinds = map[report.ChangeKind]model.LineKind{
	report.Added: model.Added, report.Removed: model.Removed, report.Modified: model.Altered,
}

// ChangeLine is a change as a line of a difference.
func ChangeLine(kind report.ChangeKind, text string) model.DiffLine {
	return model.DiffLine{Kind: lineKinds[kind], Text: model.Say(text)}
}

// ValueOf is a value, or that there is none.
func ValueOf(v conflict.Value, role model.Role) model.Text {
	if v.Missing {
		return model.Text{role.Of("(not set)")}
	}
	return model.Text{role.Of(glyph.Cut(words.Scalar(v.Value), WholeValue))}
}

// WholeValue is how much of a value is shown where it is shown as a whole.
const WholeValue = 400
