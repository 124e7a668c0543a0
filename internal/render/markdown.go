package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
)

// The bounds of a Markdown comment.
const (
	// DefaultMaxBytes is the most characters that GitHub takes in a comment.
	DefaultMaxBytes = 65536
	// MinMaxBytes is room for the counts and the sentence that names what was
	// cut.
	MinMaxBytes = 2048
	// cutReserve is room for that sentence.
	cutReserve = 1024
)

// Markdown writes a comment for a pull request: counts first, refusals open,
// and the details of accepted objects folded. What is beyond MaxBytes is left
// out from the end, the least important first, and named.
func Markdown(w io.Writer, report engine.Report, o Options) error {
	m := &markdown{printer: newPrinter(o), limit: o.MaxBytes}
	var blocks []block
	for _, p := range report.Problems {
		blocks = append(blocks, m.problem(p))
	}
	for _, refused := range []bool{true, false} {
		for _, r := range report.Results {
			if r.Outcome.Refused() != refused {
				continue
			}
			b, err := m.block(r)
			if err != nil {
				return err
			}
			if b.full != "" {
				blocks = append(blocks, b)
			}
		}
	}
	_, err := io.WriteString(w, m.fit(m.head(report), blocks))
	return err
}

// markdown writes the parts of a comment.
type markdown struct {
	*printer
	// limit is in bytes, of which there are never fewer than characters; 0 for
	// none.
	limit int
}

// block is what the comment tells about one object, in the lengths in which
// it can be told.
type block struct {
	name string
	// full is all of it, and short its title.
	full, short string
	// diff may be shortened; open and close are around it. Refusals have none.
	open, diff, close string
}

// head is the title with the counts.
func (m *markdown) head(report engine.Report) string {
	s := report.Summary
	title := "Nothing stands in the way"
	if refused := s.Conflicted + s.Invalid + s.Failed + len(report.Problems); refused > 0 {
		title = fmt.Sprintf("%d of %d would not be accepted", refused, s.Total+len(report.Problems))
	}
	plain := newPrinter(Options{})
	counts := plain.summary(s)
	if s.Total == 0 {
		counts = "0 objects"
	}
	if n := len(report.Problems); n > 0 {
		counts += ", " + count(n, "unreadable input")
	}
	return fmt.Sprintf("## Server-Side Apply: %s\n\n%s\n\nSimulated without a cluster, as Kubernetes %s answers.\n",
		title, counts, mdProse(cut(visible(report.Server.Version), 40)))
}

func (m *markdown) problem(p engine.Problem) block {
	at := place(&p.Source)
	if at == "" {
		at = "input"
	}
	return block{
		name:  at,
		full:  "\n### " + mdCode(at) + " cannot be read\n\n" + mdFence("", visibleLines(p.Message)),
		short: "\n### " + mdCode(at) + " cannot be read\n",
	}
}

// block tells one object; nothing for one that stays as it is without remark.
func (m *markdown) block(r engine.Result) (block, error) {
	b := block{name: objectName(r.Target) + where(r.Target)}
	if r.Outcome.Refused() {
		b.short = "\n### " + m.title(r) + "\n"
		b.full = b.short + "\n" + m.refusal(r)
		return b, nil
	}
	d, err := Texts(r, m.o)
	if err != nil {
		return b, err
	}
	diff := d.Unified()
	remarks := m.remarks(r)
	if diff == "" && remarks == "" {
		return b, nil
	}
	b.short = "\n" + m.title(r) + "\n"
	b.open = "\n<details><summary>" + m.title(r) + "</summary>\n\n" + remarks + m.taken(r)
	b.diff, b.close = diff, "\n</details>\n"
	b.full = b.open + b.close
	if diff != "" {
		b.full = b.open + mdFence("diff", diff) + b.close
	}
	return b, nil
}

// title is the verdict of an object in one line.
func (m *markdown) title(r engine.Result) string {
	name := mdCode(objectName(r.Target)) + mdProse(where(r.Target))
	switch r.Outcome {
	case engine.Failed:
		return name + ": no answer"
	case engine.Conflicted:
		return name + " conflicts: " + mdProse(gist(r))
	case engine.Invalid:
		return name + " would be refused: " + mdProse(gist(r))
	case engine.Unchanged:
		return name + " would stay unchanged"
	}
	s := name + " would be " + newPrinter(Options{}).outcome(r)
	if n := len(withoutNoise(r.Changes)); n > 0 && r.Outcome == engine.Configured && !r.Deleted {
		s += ": " + count(n, "field") + " would change"
	}
	return s
}

func (m *markdown) remarks(r engine.Result) string {
	var b strings.Builder
	for _, s := range r.Warnings {
		b.WriteString("- Warning: " + mdCode(s) + "\n")
	}
	for _, s := range r.Notices {
		b.WriteString("- " + mdProse(s) + "\n")
	}
	if r.Confidence.Level == engine.Partial {
		for _, s := range r.Confidence.Notes {
			b.WriteString("- Not simulated: " + mdProse(s) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
