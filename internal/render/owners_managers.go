package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// managerTable shows a line for each entry, and below it the roots of what it
// owns.
func (p *ownersPrinter) managerTable() {
	rows := [][]string{{"MANAGER", "OPERATION", "FIELDS", "SHARED", "STALE", "LAST WRITE"}}
	var summaries []owners.Summary
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
	if total(columnWidths(rows)) > p.width {
		rows[0][5] = "AGE"
		for i, s := range summaries {
			rows[i+1][5] = p.entryAge(p.of.Entries[s.Entry])
		}
	}
	p.managerRows(rows, summaries)
}

// total is the width of columns with two spaces between them.
func total(widths []int) int {
	sum := -2
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

func (p *ownersPrinter) managerRows(rows [][]string, summaries []owners.Summary) {
	widths := columnWidths(rows)
	widths[0] = max(min(widths[0], 8), widths[0]-max(0, total(widths)-p.width))
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
func (p *ownersPrinter) roots(s owners.Summary) {
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

// lastWrite is the time of an entry with its age.
func (p *ownersPrinter) lastWrite(entry int) string {
	e := p.of.Entries[entry]
	a := p.entryAge(e)
	if e.Time == nil || age(e.Time, p.o.Now) == "" {
		return a
	}
	return date(e.Time) + " (" + a + ")"
}
