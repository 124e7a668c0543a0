package objects

import (
	"errors"
	"io"
	"reflect"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffContext is the number of equal lines around a change.
const diffContext = 3

// NewDiff writes a unified diff from the live to the resulting object for each
// accepted write that changes something. Created and deleted objects have
// /dev/null on their empty side.
func NewDiff(w io.Writer, o Options) stream.Stream {
	return &stream.Texts{Sink: stream.Sink{W: w}, Setting: setting("# "), Text: func(r report.Result) (string, error) {
		if r.Outcome.Refused() {
			return "", nil
		}
		d, err := DiffOf(r, o)
		return d.Unified(), err
	}}
}

// setting is the line of a setting; patch skips what stands before a difference.
func setting(prefix string) func(report.Setting) string {
	return func(s report.Setting) string { return prefix + glyph.Visible(s.Message) + "\n" }
}

// Diff is what differs between the YAML of a live object and of the resulting one.
type Diff struct {
	// Name is a file name for the object, safe on every system; the same as
	// kubectl diff gives it where that is possible.
	Name string
	// Hunks are the changed lines with their context; none where nothing differs.
	Hunks []textdiff.Hunk
	// created and deleted: there is no live object, or no resulting one.
	created, deleted bool
	// live are the lines of the live object.
	live []string
}

// DiffOf compares the two sides of a result. Those of most objects of a large run are equal,
// and not written as YAML, which takes longer than all else that is asked of them.
func DiffOf(r report.Result, o Options) (Diff, error) {
	live, merged := sidesOf(r, o)
	d := Diff{Name: words.FileName(r.Target), created: live == nil, deleted: merged == nil}
	if reflect.DeepEqual(live, merged) {
		return d, nil
	}
	texts, err := TextsOf(r, o)
	if err != nil {
		return d, err
	}
	d.live = textdiff.Cut(texts.Live)
	d.Hunks = textdiff.Between(d.live, textdiff.Cut(texts.Merged), diffContext)
	return d, nil
}

// Inside names, of each hunk, the keys that its first line is in, outermost first; none
// where that line is one of the outermost, or there was no object.
func (d Diff) Inside() [][]string {
	// at are the lines that a line is in, by their indentation, and that line.
	var at []nested
	out, seen := make([][]string, 0, len(d.Hunks)), 0
	for _, h := range d.Hunks {
		for _, line := range d.live[seen:h.OldStart] {
			if line == "\n" {
				// An empty line of a text is in nothing.
				continue
			}
			start, key := yamlColumns(line)
			for len(at) > 0 && at[len(at)-1].start >= start {
				at = at[:len(at)-1]
			}
			at = append(at, nested{line, start, key})
		}
		seen = h.OldStart
		var keys []string
		for i := range len(at) - 1 {
			if at[i].key < at[i+1].start {
				keys = append(keys, keysOf(at[i].line[at[i].key:])...)
			}
		}
		out = append(out, keys)
	}
	return out
}

// nested is a line with the columns of yamlColumns.
type nested struct {
	line       string
	start, key int
}

// Unified is the diff as patch reads it; empty when nothing differs.
func (d Diff) Unified() string {
	old, new := "live/"+d.Name, "merged/"+d.Name
	if d.created {
		old = "/dev/null"
	}
	if d.deleted {
		new = "/dev/null"
	}
	return textdiff.Unified(old, new, d.Hunks)
}

// Texts are the two sides of a diff.
type Texts struct {
	// Name is that of Diff.
	Name string
	// Live and Merged are YAML; empty where there is no object.
	Live, Merged string
}

// TextsOf gives the two sides that every diff of a result compares: YAML without
// what the options leave out.
func TextsOf(r report.Result, o Options) (Texts, error) {
	texts := Texts{Name: words.FileName(r.Target)}
	var errs [2]error
	live, merged := sidesOf(r, o)
	if live != nil {
		texts.Live, errs[0] = YAML(live)
	}
	if merged != nil {
		texts.Merged, errs[1] = YAML(merged)
	}
	return texts, errors.Join(errs[:]...)
}

// sidesOf are the objects that a diff compares, without what the options leave out.
func sidesOf(r report.Result, o Options) (live, merged map[string]any) {
	before := r.Before()
	return forDiff(before, o.Ignore.Keep(before, r.Object), o)
}

// Differs reports whether an accepted write changes something that diffs show.
func Differs(r report.Result, o Options) (bool, error) {
	if r.Outcome.Refused() {
		return false, nil
	}
	d, err := DiffOf(r, o)
	return len(d.Hunks) > 0, err
}

// step is how much deeper a field is than what it is in, and as wide as a dash.
const step = 2

// keysOf is the key that a field begins with, as it is written; none of other lines.
func keysOf(line string) []string {
	quote := ""
	if strings.HasPrefix(line, "'") || strings.HasPrefix(line, `"`) {
		quote = line[:1]
	}
	for _, end := range [...]string{quote + ": ", quote + ":\n"} {
		if key, _, ok := strings.Cut(line, end); ok {
			return []string{key + quote}
		}
	}
	return nil
}

// yamlColumns gives the column of a line and that of its key. A dash counts as
// half an indentation, as the item is inside the key above it, and the line of
// dashes may hold the item's first key.
func yamlColumns(line string) (start, key int) {
	start = len(line) - len(strings.TrimLeft(line, " "))
	for key = start; strings.HasPrefix(line[key:], "- "); key += step {
	}
	return start + min(1, key-start), key
}
