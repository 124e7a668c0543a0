package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// shownDiff is how many lines of a diff are shown unless all are asked for.
const shownDiff = 40

// diff shows the changed lines from live to result. A new object is told by
// its fields, and shown in full only when asked for.
func (p *printer) diff(r report.Result) {
	if r.Outcome == report.Created && !p.o.Verbose {
		return
	}
	texts, err := Texts(r, p.o)
	if err != nil {
		p.err = err
		return
	}
	var lines []string
	for _, h := range texts.Hunks() {
		lines = append(lines, p.cyan(h.Header()))
		lines = append(lines, p.hunk(h.Lines)...)
	}
	if len(lines) == 0 {
		return
	}
	p.heading("Diff from live to result")
	for i, l := range lines {
		if i == shownDiff && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("… %d more lines; -v or -o diff shows all", len(lines)-i)))
			return
		}
		p.line(l)
	}
}

// hunk colours lines, and where as many lines come as go, the words in them.
func (p *printer) hunk(lines []textdiff.Line) []string {
	var out []string
	for i := 0; i < len(lines); {
		if lines[i].Kind == textdiff.Equal {
			out = append(out, " "+p.diffText(lines[i].Text, 1))
			i++
			continue
		}
		d, n := run(lines[i:], textdiff.Delete), 0
		n = run(lines[i+d:], textdiff.Insert)
		out = append(out, p.changedLines(lines[i:i+d], lines[i+d:i+d+n])...)
		i += d + n
	}
	return out
}

func run(lines []textdiff.Line, kind textdiff.Kind) int {
	n := 0
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return n
}

func (p *printer) changedLines(old, new []textdiff.Line) []string {
	var out, added []string
	for i := range old {
		if len(old) != len(new) {
			out = append(out, p.red("-"+p.diffText(old[i].Text, 1)))
			continue
		}
		before, after := p.words(p.diffText(old[i].Text, 1), p.diffText(new[i].Text, 1))
		out, added = append(out, p.red("-")+before), append(added, p.green("+")+after)
	}
	if len(old) == len(new) {
		return append(out, added...)
	}
	for _, l := range new {
		out = append(out, p.green("+"+p.diffText(l.Text, 1)))
	}
	return out
}

// words colours two lines so that what differs in them stands out.
func (p *printer) words(old, new string) (before, after string) {
	for _, e := range textdiff.Words(old, new) {
		switch e.Kind {
		case textdiff.Equal:
			before += p.red(e.Text)
			after += p.green(e.Text)
		case textdiff.Delete:
			before += p.redWord(e.Text)
		case textdiff.Insert:
			after += p.greenWord(e.Text)
		}
	}
	return before, after
}

// diffText is one line of YAML, safe to show, cut unless all is asked for.
func (p *printer) diffText(s string, used int) string {
	s = visible(strings.TrimSuffix(s, "\n"))
	if p.o.Verbose {
		return s
	}
	return cut(s, p.width-used)
}
