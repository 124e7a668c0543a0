package page

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fielddiff"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
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

// insides are the differences inside of a large value, such as an atomic list.
type insides []model.DiffLine

// large is from how many columns on a value is not shown as a whole.
const large = 80

// Inside compares two maps, lists or texts of several lines that are too large for a
// line; none of others, and of those that share nothing.
func Inside(before, after any) insides {
	a, isText := before.(string)
	b, areTexts := after.(string)
	if isText && areTexts {
		return insideTexts(a, b)
	}
	var out insides
	if managedfields.Composite(before) && managedfields.Composite(after) && !words.Fits(large, before, after) {
		out.walk("", before, after)
	}
	return out
}

// insideTexts compares texts line by line.
func insideTexts(before, after string) insides {
	var out insides
	if len(before)+len(after) <= large || !strings.Contains(before, "\n") || !strings.Contains(after, "\n") {
		return out
	}
	for _, h := range textdiff.Lines(before, after, 1) {
		var removed, added []string
		at := max(1, h.NewStart)
		for n, l := range h.Lines {
			switch l.Kind {
			case textdiff.Delete:
				removed = append(removed, strings.TrimSuffix(l.Text, "\n"))
			case textdiff.Insert:
				added = append(added, strings.TrimSuffix(l.Text, "\n"))
			}
			if l.Kind != textdiff.Equal && n < len(h.Lines)-1 {
				continue
			}
			for k := range max(len(removed), len(added)) {
				out.line(fmt.Sprintf("line %d", at+k), removed[min(k, len(removed)):], added[min(k, len(added)):])
			}
			at += len(added) + 1
			removed, added = nil, nil
		}
	}
	return out
}

// line adds the first of the lines that are removed and added.
func (i *insides) line(name string, removed, added []string) {
	switch {
	case len(removed) == 0:
		i.put(name, model.Added, strings.TrimSpace(added[0]))
	case len(added) == 0:
		i.put(name, model.Removed, strings.TrimSpace(removed[0]))
	default:
		before, after := strings.TrimSpace(removed[0]), strings.TrimSpace(added[0])
		if before == after {
			before, after = words.Quoted(removed[0]), words.Quoted(added[0])
		}
		before, after = Differing(before, after, inSentence)
		i.put(name, model.Altered, before+" -> "+after)
	}
}

// walk compares two maps or lists. The items of lists without names are compared
// by their positions.
func (i *insides) walk(field string, before, after any) {
	for _, h := range fielddiff.Compare(map[string]any{"": before}, map[string]any{"": after}, nil) {
		for _, c := range h.Changes {
			name := field + c.Path[1:].String()
			a, isList := c.Before.([]any)
			b, areLists := c.After.([]any)
			if isList && areLists && c.Kind == fielddiff.Modified {
				i.items(name, a, b)
			} else {
				i.add(name, c)
			}
		}
	}
}

func (i *insides) items(field string, before, after []any) {
	for at := range max(len(before), len(after)) {
		name := fmt.Sprintf("%s[%d]", field, at)
		switch {
		case at >= len(before):
			i.add(name, fielddiff.Change{Kind: fielddiff.Added, After: after[at]})
		case at >= len(after):
			i.add(name, fielddiff.Change{Kind: fielddiff.Removed, Before: before[at]})
		case managedfields.Composite(before[at]) && managedfields.Composite(after[at]):
			i.walk(name, before[at], after[at])
		case !reflect.DeepEqual(before[at], after[at]):
			i.add(name, fielddiff.Change{Kind: fielddiff.Modified, Before: before[at], After: after[at]})
		}
	}
}

func (i *insides) add(field string, c fielddiff.Change) {
	switch c.Kind {
	case fielddiff.Added:
		i.put(field, model.Added, words.Scalar(c.After))
	case fielddiff.Removed:
		i.put(field, model.Removed, words.Scalar(c.Before))
	case fielddiff.Moved:
		i.put(field, model.Altered, fmt.Sprintf("moved from position %d to %d", c.From, c.To))
	default:
		before, after := apart(words.Both(c.Before, c.After))
		i.put(field, model.Altered, before+" -> "+after)
	}
}

// put adds a difference, what is said of it as far as a sentence has room for each value.
func (i *insides) put(at string, kind model.LineKind, says string) {
	*i = append(*i, model.DiffLine{Kind: kind, Text: model.Textf(" %v  %v", at, glyph.Cut(says, 3*inSentence))})
}

// Text counts the differences, and says which way they are shown.
func (i insides) Text(way string) model.Text {
	return model.Textf("%v inside (%v)", words.Count(len(i), "difference"), way)
}

// Gist is the first difference, and how many more there are.
func (i insides) Gist() model.Text {
	if len(i) == 1 {
		return model.Textf("inside%v", i[0].Text)
	}
	return model.Textf("%v inside, first%v", words.Count(len(i), "difference"), i[0].Text)
}

// Diff shows the differences.
func (i insides) Diff() model.Diff { return model.Diff{Lines: i, Shown: Shown} }

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
