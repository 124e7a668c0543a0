package objects

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fielddiff"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// NewStructured writes a diff for people: for each accepted write that changes
// something the changed fields, grouped under the field path of what holds
// them, with the unchanged ones counted.
func NewStructured(w io.Writer, o Options) stream.Stream {
	sink := stream.Sink{W: w}
	return &stream.Texts{Sink: sink, Between: "\n", Setting: setting(""), Text: func(r report.Result) (string, error) {
		if r.Outcome.Refused() {
			return "", nil
		}
		before, after := sidesOf(r, o)
		if before == nil && after == nil {
			return "", nil
		}
		s := structuredOf(r, o)
		hunks := fielddiff.Compare(before, after, s.lists)
		if len(hunks) == 0 {
			return "", nil
		}
		s.line(o.Title(r))
		for _, h := range hunks {
			s.hunk(h)
		}
		return s.String(), nil
	}}
}

// structured writes the diff of one object.
type structured struct {
	text.Palette
	strings.Builder
	o             Options
	width         int
	lists         fielddiff.Lists
	before, after managedfields.Owners
	// margin is the width of the owners' column; 0 where they are not shown.
	margin int
}

// maxMargin keeps room for the diff beside long names of field managers.
const maxMargin = 24

const (
	// minWidth keeps columns apart on terminals that tell a nonsensical width.
	minWidth     = 40
	defaultWidth = 80
)

func structuredOf(r report.Result, o Options) *structured {
	s := &structured{
		Palette: text.NewPalette(o.Color),
		o:       o,
		width:   defaultWidth,
		lists:   fielddiff.Learn(r.Live, r.Object),
	}
	if o.Width > 0 {
		s.width = max(o.Width, minWidth)
	}
	s.before, s.after = managedfields.Of(r.Live), managedfields.Of(r.Object)
	if o.Owners {
		s.margin = len(nobody)
		for _, owners := range []managedfields.Owners{s.before, s.after} {
			for _, e := range owners.Readable() {
				s.margin = min(maxMargin, max(s.margin, glyph.Columns(glyph.Visible(e.Manager))))
			}
		}
	}
	return s
}

func (s *structured) line(text string) { s.WriteString(strings.TrimRight(text, " ") + "\n") }

// hunk writes the changes below one header.
func (s *structured) hunk(h fielddiff.Hunk) {
	name := h.Path.String()
	if len(h.Path) == 0 {
		name = "(object)"
	}
	s.line("")
	s.line(s.Cyan("@ " + glyph.Cut(glyph.Visible(name), s.width-2)))
	for _, c := range h.Changes {
		s.fieldChange(c)
	}
	if h.Unchanged > 0 {
		s.row("", " ", s.Faint(fmt.Sprintf("… %d unchanged", h.Unchanged)))
	}
}

func (s *structured) fieldChange(c fielddiff.Change) {
	last := c.Path[len(c.Path)-1]
	name := glyph.Visible(last.String())
	if last.FieldName != nil {
		name = words.Quoted(*last.FieldName)
	}
	switch c.Kind {
	case fielddiff.Moved:
		owner := s.ownersOf(s.after, c.Path)
		s.row(owner, s.Yellow(">"), s.Yellow(fmt.Sprintf("%s moved from position %d to %d", name, c.From, c.To)))
	case fielddiff.Added:
		s.lines(textdiff.Insert, s.valueLines(c.Path, name+":", c.After))
	case fielddiff.Removed:
		s.lines(textdiff.Delete, s.valueLines(c.Path, name+":", c.Before))
	case fielddiff.Modified:
		s.modified(c, name)
	}
}

// modified shows single values with their words, and everything of several
// lines as a diff of these lines.
func (s *structured) modified(c fielddiff.Change, name string) {
	old, new := s.valueLines(c.Path, name+":", c.Before), s.valueLines(c.Path, name+":", c.After)
	if len(old) == 1 && len(new) == 1 {
		before, after := s.longWords(old[0].text, new[0].text)
		s.row(s.ownersOf(s.before, c.Path), s.Red("-"), before)
		s.row(s.ownersOf(s.after, c.Path), s.Green("+"), after)
		return
	}
	at, shown := 0, 2
	for _, h := range textdiff.Lines(joined(old), joined(new), shown) {
		s.skipped(max(0, h.OldStart-1-at))
		for _, l := range h.Lines {
			s.textLine(c.Path, l)
		}
		at = h.OldStart - 1 + h.OldLines
	}
	s.skipped(len(old) - at)
}

func (s *structured) textLine(path fieldpath.Path, l textdiff.Line) {
	t := strings.TrimSuffix(l.Text, "\n")
	switch l.Kind {
	case textdiff.Delete:
		s.row(s.ownersOf(s.before, path), s.Red("-"), s.Red(s.fit(t)))
	case textdiff.Insert:
		s.row(s.ownersOf(s.after, path), s.Green("+"), s.Green(s.fit(t)))
	default:
		s.row("", " ", s.fit(t))
	}
}

func (s *structured) skipped(lines int) {
	if lines > 0 {
		s.row("", " ", s.Faint("… "+words.Count(lines, "equal line")))
	}
}

func (s *structured) lines(kind textdiff.Kind, lines []pathLine) {
	for _, l := range lines {
		s.textLine(l.path, textdiff.Line{Kind: kind, Text: l.text})
	}
}

// row is one line with its owner in the margin.
func (s *structured) row(owner, sign, text string) {
	if s.margin > 0 {
		s.line(s.Faint(glyph.Pad(glyph.Cut(owner, s.margin), s.margin)+" │ ") + sign + " " + text)
		return
	}
	s.line(sign + " " + text)
}

// fit cuts a line to the terminal unless everything is asked for.
func (s *structured) fit(t string) string {
	if s.o.Verbose {
		return t
	}
	return glyph.Cut(t, s.room())
}

func (s *structured) room() int {
	if s.margin > 0 {
		return max(minWidth/2, s.width-s.margin-5)
	}
	return s.width - 2
}

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
		if body, ends := strings.CutSuffix(v, "\n"); strings.Contains(body, "\n") {
			out := []pathLine{{path, name + map[bool]string{true: " |", false: " |-"}[ends]}}
			for l := range strings.SplitSeq(body, "\n") {
				out = append(out, pathLine{path, "  " + glyph.Visible(l)})
			}
			return out
		}
	}
	return []pathLine{{path, name + " " + words.Scalar(v)}}
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
		for i, e := range edits {
			limit := 3 * keptEnds
			if e.Kind == textdiff.Equal {
				limit = 2 * keptEnds
			}
			edits[i].Text = glyph.Cut(e.Text, limit)
		}
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
