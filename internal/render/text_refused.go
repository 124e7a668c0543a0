package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// shownFaults is how many fields are told in full, of those that conflict or are
// wrong, unless all are asked for.
const shownFaults = 10

// conflicts tells each conflicting field: both values, and who holds it.
func (p *printer) conflicts(r report.Result) {
	fields := 0
	for i := 0; i < len(r.Conflicts); {
		j := i
		for j < len(r.Conflicts) && r.Conflicts[j].Field == r.Conflicts[i].Field {
			j++
		}
		if fields == shownFaults && !p.o.Verbose {
			p.line("")
			p.line(p.faint(fmt.Sprintf("%s more; -v shows all", count(fieldsOf(r.Conflicts[i:]), "field"))))
			return
		}
		p.conflict(r, r.Conflicts[i:j])
		fields++
		i = j
	}
}

func (p *printer) conflict(r report.Result, holders []report.Conflict) {
	c := holders[0]
	p.line("")
	p.fieldLine(c.Field, c.Source)
	p.line("  yours    " + p.green(p.value(c.Applied, c.AppliedMissing)))
	p.line("  live     " + p.red(p.value(c.Live, c.LiveMissing)))
	if onlySpelling(r, c) {
		p.paragraph("           ", "no difference in the object: the server stores yours as the live value")
	}
	for _, h := range holders {
		p.paragraph("  held by  ", writer(h.Writer)+", "+since(h.Time, p.o.Now))
		p.paragraph("           ", characterText(explain.CharacterOf(h.Writer, r.Manager)))
	}
}

// fieldLine names a field, and where the manifest asks for it.
func (p *printer) fieldLine(field string, source *report.Source) {
	at := place(source)
	field = cut(visible(field), p.width)
	if at == "" {
		p.line(p.bold(field))
	} else if columns(field)+2+columns(at) <= p.width {
		p.line(p.bold(field) + "  " + p.faint(at))
	} else {
		p.line(p.bold(field))
		p.line("  asked in " + p.faint(at))
	}
}

// onlySpelling tells whether force would leave the field as it is.
func onlySpelling(r report.Result, c report.Conflict) bool {
	if r.Forced == nil || r.Forced.Outcome.Refused() || strings.HasPrefix(c.Field, ".stringData") {
		return false
	}
	for _, change := range r.Forced.Changes {
		if below(change.Field, c.Field) || below(c.Field, change.Field) {
			return false
		}
	}
	return true
}

// below tells whether field is parent or in it.
func below(field, parent string) bool {
	rest, ok := strings.CutPrefix(field, parent)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func (p *printer) value(v any, missing bool) string {
	if missing {
		return "(not set)"
	}
	return cut(scalar(v), p.width-11)
}

// causes lists what is wrong field by field, with its line, where the message
// alone says less.
func (p *printer) causes(list []report.Cause) {
	if len(list) == 1 && list[0].Source == nil {
		return
	}
	for i, c := range list {
		p.line("")
		if i == shownFaults && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("%s more; -v shows all", count(len(list)-i, "field"))))
			return
		}
		switch {
		case c.Field != "":
			p.fieldLine(c.Field, c.Source)
		case c.Source != nil:
			p.line(p.faint(place(c.Source)))
		}
		text := faultText(c)
		if p.o.Verbose {
			text = words.Fault(firstLine(c.Message), c)
		}
		p.paragraph("  ", text)
	}
}

// serverAnswer gives the API server's message word for word and unwrapped:
// it is what people search for.
func (p *printer) serverAnswer(r report.Result) {
	if r.Status == nil {
		p.moreError(r)
		return
	}
	p.heading(fmt.Sprintf("The API server would answer %s", strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, reason(r)))))
	p.serverMessage(r)
}

func (p *printer) serverMessage(r report.Result) {
	if r.Status == nil {
		return
	}
	text, whole := shortAnswer(r, p.o)
	p.line(text)
	if !whole {
		p.line(p.faint("cut; -v shows all"))
	}
}

// moreError gives the lines of an error that the verdict had no room for.
func (p *printer) moreError(r report.Result) {
	if _, rest, ok := strings.Cut(r.Error, "\n"); ok {
		p.line(visibleLines(rest))
	}
}

func reason(r report.Result) string {
	if r.Status == nil {
		return ""
	}
	return visible(r.Status.Reason)
}

// forced tells what the same apply would do with force.
func (p *printer) forced(r report.Result) {
	if r.Forced == nil {
		return
	}
	if r.Forced.Outcome.Refused() {
		p.heading("With --force-conflicts it would still be refused")
		p.causes(r.Forced.Causes)
		if len(r.Forced.Causes) > 0 {
			p.line("")
		}
		if r.Forced.Status != nil {
			p.line(visibleLines(r.Forced.Status.Message))
		}
		return
	}
	p.heading("With --force-conflicts it would be " + strings.ToLower(string(r.Forced.Outcome)))
	p.changeLines(r.Forced.Changes)
	p.transferLines(r.Forced.Transfers, report.Overridden)
}

// waysOut is short: what to do with the manifest, and where more is told.
func (p *printer) waysOut(r report.Result) {
	p.heading("Ways out")
	p.paragraph("  give up  ", "remove the field from the manifest; the live value stays")
	p.paragraph("  share    ", "write the live value into the manifest")
	p.paragraph("  take     ", "--force-conflicts; who held it may set it back")
	p.line("")
	p.line("Each of them simulated:")
	p.line("  " + p.cyan(explainCommand(r, p.o)))
}

// explainCommand is the command to type next. Arguments that a shell would
// take apart are quoted, and the line is never broken, so that it can be copied.
func explainCommand(r report.Result, o Options) string {
	live := o.LiveFile
	if r.LiveSource != nil && live == "" {
		live = r.LiveSource.File
	}
	words := []string{"ssactl explain"}
	if r.Source.File != "" && !o.Built {
		words = append(words, "-f "+shell.Quote(r.Source.File))
	}
	if live != "" {
		words = append(words, "--live "+shell.Quote(live))
	}
	for _, word := range o.Repeated {
		words = append(words, shell.Quote(word))
	}
	if r.Target.Subresource != "" {
		words = append(words, "--subresource "+shell.Quote(r.Target.Subresource))
	}
	return visible(strings.Join(append(words, "--field-manager "+shell.Quote(r.Manager)), " "))
}
