package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffView is the diff of one object.
type diffView struct {
	Added, Removed int
	Hunks          []hunkView
}

// hunkView is a run of changed lines with the lines around it.
type hunkView struct {
	Header string
	// Path is what the first line is in.
	Path string
	Runs []runView
}

// runView is a run of lines of one kind, signs included, cut into pieces.
type runView struct {
	Kind   textdiff.Kind
	Pieces []pieceView
}

// pieceView is a piece of text; Strong marks what differs inside a line.
type pieceView struct {
	Text   string
	Strong bool
}

// Equal, Deleted and Inserted tell the template which element a run is.
func (r runView) Equal() bool    { return r.Kind == textdiff.Equal }
func (r runView) Deleted() bool  { return r.Kind == textdiff.Delete }
func (r runView) Inserted() bool { return r.Kind == textdiff.Insert }

// Diff is that from the live to the resulting object; for a conflict, to what
// force would make of it. Nil where nothing differs.
func (v *objectView) Diff() (*diffView, error) {
	r := *v.r
	if r.Outcome == report.Unchanged {
		return nil, nil
	}
	if r.Outcome.Refused() {
		if r.Forced == nil || r.Forced.Object == nil {
			return nil, nil
		}
		r.Object = r.Forced.Object
	}
	texts, err := Texts(r, v.o)
	if err != nil {
		return nil, fmt.Errorf("diff %s: %w", v.Name(), err)
	}
	hunks := texts.Hunks()
	if len(hunks) == 0 {
		return nil, nil
	}
	d := &diffView{}
	live, merged := strings.Split(texts.Live, "\n"), strings.Split(texts.Merged, "\n")
	for _, h := range hunks {
		lines, at := live, h.OldStart
		if h.OldLines == 0 {
			lines, at = merged, h.NewStart
		}
		d.Hunks = append(d.Hunks, hunkView{Header: h.Header(), Path: enclosing(lines, at-1), Runs: runs(h.Lines)})
		for _, l := range h.Lines {
			switch l.Kind {
			case textdiff.Insert:
				d.Added++
			case textdiff.Delete:
				d.Removed++
			}
		}
	}
	return d, nil
}

// DiffTitle heads the diff.
func (v *objectView) DiffTitle() string {
	switch {
	case v.r.Outcome == report.Conflicted:
		return "Diff, if forced"
	case v.r.Live == nil:
		return "New object"
	}
	return "Diff"
}

// DiffOpen folds the diff of a new object, as all of it is new.
func (v *objectView) DiffOpen() bool { return v.r.Live != nil && v.r.Outcome != report.Conflicted }

// runs joins neighbouring lines of one kind; where as many lines come as go,
// what differs in them is marked.
func runs(lines []textdiff.Line) []runView {
	var out []runView
	for i := 0; i < len(lines); {
		if n := run(lines[i:], textdiff.Equal); n > 0 {
			out = append(out, runView{textdiff.Equal, []pieceView{{Text: signed(lines[i : i+n])}}})
			i += n
			continue
		}
		d := run(lines[i:], textdiff.Delete)
		n := run(lines[i+d:], textdiff.Insert)
		out = append(out, changedRuns(lines[i:i+d], lines[i+d:i+d+n])...)
		i += d + n
	}
	return out
}

func changedRuns(old, new []textdiff.Line) []runView {
	before, after := runView{Kind: textdiff.Delete}, runView{Kind: textdiff.Insert}
	if len(old) == len(new) {
		for i := range old {
			before.Pieces, after.Pieces = marked(before.Pieces, after.Pieces, old[i].Text, new[i].Text)
		}
		return []runView{before, after}
	}
	var out []runView
	if len(old) > 0 {
		before.Pieces = []pieceView{{Text: signed(old)}}
		out = append(out, before)
	}
	if len(new) > 0 {
		after.Pieces = []pieceView{{Text: signed(new)}}
		out = append(out, after)
	}
	return out
}

// marked appends a pair of lines whose words are compared.
func marked(before, after []pieceView, old, new string) (b, a []pieceView) {
	before, after = append(before, pieceView{Text: "-"}), append(after, pieceView{Text: "+"})
	for _, e := range textdiff.Words(lineText(old), lineText(new)) {
		if e.Kind != textdiff.Insert {
			before = append(before, pieceView{e.Text, e.Kind == textdiff.Delete})
		}
		if e.Kind != textdiff.Delete {
			after = append(after, pieceView{e.Text, e.Kind == textdiff.Insert})
		}
	}
	return append(before, pieceView{Text: "\n"}), append(after, pieceView{Text: "\n"})
}

func signed(lines []textdiff.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Kind.Sign() + lineText(l.Text) + "\n")
	}
	return b.String()
}

func lineText(s string) string { return visible(strings.TrimSuffix(s, "\n")) }

// enclosing names the keys that the line at an index is in, outermost first,
// by indentation.
func enclosing(lines []string, at int) string {
	if at < 0 || at >= len(lines) {
		return ""
	}
	var keys []string
	inside, _ := yamlColumns(lines[at])
	for i := at - 1; i >= 0 && inside > 0; i-- {
		line, column := yamlColumns(lines[i])
		if line >= inside {
			continue
		}
		key, _, isKey := strings.Cut(strings.TrimLeft(lines[i], " -"), ":")
		if isKey && column < inside {
			keys = append([]string{visible(key)}, keys...)
		}
		inside = line
	}
	return strings.Join(keys, " › ")
}

// yamlColumns gives the column of a line and that of its key. A dash counts as
// half an indentation, as the item is inside the key above it, and the dash's
// line may hold the item's first key.
func yamlColumns(line string) (start, key int) {
	n := len(line) - len(strings.TrimLeft(line, " "))
	if strings.HasPrefix(line[n:], "- ") {
		return n + 1, n + 2
	}
	return n, n
}
