package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// shownLines is how many lines of a section are shown unless all are asked
// for.
const shownLines = 12

var signs = map[report.ChangeKind]string{report.Added: "+", report.Modified: "~", report.Removed: "-"}

// changes tells what an accepted write does to the live object, and why. A
// new object is all changes, so that only their number is told.
func (p *printer) changes(r report.Result) {
	if only := entriesOnly(r); only != "" {
		p.line("")
		p.paragraph("", only)
	}
	if len(r.Changes) == 0 {
		return
	}
	if r.Outcome == report.Created && !p.o.Verbose {
		p.line("")
		p.paragraph("", createdGist(r.Changes))
		return
	}
	p.heading("Changes")
	p.changeLines(r.Changes)
}

func createdGist(changes []report.Change) string {
	applied := 0
	for _, c := range changes {
		if c.Reason == report.ReasonApplied {
			applied++
		}
	}
	s := count(applied, "field") + " applied"
	if rest := len(changes) - applied; rest > 0 {
		s += fmt.Sprintf(", %d more set by the server", rest)
	}
	return s + " (-v shows them, -o yaml the object)"
}

func (p *printer) changeLines(changes []report.Change) {
	for i, c := range changes {
		if i == shownLines && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("  … %d more; -v shows all", len(changes)-i)))
			return
		}
		p.change(c)
	}
}

// change puts everything on one line where it fits, else the values and the
// reason on lines of their own.
func (p *printer) change(c report.Change) {
	paint := map[report.ChangeKind]style{report.Added: p.green, report.Modified: p.yellow, report.Removed: p.red}[c.Kind]
	if paint == nil {
		paint = p.bold
	}
	field, values, why := visible(c.Field), changeValues(c, p.width-6), because(c)
	head := "  " + signs[c.Kind] + " " + cut(field, p.width-4)
	if columns(head)+2+columns(values)+2+columns(why) <= p.width {
		p.line(paint(head) + "  " + values + "  " + p.faint(why))
		return
	}
	p.line(paint(head))
	if columns(values)+columns(why)+8 <= p.width {
		p.line("      " + values + "  " + p.faint(why))
		return
	}
	p.line("      " + values)
	p.line("      " + p.faint(cut(why, p.width-6)))
}

func changeValues(c report.Change, limit int) string {
	switch c.Kind {
	case report.Added:
		return cut(scalar(c.After), limit)
	case report.Removed:
		return "was " + cut(scalar(c.Before), limit-4)
	}
	half := (limit - 4) / 2
	return cut(scalar(c.Before), half) + " -> " + cut(scalar(c.After), half)
}

// because is the reason of a change in words.
func because(c report.Change) string {
	s := map[report.Reason]string{
		report.ReasonApplied:    "applied",
		report.ReasonUnowned:    "no longer applied, nobody else owns it",
		report.ReasonDefaulted:  "default filled in by the server",
		report.ReasonNormalised: "stored in another spelling",
		report.ReasonAdmission:  "set by admission",
		report.ReasonStrategy:   "side effect in the server",
	}[c.Reason]
	if s == "" {
		s = visible(string(c.Reason))
	}
	if c.Detail != "" {
		s += " (" + visible(c.Detail) + ")"
	}
	if at := place(c.Source); at != "" {
		s += ", " + at
	}
	return s
}

// transfers tells who wins and loses which fields by the write.
func (p *printer) transfers(r report.Result) {
	if len(r.Transfers) == 0 {
		return
	}
	if r.Outcome == report.Created && !p.o.Verbose {
		return
	}
	p.heading("Ownership changes")
	p.transferLines(r.Transfers, report.Acquired, report.Shared, report.Overridden, report.Relinquished, report.TransferRemoved)
}

// transferLines groups transfers of some kinds by who is concerned.
func (p *printer) transferLines(transfers []report.Transfer, kinds ...report.TransferKind) {
	for _, kind := range kinds {
		var order []string
		fields := map[string][]string{}
		for _, t := range transfers {
			if t.Kind != kind {
				continue
			}
			who := transferWho(t) + " " + transferVerb(t)
			if fields[who] == nil {
				order = append(order, who)
			}
			fields[who] = append(fields[who], visible(t.Field))
		}
		for _, who := range order {
			p.transferGroup(visible(who), fields[who])
		}
	}
}

func transferWho(t report.Transfer) string {
	if t.Subresource == "" {
		return fmt.Sprintf("%s (%s)", t.Manager, t.Operation)
	}
	return fmt.Sprintf("%s (%s of %s)", t.Manager, t.Operation, t.Subresource)
}

// transferVerb says what becomes of a field for its manager.
func transferVerb(t report.Transfer) string {
	switch {
	case t.Kind == report.Acquired:
		return "takes ownership"
	case t.Kind == report.Shared:
		return "shares ownership"
	case t.Kind == report.Overridden && t.Cause == report.ByUpdate:
		return "is overwritten by an update"
	case t.Kind == report.Overridden:
		return "loses ownership"
	case t.Kind == report.Relinquished && t.ValueChanged:
		return "stops managing, the value changes"
	case t.Kind == report.Relinquished:
		return "stops managing, the field stays"
	case t.Kind == report.TransferRemoved:
		return "loses ownership, field removed"
	}
	return strings.ToLower(string(t.Kind))
}

func (p *printer) transferGroup(title string, fields []string) {
	if len(fields) == 1 && columns(title)+columns(fields[0])+4 <= p.width {
		p.line("  " + title + ": " + fields[0])
		return
	}
	p.line("  " + title + ":")
	for i, f := range fields {
		if i == shownLines && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("    … %d more; -v shows all", len(fields)-i)))
			return
		}
		p.line("    " + cut(f, p.width-4))
	}
}
