package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// margin is the layout of the left side of the blame view.
type margin struct{ letters, names, age int }

const (
	// namedWidth is the width from which the margin has names.
	namedWidth = 72
	// leastNames is how far names are cut to keep lines from being wrapped.
	leastNames = 12
	// maxLetters keeps a field of very many owners from pushing the object
	// out of sight: its other letters follow in the next lines.
	maxLetters = 11
	// shownValue is how many lines of one value are shown.
	shownValue = 10
)

// blame shows the object's YAML, each line with its owners in a margin.
func (p *ownersPrinter) blame() {
	p.legend()
	lines, err := yamlLines(p.of.Root)
	if err != nil {
		p.err = err
		return
	}
	m := p.margin(lines)
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].field == lines[0].field {
			n++
		}
		p.fieldLines(lines[:n], m)
		lines = lines[n:]
	}
	p.repeatedLines()
	p.staleLines()
}

func (p *ownersPrinter) margin(lines []blameLine) margin {
	m := margin{letters: 1, age: 1}
	longest := 0
	for _, l := range lines {
		if n := columns(l.text); n <= p.width-leastNames-12 {
			// Longer lines are wrapped whatever becomes of the names.
			longest = max(longest, n)
		}
		if l.field.Context {
			continue
		}
		plain, _ := p.claimLetters(l.field.Claims)
		m.letters = min(max(m.letters, columns(plain)), maxLetters)
		m.age = max(m.age, columns(p.claimAge(l.field.Claims)))
		m.names = max(m.names, columns(p.claimNames(l.field.Claims)))
	}
	if p.width < namedWidth {
		m.names = 0
	}
	m.names = min(m.names, p.width/4, max(leastNames, p.width-m.letters-m.age-5-longest))
	return m
}

func (m margin) width() int {
	if m.names == 0 {
		return m.letters + 1 + m.age + 1
	}
	return m.letters + 1 + m.names + 1 + m.age + 1
}

// fieldLines shows the lines of one field: wrapped, and folded where the value
// is long.
func (p *ownersPrinter) fieldLines(lines []blameLine, m margin) {
	f := lines[0].field
	paint := func(s string) string { return s }
	if f.Context {
		paint = p.faint
	}
	room := max(20, p.width-m.width()-2)
	var texts []string
	for _, l := range lines {
		for i, part := range chop(l.text, room) {
			bar := "│ "
			if i > 0 {
				bar = "┊ "
			}
			texts = append(texts, bar+paint(part))
		}
	}
	left := p.marginLines(f, m)
	for i := range max(len(texts), len(left)) {
		if i == shownValue && len(texts) > shownValue+1 && !p.o.Verbose {
			p.line(strings.Repeat(" ", m.width()) + "┊ " + p.faint("… "+count(len(texts)-i, "more line")+" (-v)"))
			return
		}
		p.line(nth(left, i) + nth(texts, i))
	}
}

// nth is a line of the margin or of the text. The first margin is repeated for
// further lines of text, so that each says whose it is.
func nth(list []string, i int) string {
	switch {
	case i < len(list):
		return list[i]
	case strings.HasPrefix(list[0], "│"):
		return "│"
	}
	return list[0]
}

// marginLines are the margin of a field: one line, or more where it has many
// owners.
func (p *ownersPrinter) marginLines(f *owners.Field, m margin) []string {
	names, old := "", ""
	switch {
	case f.Context:
		return []string{strings.Repeat(" ", m.width())}
	case len(f.Claims) > 0:
		names, old = p.claimNames(f.Claims), p.claimAge(f.Claims)
	case f.State == owners.Unowned:
		return []string{pad("-", m.width())}
	default:
		return []string{strings.Repeat(" ", m.width())}
	}
	var out []string
	for _, claims := range p.letterGroups(f.Claims) {
		plain, coloured := p.claimLetters(claims)
		line := coloured + strings.Repeat(" ", max(0, m.letters-columns(plain))) + " "
		if m.names > 0 {
			name := p.shortNames(f.Claims, names, m.names)
			line += p.paintNames(f.Claims, name) + strings.Repeat(" ", m.names-columns(name)) + " "
		}
		line += strings.Repeat(" ", m.age-columns(old)) + old + " "
		out = append(out, line)
		names, old = "", ""
	}
	return out
}

// letterGroups cuts claims into groups whose letters fit into the margin.
func (p *ownersPrinter) letterGroups(claims []owners.Claim) [][]owners.Claim {
	var out [][]owners.Claim
	for start, end := 0, 1; start < len(claims); start, end = end, end+1 {
		for end < len(claims) {
			if plain, _ := p.claimLetters(claims[start : end+1]); columns(plain) > maxLetters {
				break
			}
			end++
		}
		out = append(out, claims[start:end])
	}
	return out
}

// shortNames are the names where they fit, or else the first with the number
// of the others.
func (p *ownersPrinter) shortNames(claims []owners.Claim, names string, limit int) string {
	others := strings.Count(names, ", ")
	if names == "" || others == 0 || columns(names) <= limit {
		return cut(names, limit)
	}
	more := fmt.Sprintf(" +%d", others)
	return cut(p.managerName(claims[0].Entry), limit-columns(more)) + more
}

// paintNames colours the name of a single manager; several are stressed.
func (p *ownersPrinter) paintNames(claims []owners.Claim, name string) string {
	for _, c := range claims {
		if p.of.Entries[c.Entry].Manager != p.of.Entries[claims[0].Entry].Manager {
			return p.bold(name)
		}
	}
	return p.colour(claims[0].Entry)(name)
}

// repeatedLines say why items with one key have the same owners.
func (p *ownersPrinter) repeatedLines() {
	told := ""
	for _, f := range p.of.Rows() {
		if !f.Repeated || f.Name == told {
			continue
		}
		if told == "" {
			p.heading("Repeated keys: such items are owned together, as one field")
		}
		told = f.Name
		p.paragraph("  ", f.Name)
	}
}

// staleLines are the claims that no line stands for.
func (p *ownersPrinter) staleLines() {
	if len(p.of.Stale) == 0 {
		return
	}
	if !p.of.Root.Context || len(p.of.Root.Fields) > 0 {
		p.line("")
	}
	p.line(p.bold("Owned, but not in the object"))
	width := 1
	for _, f := range p.of.Stale {
		plain, _ := p.claimLetters(f.Claims)
		width = min(max(width, columns(plain)), maxLetters)
	}
	for _, f := range p.of.Stale {
		plain, coloured := p.claimLetters(f.Claims)
		space := strings.Repeat(" ", max(0, width-columns(plain)))
		for i, part := range chop(visible(f.Name), p.width-width-4) {
			if i > 0 {
				coloured, space = "", strings.Repeat(" ", width+2)
			}
			p.line("  " + coloured + space + "  " + part)
		}
	}
}
