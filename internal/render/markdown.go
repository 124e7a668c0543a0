package render

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// The bounds of a Markdown comment.
const (
	// cutReserve is room for that sentence.
	cutReserve = 1024
)

// newMarkdown writes a comment for a pull request: counts and what the objects
// have in common first, refusals open, and the details of accepted objects
// folded. What is beyond MaxBytes is left out from the end, the least important
// first, and named.
func newMarkdown(w io.Writer, o Options) Stream {
	m := &comment{printer: newPrinter(o), limit: o.MaxBytes}
	return &markdownStream{sink: sink{w}, markdown: m}
}

// Markdown is the format for pull requests, for who wants it besides another.
func Markdown(w io.Writer, o Options) Stream { return newMarkdown(w, o) }

type markdownStream struct {
	sink
	markdown *comment
	// problems, refused and accepted are in the order of the comment.
	problems, refused, accepted []block
	held                        int
}

// Begin implements Stream.
func (s *markdownStream) Begin(start Start) error {
	for _, p := range start.Problems {
		s.problems = append(s.problems, s.markdown.problem(p))
	}
	return nil
}

// Part implements Stream.
func (s *markdownStream) Part(r report.Result) (Part, error) {
	m := &comment{printer: newPrinter(s.markdown.o), limit: s.markdown.limit}
	return m.block(r)
}

// Add implements Stream.
func (s *markdownStream) Add(part Part) error {
	b := part.(block)
	if b.full == "" {
		return nil
	}
	refused := b.refused
	b = s.within(b)
	if refused {
		s.refused = append(s.refused, b)
	} else {
		s.accepted = append(s.accepted, b)
	}
	return nil
}

// within drops the details of a block that cannot have room: several times the
// length of the comment waits already.
func (s *markdownStream) within(b block) block {
	const times = 4
	if s.markdown.limit > 0 && s.held > times*s.markdown.limit {
		return block{name: b.name, short: b.short, dropped: true}
	}
	s.held += len(b.full) + len(b.diff)
	return b
}

// End implements Stream.
func (s *markdownStream) End(e Ending) error {
	blocks := slices.Concat(s.problems, s.refused, s.accepted)
	return s.write(s.markdown.fit(s.markdown.head(e.Report), blocks))
}

// comment writes the parts of a comment.
type comment struct {
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
	refused     bool
	// dropped: only name and title are known.
	dropped bool
	// diff may be shortened; open and close are around it. Refusals have none.
	open, diff, close string
}

// head is the title with the counts.
func (m *comment) head(doc report.Report) string {
	s := doc.Summary
	cautions := cautionsOf(doc)
	title := "Nothing stands in the way"
	if cautions != "" {
		title = "Accepted, with caution"
	}
	if s.Risky > 0 {
		title = fmt.Sprintf("Accepted, with risky changes to %s", count(s.Risky, "object"))
	}
	if refused := s.Conflicted + s.Invalid + s.Failed + len(doc.Problems); refused > 0 {
		title = fmt.Sprintf("%d of %d would not be accepted", refused, s.Total+len(doc.Problems))
	}
	plain := newPrinter(Options{})
	counts := plain.counts(s)
	if n := len(doc.Problems); n > 0 {
		counts += ", " + count(n, "unreadable input")
	}
	if doc.Interrupted != nil {
		counts += "\n\n**" + interruptedText(*doc.Interrupted) + "**"
	}
	head := fmt.Sprintf("## Server-Side Apply: %s\n\n%s\n%s", title, counts, cautions)
	foot := fmt.Sprintf("\nSimulated without a cluster, as Kubernetes %s answers.\n", mdProse(cut(visible(doc.Server.Version), 40)))
	room := math.MaxInt
	if m.limit > 0 {
		room = (m.limit-cutReserve)/2 - len(head) - len(foot)
	}
	return head + m.overview(doc, room) + foot
}

// shownCautions is how many cautions the head of a comment has.
const shownCautions = 5

// cautionsOf are the caveats that make the counts doubtful, the most common first.
func cautionsOf(doc report.Report) string {
	if doc.Overview == nil {
		return ""
	}
	var b strings.Builder
	notes := aboutInputs(doc.Overview.Notes)
	for i, n := range notes {
		if i == shownCautions {
			fmt.Fprintf(&b, "\n… and %s more\n", count(len(notes)-i, "caution"))
			break
		}
		b.WriteString("\n**Caution**: " + mdProse(cut(noteText(n, doc.Summary.Total), 300)) + "\n")
	}
	return b.String()
}

func (m *comment) problem(p report.Problem) block {
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
func (m *comment) block(r report.Result) (block, error) {
	b := block{name: objectName(r.Target) + where(r.Target), refused: r.Outcome.Refused()}
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
func (m *comment) title(r report.Result) string {
	name := mdCode(objectName(r.Target)) + mdProse(where(r.Target))
	switch r.Outcome {
	case report.Failed:
		return name + ": no answer"
	case report.Conflicted:
		return name + " conflicts: " + mdProse(gist(r))
	case report.Invalid:
		return name + " would be refused: " + mdProse(gist(r))
	case report.Unchanged:
		return name + " would stay unchanged"
	}
	s := name + " would be " + newPrinter(Options{}).outcome(r)
	if n := len(withoutNoise(r.Changes)); n > 0 && r.Outcome == report.Configured && !r.Deleted {
		s += ": " + count(n, "field") + " would change"
	}
	return s
}

func (m *comment) remarks(r report.Result) string {
	var b strings.Builder
	for _, risk := range r.Risks {
		b.WriteString("- **" + riskWord(risk) + "**: " + mdProse(riskLine(risk)) + "\n")
	}
	for _, c := range inFront(r) {
		b.WriteString("- **Caution**: " + mdProse(sentence(c)) + "\n")
	}
	for _, s := range r.Warnings {
		b.WriteString("- Warning: " + mdCode(s) + "\n")
	}
	for _, s := range r.Notices {
		b.WriteString("- " + mdProse(s) + "\n")
	}
	for _, s := range report.Sentences(behind(r.Confidence.Doubts())) {
		b.WriteString("- Not simulated: " + mdProse(s) + "\n")
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
