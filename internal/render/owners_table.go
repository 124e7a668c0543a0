package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// ownerRow is one owner of one field in the table.
type ownerRow struct {
	// field is empty for all owners but the first.
	field string
	entry int // -1 where nobody owns the field
	cells []string
}

// narrowField is the least width for the fields beside their owners.
const narrowField = 28

// fieldTable shows a line for each owner of each field. Unless all is asked
// for, unowned fields are left to the numbers above and to --unowned.
func (p *ownersPrinter) fieldTable() {
	rows, hidden := p.ownerRows()
	head := ownerRow{field: "FIELD", entry: -1, cells: []string{"MANAGER", "OPERATION", "AGE", "NOTE"}}
	widths := p.ownerWidths(append(rows, head))
	for i, row := range append([]ownerRow{head}, rows...) {
		p.ownerRow(row, widths, i == 0)
	}
	p.folded(hidden)
}

// hiddenRows counts what the table leaves out.
type hiddenRows struct{ inner, unowned int }

func (p *ownersPrinter) folded(h hiddenRows) {
	var parts []string
	if h.inner > 0 {
		parts = append(parts, counted(h.inner, "map or item", "maps and items")+" whose owners also own fields inside")
	}
	if h.unowned > 0 {
		parts = append(parts, count(h.unowned, "field")+" without owner")
	}
	if parts != nil {
		p.line("")
		p.paragraph("", "Left out: "+strings.Join(parts, ", ")+". -v shows all.")
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (p *ownersPrinter) ownerRows() (rows []ownerRow, hidden hiddenRows) {
	for _, f := range p.of.Rows() {
		switch {
		case !p.o.Verbose && !f.End && p.ownsInside(f):
			hidden.inner++
		case !p.o.Verbose && f.State == owners.Unowned && p.o.Filter.Empty():
			hidden.unowned++
		case len(f.Claims) == 0:
			rows = append(rows, ownerRow{field: visible(f.Name), entry: -1, cells: []string{"-", "", "", p.note(f, nil)}})
		default:
			rows = append(rows, p.claimRows(f)...)
		}
	}
	return rows, hidden
}

// ownsInside tells whether each owner of a map or item owns something in it:
// then the field itself says nothing new.
func (p *ownersPrinter) ownsInside(f *owners.Field) bool {
	inside := map[int]bool{}
	for _, below := range f.Fields {
		below.Each(func(f *owners.Field) {
			for _, c := range f.Claims {
				inside[c.Entry] = true
			}
		})
	}
	for _, c := range f.Claims {
		if !inside[c.Entry] {
			return false
		}
	}
	return true
}

func (p *ownersPrinter) claimRows(f *owners.Field) []ownerRow {
	var rows []ownerRow
	field := visible(f.Name)
	for _, c := range f.Claims {
		e := p.of.Entries[c.Entry]
		rows = append(rows, ownerRow{field: field, entry: c.Entry, cells: []string{
			p.managerName(c.Entry), operation(e), p.entryAge(e), p.note(f, &c),
		}})
		field = ""
	}
	return rows
}

// note says what is special about a field and a claim of it.
func (p *ownersPrinter) note(f *owners.Field, c *owners.Claim) string {
	var notes []string
	if c != nil && p.of.Shared(f) {
		notes = append(notes, "shared")
	}
	if f.State == owners.Stale {
		notes = append(notes, "stale")
	}
	if c != nil && c.Inside {
		notes = append(notes, "inside")
	}
	if f.Repeated {
		notes = append(notes, "repeated")
	}
	if c != nil {
		if v := p.otherVersion(p.of.Entries[c.Entry]); v != "" {
			notes = append(notes, v)
		}
	}
	return strings.Join(notes, ", ")
}

// ownerWidths are the widths of the field and the other columns. A first width
// of 0 puts the owners below their fields.
func (p *ownersPrinter) ownerWidths(rows []ownerRow) []int {
	var cells [][]string
	longest := 0
	for _, r := range rows {
		cells = append(cells, r.cells)
		longest = max(longest, columns(r.field))
	}
	widths := columnWidths(cells)
	if !anyNote(rows) {
		widths = widths[:3]
	}
	rest := 0
	for _, w := range widths {
		rest += w + 2
	}
	field := p.width - rest
	if field < min(longest, narrowField) {
		// One long name must not push the rest out of sight.
		for _, j := range []int{0, len(widths) - 1} {
			narrow := max(min(widths[j], 8), widths[j]-max(0, rest+2-p.width))
			rest -= widths[j] - narrow
			widths[j] = narrow
		}
		return append([]int{0}, widths...)
	}
	return append([]int{min(longest, field)}, widths...)
}

// anyNote leaves out the head, whose note is the name of the column.
func anyNote(rows []ownerRow) bool {
	for _, r := range rows {
		if r.field != "FIELD" && r.cells[3] != "" {
			return true
		}
	}
	return false
}

func (p *ownersPrinter) ownerRow(r ownerRow, widths []int, head bool) {
	left := widths[0]
	field := r.field
	if field != "" && columns(field) > left {
		p.fieldLine(field, head)
		field = ""
	}
	if left == 0 {
		left = 2
	}
	line := pad(field, left)
	for j, w := range widths[1:] {
		cell := cut(r.cells[j], w)
		space := strings.Repeat(" ", max(0, w-columns(cell)))
		if j == 0 && r.entry >= 0 {
			cell = p.colour(r.entry)(cell)
		}
		line += "  " + cell + space
	}
	if head {
		line = p.bold(strings.TrimRight(line, " "))
	}
	p.line(line)
}

// fieldLine is a field with its owners below. One that is longer than the line
// goes on in the next.
func (p *ownersPrinter) fieldLine(field string, head bool) {
	for i, part := range chop(field, p.width-2) {
		if i > 0 {
			part = "  " + part
		}
		if head {
			part = p.bold(part)
		}
		p.line(part)
	}
}

// chop cuts a visible text into pieces of at most limit columns; an empty one
// is one piece.
func chop(s string, limit int) []string {
	var out []string
	var piece strings.Builder
	used := 0
	for _, r := range s {
		if n := runeColumns(r); used+n > limit && used > 0 {
			out = append(out, piece.String())
			piece.Reset()
			used = 0
		}
		piece.WriteRune(r)
		used += runeColumns(r)
	}
	return append(out, piece.String())
}
