package render

import (
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fielddiff"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// newStructured writes a diff for people: for each accepted write that changes
// something the changed fields, grouped under the field path of what holds
// them, with the unchanged ones counted.
func newStructured(w io.Writer, o Options) Stream {
	return &texts{sink: sink{w}, between: "\n", text: func(r report.Result) (string, error) {
		if r.Outcome.Refused() {
			return "", nil
		}
		p := newPrinter(o)
		d := structuredOf(p, r)
		hunks := d.hunks(r)
		if len(hunks) == 0 {
			return "", nil
		}
		p.line(p.verdict(r))
		for _, h := range hunks {
			d.hunk(h)
		}
		return p.out.String(), nil
	}}
}

// structured writes the diff of one object.
type structured struct {
	*printer
	lists         fielddiff.Lists
	before, after managedfields.Owners
	// margin is the width of the owners' column; 0 where they are not shown.
	margin int
}

// maxMargin keeps room for the diff beside long names of field managers.
const maxMargin = 24

func structuredOf(p *printer, r report.Result) *structured {
	s := &structured{printer: p, lists: fielddiff.Learn(r.Live, r.Object)}
	s.before, s.after = managedfields.Of(r.Live), managedfields.Of(r.Object)
	if p.o.Owners {
		s.margin = len(nobody)
		for _, o := range []managedfields.Owners{s.before, s.after} {
			for _, e := range o.Readable() {
				s.margin = min(maxMargin, max(s.margin, columns(visible(e.Manager))))
			}
		}
	}
	return s
}

func (s *structured) hunks(r report.Result) []fielddiff.Hunk {
	before, after := forDiff(r.Live, s.o.Ignore.Keep(r.Live, r.Object), s.o)
	if before == nil && after == nil {
		return nil
	}
	return fielddiff.Compare(before, after, s.lists)
}

// hunk writes the changes below one header.
func (s *structured) hunk(h fielddiff.Hunk) {
	name := h.Path.String()
	if len(h.Path) == 0 {
		name = "(object)"
	}
	s.line("")
	s.line(s.cyan("@ " + cut(visible(name), s.width-2)))
	for _, c := range h.Changes {
		s.fieldChange(c)
	}
	if h.Unchanged > 0 {
		s.row("", " ", s.faint(fmt.Sprintf("… %d unchanged", h.Unchanged)))
	}
}

func (s *structured) fieldChange(c fielddiff.Change) {
	name := label(c.Path[len(c.Path)-1])
	switch c.Kind {
	case fielddiff.Moved:
		owner := s.ownersOf(s.after, c.Path)
		s.row(owner, s.yellow(">"), s.yellow(fmt.Sprintf("%s moved from position %d to %d", name, c.From, c.To)))
	case fielddiff.Added:
		s.lines(textdiff.Insert, s.valueLines(c.Path, name+":", c.After))
	case fielddiff.Removed:
		s.lines(textdiff.Delete, s.valueLines(c.Path, name+":", c.Before))
	case fielddiff.Modified:
		s.modified(c, name)
	}
}

// label is how a child is called below its parent's path.
func label(pe fieldpath.PathElement) string {
	if pe.FieldName != nil {
		return yamlString(*pe.FieldName)
	}
	return visible(pe.String())
}

// modified shows single values with their words, and everything of several
// lines as a diff of these lines.
func (s *structured) modified(c fielddiff.Change, name string) {
	old, new := s.valueLines(c.Path, name+":", c.Before), s.valueLines(c.Path, name+":", c.After)
	if len(old) == 1 && len(new) == 1 {
		before, after := s.longWords(old[0].text, new[0].text)
		s.row(s.ownersOf(s.before, c.Path), s.red("-"), before)
		s.row(s.ownersOf(s.after, c.Path), s.green("+"), after)
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
		s.row(s.ownersOf(s.before, path), s.red("-"), s.red(s.fit(t)))
	case textdiff.Insert:
		s.row(s.ownersOf(s.after, path), s.green("+"), s.green(s.fit(t)))
	default:
		s.row("", " ", s.fit(t))
	}
}

func (s *structured) skipped(lines int) {
	if lines > 0 {
		s.row("", " ", s.faint("… "+count(lines, "equal line")))
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
		s.line(s.faint(pad(cut(owner, s.margin), s.margin)+" │ ") + sign + " " + text)
		return
	}
	s.line(sign + " " + text)
}

// fit cuts a line to the terminal unless everything is asked for.
func (s *structured) fit(t string) string {
	if s.o.Verbose {
		return t
	}
	return cut(t, s.room())
}

func (s *structured) room() int {
	if s.margin > 0 {
		return max(minWidth/2, s.width-s.margin-5)
	}
	return s.width - 2
}
