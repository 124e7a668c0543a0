package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/report"
)

// clearing tells one object.
func (p *printer) clearing(c clear.Clearing) {
	p.line(p.bold(objectName(c.Target)) + where(c.Target) + ": " + p.clearGist(c))
	if c.Outcome.Refused() {
		p.paragraph("  ", c.Message)
	}
	if p.o.Quiet {
		return
	}
	p.entries("Cleared", c.Cleared, "field")
	p.entries("Shortened by the paths that the object does not have", c.Pruned, "path")
	p.entries("Left, though of the kind that was asked for", c.Spared, "field")
	if c.Patch != nil && !c.Outcome.Refused() {
		p.losses(c)
		p.nexts(c)
	}
	p.clearWith(c)
	p.listed("Remarks", c.Findings)
	if c.Command != "" && !c.Outcome.Refused() {
		p.heading("To do it")
		p.line("  " + p.cyan(visible(c.Command)))
	}
}

func (p *printer) clearGist(c clear.Clearing) string {
	switch {
	case c.Outcome == report.Failed:
		return p.red("no answer")
	case c.Outcome.Refused():
		return p.red(fmt.Sprintf("the server would refuse (%d)", c.Code))
	case c.Patch == nil:
		return "nothing to clear"
	case c.Whole && c.Entries == 0:
		return p.yellow("managedFields, which cannot be read, cleared")
	case c.Whole && c.Entries == 1:
		return p.yellow("its only managed fields entry cleared") + ", " + ownerlessText(len(c.Ownerless))
	case c.Whole:
		return p.yellow("all "+entriesText(c.Entries)+" cleared") + ", " + ownerlessText(len(c.Ownerless))
	case len(c.Cleared) == 0:
		return p.yellow(entriesText(len(c.Pruned)) + " shortened")
	}
	text := fmt.Sprintf("%d of %s cleared", len(c.Cleared), entriesText(c.Entries))
	if len(c.Pruned) > 0 {
		text += fmt.Sprintf(", %d shortened", len(c.Pruned))
	}
	return p.yellow(text) + ", " + ownerlessText(len(c.Ownerless))
}

func entriesText(n int) string {
	if n == 1 {
		return "1 managed fields entry"
	}
	return fmt.Sprintf("%d managed fields entries", n)
}

func ownerlessText(n int) string {
	if n == 0 {
		return "no field is without an owner then"
	}
	return count(n, "field") + " without an owner then"
}

func (p *printer) entries(title string, list []clear.Entry, noun string) {
	if len(list) == 0 {
		return
	}
	p.heading(title)
	for _, e := range list {
		p.paragraph("  ", writer(e.Writer)+", "+since(e.Time, p.o.Now)+": "+count(e.Fields, noun))
		for _, text := range []string{e.Who, e.Why} {
			if text != "" {
				p.paragraph("      ", text)
			}
		}
	}
}

// losses tells what the fields of the cleared entries come to.
func (p *printer) losses(c clear.Clearing) {
	if len(c.Cleared) == 0 {
		return
	}
	p.heading("What is lost")
	if len(c.Ownerless) > 0 {
		p.paragraph("  ", count(len(c.Ownerless), "field")+" without an owner: the values stay, anybody may set them, and no apply removes them by leaving them out")
		p.fieldList(c.Ownerless)
	} else {
		p.paragraph("  ", "No field is left without an owner.")
	}
	if n := len(c.Remaining); n > 0 {
		p.paragraph("  ", count(n, "field")+" still owned by others")
		for i, f := range c.Remaining {
			if p.folded(i, n) {
				return
			}
			p.paragraph("    ", f.Field+"  "+holderNames(f.Managers))
		}
	}
}

// fieldList is a line a field, folded.
func (p *printer) fieldList(fields []string) {
	for i, f := range fields {
		if p.folded(i, len(fields)) {
			return
		}
		p.line("    " + cut(visible(f), p.width-4))
	}
}

// folded tells that a list ends here, and says so in its place.
func (p *printer) folded(i, all int) bool {
	if i < shownLines || p.o.Verbose || all == shownLines+1 {
		return false
	}
	p.line(p.faint(fmt.Sprintf("    … %d more; -v shows all", all-i)))
	return true
}

// nexts tells what the next applies come to.
func (p *printer) nexts(c clear.Clearing) {
	if len(c.Next) == 0 {
		return
	}
	p.heading("What the next applies do (simulated)")
	for _, n := range c.Next {
		who := writer(n.Writer)
		if n.New {
			who = "Any manager that applies for the first time"
		}
		p.paragraph("  ", who)
		for _, text := range nextTexts(n) {
			p.paragraph("    - ", text)
		}
	}
}

// nextTexts are sentences on one manager's next apply.
func nextTexts(n clear.Next) []string {
	if n.Unknown != "" {
		return []string{"It cannot be told what it applied: " + n.Unknown + "."}
	}
	var out []string
	switch {
	case n.New && len(n.Shares) > 0:
		return []string{fmt.Sprintf("Applying the live values, it is accepted, and shares them with %s, which the server makes up for whatever the object has: from then on other values conflict with it, and what is left out stays.", strings.Join(n.Shares, " and "))}
	case n.Outcome == report.Conflicted:
		out = append(out, fmt.Sprintf("Applied again unchanged, its configuration is refused with a conflict with %s.", strings.Join(n.With, " and ")))
	case n.Outcome.Refused():
		out = append(out, fmt.Sprintf("Applied again unchanged, its configuration is refused (%d): %s", n.Code, n.Message))
	case len(n.Shares) > 0:
		out = append(out, fmt.Sprintf("Applied again unchanged, its configuration is accepted, but from then on it shares its fields with %s, which the server makes up for whatever the object has.", strings.Join(n.Shares, " and ")))
	case n.Cleared:
		out = append(out, "Applied again unchanged, its configuration is accepted, and it owns its fields again.")
	default:
		out = append(out, "Applied again unchanged, its configuration is accepted, and nothing changes.")
	}
	for i, probe := range n.Probes {
		switch {
		case i > 0 && probe.Kind == clear.DropLater && probe.After == n.Probes[i-1].After:
		case probe.Before != probe.After || probe.Kind == clear.DropNext:
			out = append(out, probeText(probe))
		}
	}
	return out
}

// probeText tells what becomes of the field, with clearing and without.
func probeText(b clear.Probe) string {
	what := map[clear.ProbeKind]string{
		clear.DropNext:    "If its next apply leaves %s out, the field %s",
		clear.DropLater:   "If it applies %s again first, and leaves it out later, the field %s",
		clear.ChangeLater: "If it applies %s again first, and another value later, the apply %s",
	}[b.Kind]
	text := fmt.Sprintf(what, b.Field, fateText(b.Kind, b.After, b.With))
	if b.Before == b.After {
		return text + ", as it would without clearing."
	}
	return text + "; without clearing, it " + fateText(b.Kind, b.Before, nil) + "."
}

func fateText(kind clear.ProbeKind, f clear.Fate, with []string) string {
	if kind == clear.ChangeLater {
		switch f {
		case clear.Conflicted:
			return strings.TrimSpace("conflicts " + withText(with))
		case clear.Refused:
			return "conflicts with nobody"
		}
		return "is accepted"
	}
	switch f {
	case clear.Removed:
		return "is removed"
	case clear.Changed:
		return "goes back to the server's default"
	case clear.Conflicted:
		return strings.TrimSpace("stays, as the apply conflicts " + withText(with))
	case clear.Refused:
		return "stays, as the apply is refused"
	}
	return "stays as it is"
}

func withText(managers []string) string {
	if len(managers) == 0 {
		return "with other managers"
	}
	return "with " + strings.Join(managers, " and ")
}

// clearWith tells the apply of a real manifest.
func (p *printer) clearWith(c clear.Clearing) {
	if c.With == nil {
		return
	}
	p.heading("The apply of " + visible(fileOrStdin(c.With.Source.File)) + " by " + visible(c.With.Manager) + " (simulated)")
	p.answer("  without clearing  ", c.With.Before)
	p.answer("  after clearing    ", c.With.After)
}

func (p *printer) answer(prefix string, a clear.Answer) {
	text := strings.ToLower(string(a.Outcome))
	switch {
	case a.Outcome.Refused() && a.Outcome != report.Conflicted:
		text += ": " + a.Message
	case a.Outcome == report.Configured && len(a.Changes) == 0:
		text += ": only ownership changes"
	case a.Outcome == report.Configured:
		text += ": " + count(len(a.Changes), "change")
	}
	p.paragraph(prefix, text)
	indent := strings.Repeat(" ", len(prefix))
	for i, conflict := range a.Conflicts {
		if p.folded(i, len(a.Conflicts)) {
			break
		}
		p.paragraph(indent, conflict.Field+", held by "+conflict.Manager)
	}
	for i, c := range a.Changes {
		if p.folded(i, len(a.Changes)) {
			break
		}
		p.line(indent + signs[c.Kind] + " " + cut(visible(c.Field), p.width-len(indent)-2))
	}
}
