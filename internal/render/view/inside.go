package view

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fielddiff"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// insides are the differences inside of a large value, such as an atomic list.
type insides struct {
	n     int
	first string
	lines []model.DiffLine
}

// large is from how many columns on a value is not shown as a whole.
const large = 80

// inside compares two maps or lists that are too large for a line; none of others,
// and of those that share nothing.
func inside(before, after any) insides {
	if !managedfields.Composite(before) || !managedfields.Composite(after) || words.Fits(large, before, after) {
		return insides{}
	}
	var out insides
	out.walk("", before, after)
	return out
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
	if i.n++; i.n == 1 {
		i.first = field
	}
	var line model.DiffLine
	switch c.Kind {
	case fielddiff.Added:
		line = model.DiffLine{Kind: model.Added, Text: model.Textf(" %v  %v", field, words.Scalar(c.After))}
	case fielddiff.Removed:
		line = model.DiffLine{Kind: model.Removed, Text: model.Textf(" %v  %v", field, words.Scalar(c.Before))}
	case fielddiff.Moved:
		line = model.DiffLine{Kind: model.Altered, Text: model.Textf(" %v moved from position %v to %v", field, c.From, c.To)}
	default:
		before, after := apart(words.Scalar(c.Before), words.Scalar(c.After))
		line = model.DiffLine{Kind: model.Altered, Text: model.Textf(" %v  %v -> %v", field, before, after)}
	}
	i.lines = append(i.lines, line)
}

// text counts the differences, and says which way they are shown.
func (i insides) text(way string) model.Text {
	return model.Textf("%v inside, first at %v (%v)", words.Count(i.n, "difference"), model.Field.Of(i.first), way)
}

// gist is the first difference, and how many more there are.
func (i insides) gist() model.Text {
	if i.n == 1 {
		return model.Textf("inside%v", i.lines[0].Text)
	}
	return model.Textf("%v inside, first%v", words.Count(i.n, "difference"), i.lines[0].Text)
}

func (i insides) diff() model.Diff { return model.Diff{Lines: i.lines, Shown: shown} }

// around is how much of what is equal stands around what differs.
const around = 16

// apart shortens two long texts to what differs in them.
func apart(a, b string) (before, after string) {
	if len(a) <= large && len(b) <= large {
		return a, b
	}
	return differing(a, b, inSentence)
}

// differing shortens two texts to so many columns of what differs in them, so that they
// are never the same when cut.
func differing(a, b string, most int) (before, after string) {
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
	return from(a, start, most), from(b, start, most)
}

// from is a text from a place on, as far as a sentence has room.
func from(s string, start, most int) string {
	if start > 0 {
		return "…" + glyph.Cut(s[start:], most)
	}
	return glyph.Cut(s, most)
}
