package objects

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// pathLine is a line of YAML that knows whose field it shows. The text is
// safe to print.
type pathLine struct {
	path fieldpath.Path
	text string
}

func joined(lines []pathLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// valueLines writes a value behind its name: on the same line where it is a
// scalar, below it where it has lines of its own.
func (s *structured) valueLines(path fieldpath.Path, name string, v any) []pathLine {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			return append([]pathLine{{path, name}}, indented("  ", s.mapLines(path, v))...)
		}
	case []any:
		if len(v) > 0 {
			return append([]pathLine{{path, name}}, s.itemLines(path, v)...)
		}
	case string:
		if body := strings.TrimSuffix(v, "\n"); strings.Contains(body, "\n") {
			return append([]pathLine{{path, name + " " + blockSign(v)}}, indented("  ", textLines(path, body))...)
		}
	}
	return []pathLine{{path, name + " " + words.Scalar(v)}}
}

// blockSign says, as in YAML, whether a text ends in a newline.
func blockSign(text string) string {
	if strings.HasSuffix(text, "\n") {
		return "|"
	}
	return "|-"
}

func textLines(path fieldpath.Path, body string) []pathLine {
	var out []pathLine
	for _, l := range strings.Split(body, "\n") {
		out = append(out, pathLine{path, glyph.Visible(l)})
	}
	return out
}

func (s *structured) mapLines(path fieldpath.Path, m map[string]any) []pathLine {
	var out []pathLine
	for _, k := range slices.Sorted(maps.Keys(m)) {
		child := append(path.Copy(), fieldpath.PathElement{FieldName: &k})
		out = append(out, s.valueLines(child, words.Quoted(k)+":", m[k])...)
	}
	return out
}

func (s *structured) itemLines(path fieldpath.Path, list []any) []pathLine {
	var out []pathLine
	for i, item := range list {
		child := append(path.Copy(), s.lists.Element(path, list, i))
		lines := []pathLine{{child, words.Scalar(item)}}
		switch item := item.(type) {
		case map[string]any:
			if len(item) > 0 {
				lines = s.mapLines(child, item)
			}
		case []any:
			if len(item) > 0 {
				lines = s.itemLines(child, item)
			}
		}
		lines = indented("  ", lines)
		lines[0].text = "- " + lines[0].text[2:]
		out = append(out, lines...)
	}
	return out
}

func indented(by string, lines []pathLine) []pathLine {
	for i := range lines {
		lines[i].text = by + lines[i].text
	}
	return lines
}

// nobody stands in the margin of fields without owner.
const nobody = "-"

// ownersOf names who owns a field, itself or with a parent that is one field.
func (s *structured) ownersOf(owners managedfields.Owners, path fieldpath.Path) string {
	if s.margin == 0 {
		return ""
	}
	var names []string
	for _, e := range owners.Readable() {
		if managedfields.Covers(e.Set, path) {
			names = append(names, glyph.Visible(e.Manager))
		}
	}
	if names == nil {
		return nobody
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// keptEnds is how much of an equal stretch stays on either side of a change
// when a line is too long.
const keptEnds = 16

// longWords stresses what differs in two lines. Where a line is too long for
// the terminal, equal stretches are shortened, so that changes stay in sight.
func (s *structured) longWords(old, new string) (before, after string) {
	edits := textdiff.Words(old, new)
	if !s.o.Verbose && max(glyph.Columns(old), glyph.Columns(new)) > s.room() {
		edits = shortened(edits)
	}
	for _, e := range edits {
		switch e.Kind {
		case textdiff.Equal:
			before += s.Red(e.Text)
			after += s.Green(e.Text)
		case textdiff.Delete:
			before += s.RedWord(e.Text)
		case textdiff.Insert:
			after += s.GreenWord(e.Text)
		}
	}
	return before, after
}

func shortened(edits []textdiff.Edit) []textdiff.Edit {
	out := make([]textdiff.Edit, len(edits))
	for i, e := range edits {
		limit := 3 * keptEnds
		if e.Kind == textdiff.Equal {
			limit = 2 * keptEnds
		}
		out[i] = textdiff.Edit{Kind: e.Kind, Text: glyph.Cut(e.Text, limit)}
	}
	return out
}
