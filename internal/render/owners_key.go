package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/owners"
)

// letters names an entry in the margin of a view: A to Z, then AA and so on.
func letters(entry int) string {
	name := ""
	for n := entry + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// claimLetters are the letters of claims, joined by +; those of claims that
// are only inside the field are in brackets.
func (p *ownersPrinter) claimLetters(claims []owners.Claim) (plain, coloured string) {
	var a, b []string
	for _, c := range claims {
		s := letters(c.Entry)
		if c.Inside {
			s = "(" + s + ")"
		}
		a = append(a, s)
		b = append(b, p.colour(c.Entry)(s))
	}
	return strings.Join(a, "+"), strings.Join(b, "+")
}

// colour is the style of an entry's manager.
func (p *ownersPrinter) colour(entry int) style {
	if s, ok := p.styles[p.of.Entries[entry].Manager]; ok {
		return s
	}
	return func(s string) string { return s }
}

// claimNames are the names of the managers, each once.
func (p *ownersPrinter) claimNames(claims []owners.Claim) string {
	var names []string
	seen := map[string]bool{}
	for _, c := range claims {
		if name := p.managerName(c.Entry); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (p *ownersPrinter) managerName(entry int) string {
	if name := p.of.Entries[entry].Manager; name != "" {
		return visible(name)
	}
	return `""`
}

// claimAge is the age of the youngest of the entries.
func (p *ownersPrinter) claimAge(claims []owners.Claim) string {
	var youngest managedfields.Entry
	for _, c := range claims {
		e := p.of.Entries[c.Entry]
		if e.Time != nil && (youngest.Time == nil || e.Time.After(*youngest.Time)) {
			youngest = e
		}
	}
	return p.entryAge(youngest)
}

// entryAge is the age of an entry, its date where ages are left out, or a dash
// for an entry without a time.
func (p *ownersPrinter) entryAge(e managedfields.Entry) string {
	switch a := age(e.Time, p.o.Now); {
	case a != "":
		return a
	case e.Time != nil:
		return e.Time.UTC().Format("2006-01-02")
	}
	return "-"
}

// operation is that of an entry with its subresource.
func operation(e managedfields.Entry) string {
	if e.Subresource != "" {
		return visible(e.Operation + " of " + e.Subresource)
	}
	return visible(e.Operation)
}

// otherVersion is the API version of an entry that was written at another one
// than the object is shown at; its paths are in terms of that version.
func (p *ownersPrinter) otherVersion(e managedfields.Entry) string {
	if e.APIVersion == p.of.Target.APIVersion {
		return ""
	}
	group, version := groupVersion(e.APIVersion)
	if own, _ := groupVersion(p.of.Target.APIVersion); own == group {
		return "at " + visible(version)
	}
	return "at " + visible(e.APIVersion)
}

// legend tells which letter is which entry, of those that are shown, and ends
// with an empty line where there are any.
func (p *ownersPrinter) legend() {
	var rows [][]string
	var entries []int
	for _, s := range p.of.Summaries() {
		e := p.of.Entries[s.Entry]
		if s.Fields+s.Stale == 0 && len(s.Roots) == 0 && !p.o.Filter.Empty() {
			continue
		}
		rows = append(rows, []string{
			letters(s.Entry), p.managerName(s.Entry), operation(e), p.entryAge(e),
			strings.TrimSpace(fmt.Sprintf("%s %s", count(s.Fields, "field"), p.otherVersion(e))),
		})
		entries = append(entries, s.Entry)
	}
	p.columnsOf(rows, []int{1, 4}, func(row, column int, s string) string {
		if column < 2 {
			return p.colour(entries[row])(s)
		}
		return s
	})
	if len(rows) > 0 {
		p.line("")
	}
}

// columnsOf aligns rows at an indentation of two. Where they are too wide, the
// columns of shrink are cut, all alike.
func (p *ownersPrinter) columnsOf(rows [][]string, shrink []int, paint func(row, column int, s string) string) {
	if len(rows) == 0 {
		return
	}
	widths := columnWidths(rows)
	total := 0
	for _, w := range widths {
		total += w + 2
	}
	for _, column := range shrink {
		over := max(0, total-p.width)
		cutTo := max(min(widths[column], 8), widths[column]-over)
		total -= widths[column] - cutTo
		widths[column] = cutTo
	}
	for i, row := range rows {
		line := ""
		for j, cell := range row {
			cell = cut(cell, widths[j])
			space := strings.Repeat(" ", widths[j]-columns(cell))
			line += "  " + paint(i, j, cell) + space
		}
		p.line(line)
	}
}

func columnWidths(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for j, cell := range row {
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], columns(cell))
		}
	}
	return widths
}
