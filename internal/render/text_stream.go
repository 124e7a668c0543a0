package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ssactl/ssactl/internal/report"
)

// ManyObjects is how many objects the text format tells in full at most. Of more,
// it tells only what matters of each: nobody reads the details of thousands.
const ManyObjects = 50

// shownRefusals is how many refusals are told in full among many objects.
const shownRefusals = 10

// newText writes a report for people, the answer first: a verdict line an
// object and a summary when there are several; then what stands behind each
// verdict, refusals before the rest; then the summary again with what the
// objects have in common, as it is what stays in sight.
//
// Verdicts are written as they come, and details kept until the last of them.
// Among many objects only the first refusals are told in detail, and what
// stays as it is is only counted; with everything asked for, each object is
// told in full as it comes.
func newText(w io.Writer, o Options) Stream { return &textStream{sink: sink{w}, o: o} }

type textStream struct {
	sink
	o     Options
	total int
	// sections are the details that wait, of refused and of accepted writes.
	refused, accepted []string
	// unlisted counts the objects whose verdict was left out, untold those
	// whose details were.
	unlisted, untoldRefused, untoldAccepted int
	// refusals counts the refusals that are told in detail.
	refusals atomic.Int32
}

// Begin implements Stream.
func (t *textStream) Begin(start Start) error {
	t.total = start.Total
	return nil
}

func (t *textStream) several() bool { return t.total > 1 }

func (t *textStream) many() bool { return t.total > ManyObjects }

// textPart is what the text tells of one object: at once, and after the
// verdicts.
type textPart struct {
	told, section string
	refused, dull bool
}

// Part implements Stream.
func (t *textStream) Part(r report.Result) (Part, error) {
	p := newPrinter(t.o)
	part := textPart{refused: r.Outcome.Refused(), dull: dull(r)}
	switch {
	case !t.several():
		p.caveats(r, "")
		p.line(p.verdict(r))
		p.risks(r, "  ")
		if !t.o.Quiet {
			p.detail(r, false)
			p.confidence(r)
		}
	case t.many() && t.o.Verbose && !t.o.Quiet:
		p.rule(r)
		p.caveats(r, "")
		p.line(p.verdict(r))
		p.risks(r, "  ")
		p.detail(r, true)
		p.confidence(r)
		p.line("")
	case t.leavesOut(part):
	default:
		p.line(p.verdict(r))
		p.caveats(r, "  ")
		p.risks(r, "  ")
		if t.details(part) {
			part.section = p.section(r)
		}
	}
	part.told = p.out.String()
	return part, p.err
}

// dull tells whether there is nothing to say of an object.
func dull(r report.Result) bool {
	return r.Outcome == report.Unchanged && len(r.Warnings)+len(r.Notices)+len(r.Risks) == 0
}

// leavesOut tells whether an object is only counted.
func (t *textStream) leavesOut(part textPart) bool { return t.many() && !t.o.Verbose && part.dull }

// details tells whether what is behind the verdict may be told after the
// verdicts.
func (t *textStream) details(part textPart) bool {
	if t.o.Quiet {
		return false
	}
	return !t.many() || part.refused && int(t.refusals.Load()) < shownRefusals
}

// Add implements Stream.
func (t *textStream) Add(p Part) error {
	part := p.(textPart)
	switch {
	case !t.several() || t.many() && t.o.Verbose:
	case t.leavesOut(part):
		t.unlisted++
	case t.details(part) && part.refused:
		t.refusals.Add(1)
		t.refused = append(t.refused, part.section)
	case t.details(part):
		t.accepted = append(t.accepted, part.section)
	case part.refused:
		t.untoldRefused++
	default:
		t.untoldAccepted++
	}
	return t.write(part.told)
}

// End implements Stream.
func (t *textStream) End(e Ending) error {
	p := newPrinter(t.o)
	if t.several() {
		if !t.many() || !t.o.Verbose || t.o.Quiet {
			p.line("")
		}
		p.summary(e.Report)
	}
	if err := t.write(p.out.String()); err != nil {
		return err
	}
	for _, sections := range [][]string{t.refused, t.accepted} {
		for _, section := range sections {
			if err := t.write(section); err != nil {
				return err
			}
		}
	}
	p = newPrinter(t.o)
	if t.several() && !t.o.Quiet {
		t.untold(p)
		if t.told(t.refused) || t.told(t.accepted) {
			p.line("")
			p.line(p.bold(ruled("Summary", p.width)))
			p.summary(e.Report)
		}
		p.overview(e)
	}
	p.unmatched(e.Report.Unmatched)
	return t.write(p.out.String())
}

// told tells whether any section tells something.
func (t *textStream) told(sections []string) bool {
	return slices.ContainsFunc(sections, func(s string) bool { return s != "" })
}

// untold says what was left out among many objects, and how to see it.
func (t *textStream) untold(p *printer) {
	var left []string
	if t.untoldRefused > 0 {
		left = append(left, fmt.Sprintf("the details of %d more refusals", t.untoldRefused))
	}
	if t.untoldAccepted > 0 {
		left = append(left, fmt.Sprintf("the changes of %s", count(t.untoldAccepted, "accepted object")))
	}
	if t.unlisted > 0 {
		left = append(left, fmt.Sprintf("%s that would not change", count(t.unlisted, "object")))
	}
	if left == nil {
		return
	}
	p.line("")
	p.paragraph("", "Left out: "+strings.Join(left, ", ")+"; -v tells all, -o diff the changes, -o html=FILE everything to browse.")
}

// Refusals writes the verdicts of what was refused, with the server's
// messages, the caveats of all, and what else is known but not shown by the formats that show
// accepted objects only: their commentary.
func Refusals(w io.Writer, o Options) Stream {
	return &refusalTexts{o: o, texts: texts{sink: sink{w}, text: func(r report.Result) (string, error) {
		p := newPrinter(o)
		if r.Outcome.Refused() || len(inFront(r)) > 0 || report.Risky(r.Risks) {
			p.line(p.verdict(r))
			p.caveats(r, "  ")
			p.risks(r, "  ")
			p.serverMessage(r)
		}
		return p.out.String(), nil
	}}}
}

type refusalTexts struct {
	texts
	o Options
}

// End lists the live objects that no manifest names.
func (r *refusalTexts) End(e Ending) error {
	p := newPrinter(r.o)
	p.unmatched(e.Report.Unmatched)
	return r.write(p.out.String())
}
