package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/blame"
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
		parts = append(parts, count(h.inner, "map or item")+" owned together with fields inside")
	}
	if h.unowned > 0 {
		parts = append(parts, count(h.unowned, "field")+" without owner")
	}
	if parts != nil {
		p.line("")
		p.paragraph("", "Left out: "+strings.Join(parts, ", ")+". -v shows all.")
	}
}

func (p *ownersPrinter) ownerRows() (rows []ownerRow, hidden hiddenRows) {
	for _, f := range p.of.Rows() {
		switch {
		case !p.o.Verbose && !f.End && p.ownsInside(f):
			hidden.inner++
		case !p.o.Verbose && f.State == blame.Unowned && p.o.Filter.Empty():
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
func (p *ownersPrinter) ownsInside(f *blame.Field) bool {
	inside := map[int]bool{}
	for _, below := range f.Fields {
		below.Each(func(f *blame.Field) {
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

func (p *ownersPrinter) claimRows(f *blame.Field) []ownerRow {
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
func (p *ownersPrinter) note(f *blame.Field, c *blame.Claim) string {
	var notes []string
	if c != nil && p.of.Shared(f) {
		notes = append(notes, "shared")
	}
	if f.State == blame.Stale {
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
		cell := cut(r.cells[j], p.cellWidth(w, left))
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

// cellWidth keeps one long name from filling the line.
func (p *ownersPrinter) cellWidth(w, left int) int { return min(w, p.width-left-2) }

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

// managerTable shows a line for each entry, and below it the roots of what it
// owns.
func (p *ownersPrinter) managerTable() {
	rows := [][]string{{"MANAGER", "OPERATION", "FIELDS", "SHARED", "STALE", "LAST WRITE"}}
	var summaries []blame.Summary
	for _, s := range p.of.Summaries() {
		if len(s.Roots) == 0 && !p.o.Filter.Empty() {
			continue
		}
		e := p.of.Entries[s.Entry]
		rows = append(rows, []string{
			p.managerName(s.Entry), operation(e),
			fmt.Sprint(s.Fields), fmt.Sprint(s.Shared), fmt.Sprint(s.Stale), p.lastWrite(s.Entry),
		})
		summaries = append(summaries, s)
	}
	p.managerRows(rows, summaries)
}

func (p *ownersPrinter) managerRows(rows [][]string, summaries []blame.Summary) {
	widths := columnWidths(rows)
	total := 0
	for _, w := range widths {
		total += w + 2
	}
	widths[0] = max(min(widths[0], 8), widths[0]-max(0, total-2-p.width))
	for i, row := range rows {
		line := ""
		for j, cell := range row {
			cell = cut(cell, widths[j])
			space := strings.Repeat(" ", widths[j]-columns(cell))
			switch {
			case j == 0 && i > 0:
				line += p.colour(summaries[i-1].Entry)(cell) + space
			case j >= 2 && j <= 4:
				line += "  " + space + cell
			default:
				line += strings.Repeat(" ", min(j, 1)*2) + cell + space
			}
		}
		if i == 0 {
			p.line(p.bold(strings.TrimRight(line, " ")))
			continue
		}
		p.line(line)
		p.roots(summaries[i-1])
	}
}

// roots are what an entry owns, in short.
func (p *ownersPrinter) roots(s blame.Summary) {
	if len(s.Roots) == 0 {
		p.line("    nothing")
	}
	for _, root := range s.Roots {
		for i, part := range chop(visible(root), p.width-6) {
			p.line(strings.Repeat(" ", 4+2*min(i, 1)) + part)
		}
	}
	if v := p.otherVersion(p.of.Entries[s.Entry]); v != "" {
		p.line("    (" + v + ")")
	}
}

// lastWrite is the time of an entry, with its age where there is room.
func (p *ownersPrinter) lastWrite(entry int) string {
	e := p.of.Entries[entry]
	a := p.entryAge(e)
	if e.Time == nil || p.width < 72 || age(e.Time, p.o.Now) == "" {
		return a
	}
	return date(e.Time) + " (" + a + ")"
}
