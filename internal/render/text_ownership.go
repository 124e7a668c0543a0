package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// ownership is the table of owned fields. Folded, it keeps the fields that
// several share or that the write concerns.
func (p *printer) ownership(r report.Result) {
	rows := r.Ownership
	if len(rows) == 0 || r.Outcome == report.Created && !p.o.Verbose {
		return
	}
	if len(rows) > shownLines && !p.o.Verbose {
		rows = relevant(r)
	}
	title := "Owners after this write"
	if r.Outcome.Refused() {
		title = "Owners of the live object"
	}
	p.heading(title + folded(len(rows), len(r.Ownership)))
	p.table(rows)
}

func folded(shown, all int) string {
	if shown == all {
		return ""
	}
	return fmt.Sprintf(" (%d of %d fields; -v or ssactl owners shows all)", shown, all)
}

// relevant keeps the fields that are shared or concerned by the write, up to
// the limit of a section.
func relevant(r report.Result) []report.FieldOwners {
	concerned := map[string]bool{}
	for _, t := range r.Transfers {
		concerned[t.Field] = true
	}
	for _, c := range r.Changes {
		concerned[c.Field] = true
	}
	var out []report.FieldOwners
	for _, row := range r.Ownership {
		if len(out) < shownLines && (len(row.Managers) > 1 || concerned[row.Field]) {
			out = append(out, row)
		}
	}
	return out
}

// table aligns fields and owners where the terminal is wide enough, and puts
// the owners below their field where it is not.
func (p *printer) table(rows []report.FieldOwners) {
	longest := 0
	for _, row := range rows {
		longest = max(longest, columns(visible(row.Field)))
	}
	column := min(longest, p.width*3/5)
	for _, row := range rows {
		p.owners(cut(visible(row.Field), p.width-2), column, row.Managers)
	}
}

// owners goes below the field when one of the two does not fit beside the
// other.
func (p *printer) owners(field string, column int, managers []report.Writer) {
	names := ownerNames(managers, p.o)
	below := columns(field) > column
	for _, who := range names {
		below = below || columns(who) > p.width-column-4
	}
	left := "  " + pad(field, column) + "  "
	if below {
		p.line("  " + field)
		left = "      "
	}
	for _, who := range names {
		p.line(left + cut(who, p.width-columns(left)))
		left = strings.Repeat(" ", columns(left))
	}
}

func ownerNames(managers []report.Writer, o Options) []string {
	names := make([]string, len(managers))
	for i, m := range managers {
		names[i] = visible(m.Manager + " (" + ownerRole(m, o) + ")")
		if len(managers) > 1 {
			names[i] += ", shared"
		}
	}
	return names
}

func ownerRole(w report.Writer, o Options) string {
	role := w.Operation
	if w.Subresource != "" {
		role += " of " + w.Subresource
	}
	if a := age(w.Time, o.Now); a != "" {
		return role + ", " + a
	}
	if w.Time != nil {
		return role + ", " + w.Time.UTC().Format("2006-01-02")
	}
	return role
}
