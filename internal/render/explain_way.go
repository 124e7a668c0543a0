package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// wayColumn is where the text of a way begins.
const wayColumn = 15

func wayName(k explain.WayKind) string {
	switch k {
	case explain.TakeOver:
		return "Take over"
	case explain.GiveUp:
		return "Give up"
	case explain.Share:
		return "Share"
	}
	return "None"
}

// way is one way out: what comes of it, how the manifest changes, and who has
// something against it.
func (p *printer) way(w explain.Way, s explain.Story) {
	p.wayGist(w, wayText(w, s))
	if w.Impossible != "" {
		return
	}
	p.wayRefusal(w)
	p.wayChanges(w, s)
	if taken := takenFrom(w); taken != "" && w.Kind == explain.TakeOver {
		p.wayLine("takes it from " + taken)
	}
	for _, r := range w.Rivals {
		p.wayLine(r.Says)
	}
	p.wayEdit(w)
}

// wayGist is the first line of a way.
func (p *printer) wayGist(w explain.Way, text string) {
	name := pad(wayName(w.Kind), wayColumn-4)
	lines := wrap(visible(text), p.width-wayColumn)
	p.line("  " + p.bold(name) + "  " + lines[0])
	for _, l := range lines[1:] {
		p.line(strings.Repeat(" ", wayColumn) + l)
	}
}

func (p *printer) wayLine(text string) {
	p.paragraph(strings.Repeat(" ", wayColumn), text)
}

func (p *printer) wayRefusal(w explain.Way) {
	if w.Outcome.Refused() && w.Message != "" {
		p.wayLine(w.Message)
	}
}

// wayOutcome is the verdict on a way for all fields.
func wayOutcome(w explain.Way) string {
	switch {
	case w.Impossible != "":
		return "no way: " + w.Impossible
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	case len(w.Changes) > 0:
		return "accepted; " + count(len(w.Changes), "field") + " of the live object would change"
	case w.Kind == explain.GiveUp:
		return "accepted; the live values stay"
	}
	return "accepted; the live object keeps the values"
}

// wayText is the verdict on a way for one field.
func wayText(w explain.Way, s explain.Story) string {
	switch {
	case w.Impossible != "":
		return "no way: " + w.Impossible
	case w.Outcome == report.Conflicted:
		return "refused (409): still a conflict"
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	}
	switch w.Kind {
	case explain.TakeOver:
		if !s.Difference.Changes() {
			return "accepted; the stored value stays as it is"
		}
		return "accepted; your value is stored"
	case explain.GiveUp:
		return gaveUp(w)
	}
	if w.Write != nil && w.Edit == nil {
		return "accepted; write " + cut(scalar(w.Write.Value), 60)
	}
	return "accepted; write the live value"
}

// gaveUp tells what becomes of the value when nobody of yours asks for it.
func gaveUp(w explain.Way) string {
	switch {
	case w.After == nil || w.After.Missing && len(w.Changes) == 0:
		return "accepted; nothing changes in the live object"
	case w.After.Missing:
		return "accepted; the field is removed"
	case len(w.Changes) > 0:
		return "accepted; the field becomes " + cut(scalar(w.After.Value), 40)
	}
	return "accepted; the live value stays"
}

// wayChanges lists what changes beside the field itself, or of it.
func (p *printer) wayChanges(w explain.Way, s explain.Story) {
	for i, c := range w.Changes {
		if i == shownLines && !p.o.Verbose {
			p.wayLine(fmt.Sprintf("… %d more; -v shows all", len(w.Changes)-i))
			return
		}
		limit := p.width - wayColumn - 2
		values := changeValues(c, limit)
		head := signs[c.Kind] + " " + cut(visible(c.Field), limit)
		if columns(head)+2+columns(values) <= p.width-wayColumn {
			p.line(strings.Repeat(" ", wayColumn) + head + "  " + values)
			continue
		}
		p.line(strings.Repeat(" ", wayColumn) + head)
		p.line(strings.Repeat(" ", wayColumn+2) + values)
	}
}

// takenFrom names who loses a field by a way.
func takenFrom(w explain.Way) string {
	var names []string
	seen := map[string]bool{}
	for _, t := range w.Transfers {
		if who := transferWho(t); t.Kind == report.Overridden && !seen[who] {
			seen[who] = true
			names = append(names, who)
		}
	}
	return strings.Join(names, ", ")
}

// shownEdit is how many lines of an edit are shown unless all are asked for.
const shownEdit = 8

// wayEdit shows how the manifest changes.
func (p *printer) wayEdit(w explain.Way) {
	if w.NotEdited != "" {
		p.wayLine("manifest: " + w.NotEdited)
	}
	if w.Edit == nil {
		return
	}
	indent := strings.Repeat(" ", wayColumn)
	p.line(indent + p.faint(place(&report.Source{File: w.Edit.File, Line: w.Edit.Line})))
	p.editLines(indent, "-", w.Edit.Removed, p.red)
	p.editLines(indent, "+", w.Edit.Added, p.green)
}

func (p *printer) editLines(indent, sign string, lines []string, paint style) {
	for i, l := range lines {
		if i == shownEdit && !p.o.Verbose && len(lines) > shownEdit+1 {
			p.line(indent + p.faint(fmt.Sprintf("%s … %d more lines", sign, len(lines)-i)))
			return
		}
		p.line(indent + paint(sign+" "+cut(visible(strings.TrimRight(l, "\r")), p.width-wayColumn-2)))
	}
}

// wayCommand is the command that takes the way.
func wayCommand(e explain.Explanation, s explain.Story, o Options) string {
	command := explainCommand(resultOf(e), o)
	switch s.Recommended {
	case explain.TakeOver:
		return strings.Replace(command, "ssactl explain", "ssactl apply", 1) + " --force-conflicts"
	case explain.Share:
		return strings.Replace(command, "ssactl explain", "ssactl resolve", 1) + " --share " + visible(shell.Quote(manifestField(s)))
	}
	return strings.Replace(command, "ssactl explain", "ssactl resolve", 1) + " --give-up " + visible(shell.Quote(manifestField(s)))
}

// allCommand takes the way that is recommended for all fields; empty where
// they differ.
func allCommand(e explain.Explanation, o Options) string {
	if !agreed(e.Stories) {
		return ""
	}
	command := explainCommand(resultOf(e), o)
	resolve := strings.Replace(command, "ssactl explain", "ssactl resolve", 1)
	switch e.Stories[0].Recommended {
	case explain.TakeOver:
		return wayCommand(e, e.Stories[0], o)
	case explain.GiveUp:
		return resolve + " --all-give-up"
	case explain.Share:
		return resolve + " --all-share"
	}
	return ""
}

// manifestField is the field as the manifest has it.
func manifestField(s explain.Story) string {
	if s.AskedAs != "" {
		return s.AskedAs
	}
	return s.Field
}
