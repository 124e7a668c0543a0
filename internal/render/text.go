package render

import (
	"io"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Problems writes a line for each input that could not be read: commentary,
// whatever the format of the answer.
func Problems(w io.Writer, problems []report.Problem, o Options) error {
	p := newPrinter(o)
	p.problems(problems)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// printer collects the lines of the text format.
type printer struct {
	palette
	o     Options
	width int
	out   *strings.Builder
	err   error
}

// minWidth keeps columns apart on terminals that tell a nonsensical width.
const minWidth = 40

func newPrinter(o Options) *printer {
	width := o.Width
	if width <= 0 {
		width = 80
	}
	return &printer{palette: newPalette(o.Color), o: o, width: max(width, minWidth), out: &strings.Builder{}}
}

func (p *printer) line(s string) {
	p.out.WriteString(strings.TrimRight(s, " ") + "\n")
}

// heading starts a section.
func (p *printer) heading(s string) {
	p.line("")
	p.styled(p.bold(s))
}

// styled breaks a line at spaces where it is too long, colours and all; what
// follows hangs. A number stays with what it counts.
func (p *printer) styled(s string) {
	const hang = "    "
	line, used := "", 0
	words := strings.Split(s, " ")
	for i := 0; i < len(words); i++ {
		word, first := words[i], i == 0
		if _, err := strconv.Atoi(unpainted(word)); err == nil && i+1 < len(words) {
			i++
			word += " " + words[i]
		}
		n := columns(unpainted(word))
		switch {
		case n > 0 && used+1+n > p.width && strings.TrimSpace(line) != "":
			p.line(line)
			line, used = hang, len(hang)
		case !first:
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	p.line(line)
}

// paragraph wraps a text at an indentation; lines after the first hang under
// the text that follows the first prefix.
func (p *printer) paragraph(prefix, text string) {
	indent := strings.Repeat(" ", columns(prefix))
	for i, l := range wrap(visible(text), p.width-columns(prefix)) {
		if i > 0 {
			prefix = indent
		}
		p.line(prefix + l)
	}
}

// section gives the details of an object under its name; empty where there are
// none.
func (p *printer) section(r report.Result) string {
	whole := p.out
	defer func() { p.out = whole }()
	p.out = &strings.Builder{}
	p.detail(r, true)
	if p.o.Verbose {
		// Those of all objects are told once, at the end.
		p.confidence(r)
	}
	body := p.out.String()
	if body == "" {
		return ""
	}
	p.out = &strings.Builder{}
	p.line("")
	p.rule(r)
	return p.out.String() + body
}

// rule is the line above what is told of one object.
func (p *printer) rule(r report.Result) {
	p.line(p.bold(ruled(objectName(r.Target)+where(r.Target), p.width)))
}

// detail tells one object. Among several, one that stays as it is has nothing
// to tell.
func (p *printer) detail(r report.Result, several bool) {
	if r.Outcome.Refused() {
		p.warnings(nil, r.Notices)
	}
	switch {
	case r.Outcome == report.Conflicted:
		p.conflicts(r)
		p.serverAnswer(r)
		if !r.Confidence.Has(report.RuleNoManagedFields) {
			p.forced(r)
			p.waysOut(r)
		}
	case r.Outcome.Refused():
		p.causes(r.Causes)
		p.serverAnswer(r)
	default:
		p.warnings(r.Warnings, r.Notices)
		p.changes(r)
		p.transfers(r)
	}
	if p.o.Verbose || r.Outcome == report.Configured || r.Outcome == report.Unchanged && !several {
		p.ownership(r)
	}
	if r.Outcome.Refused() {
		p.warnings(r.Warnings, nil)
	} else {
		p.diff(r)
	}
}

// warnings are the server's, word for word, and notices on what is odd about the
// input.
func (p *printer) warnings(warnings, notices []string) {
	if len(warnings)+len(notices) > 0 {
		p.line("")
	}
	for _, s := range warnings {
		p.line(p.yellow("Warning:") + " " + visible(s))
	}
	for _, s := range notices {
		p.paragraph("Notice: ", s)
	}
}

// confidence names what was not simulated; what cannot change the verdict is
// told with -v only.
func (p *printer) confidence(r report.Result) {
	reasons := behind(r.Confidence.Doubts())
	if p.o.Verbose {
		reasons = behind(r.Confidence.Reasons)
	}
	if len(reasons) == 0 {
		return
	}
	p.heading("Not simulated")
	for _, s := range report.Sentences(reasons) {
		p.paragraph("  - ", s)
	}
}

func ruled(title string, width int) string {
	title = "── " + title + " "
	return title + strings.Repeat("─", max(0, width-columns(title)))
}
