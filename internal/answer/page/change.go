package page

import (
	"unicode/utf8"

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

// lineKinds are how changes stand in a difference: a field that only has another
// value stands with a sign of its own.
var lineKinds = map[report.ChangeKind]model.LineKind{
	report.Added: model.Added, report.Removed: model.Removed, report.Modified: model.Altered,
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
	switch c.Kind {
	case report.Modified:
		if inside := Inside(c.Before, c.After); len(inside) > 0 {
			return inside.Gist()
		}
		before, after := apart(words.Both(c.Before, c.After))
		return model.Textf("%v -> %v", model.Value.Of(before), model.Value.Of(after))
	case report.Removed:
		return model.Textf("was %v", ValueOf(report.Value{Value: c.Before}, model.Value))
	}
	return ValueOf(report.Value{Value: c.After}, model.Value)
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

// large is from how many columns on a value is not shown as a whole.
const large = 80

// around is how much of what is equal stands around what differs.
const around = 16

// apart shortens two long texts to what differs in them.
func apart(a, b string) (before, after string) {
	if len(a) <= large && len(b) <= large {
		return a, b
	}
	return Differing(a, b, inSentence)
}

// Differing shortens two texts to so many columns of what differs in them, so that they
// are never the same when cut.
func Differing(a, b string, most int) (before, after string) {
	if glyph.Columns(a) <= most && glyph.Columns(b) <= most {
		return a, b
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	start := max(0, same-around)
	for start > 0 && !utf8.RuneStart(a[start]) {
		start--
	}
	sign := ""
	if start > 0 {
		sign = "…"
	}
	return sign + glyph.Cut(a[start:], most), sign + glyph.Cut(b[start:], most)
}
