package text

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

func (p *printer) blocks(blocks []model.Block, at string) {
	for _, b := range blocks {
		p.block(b, at)
	}
}

// block shows a block at an indentation.
func (p *printer) block(b model.Block, at string) {
	switch b := b.(type) {
	case model.Section:
		p.section(b, at)
	case model.Paragraph:
		p.paragraph(b, at)
	case model.List:
		p.list(b, at)
	case model.Table:
		p.table(b, at)
	case model.Diff:
		p.diff(b, at)
	case model.Listing:
		p.listing(b, at)
	case model.Tree:
		p.tree(b.Nodes, at)
	case model.Command:
		if b.Line == "" {
			return
		}
		if at == "" {
			at = indent
		}
		p.line(at + p.Cyan(glyph.Visible(b.Line)))
	case model.Quote:
		for _, l := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
			p.line(at + glyph.Visible(l))
		}
	}
}

// section is a part of a section: its title in bold, after an empty line.
func (p *printer) section(s model.Section, at string) {
	title := make(model.Text, len(s.Title))
	for i, span := range s.Title {
		title[i] = model.Strong.Of(span.Text)
	}
	outer := strings.TrimSuffix(at, indent)
	p.line("")
	p.wrapped(outer, outer+hang, title)
	p.blocks(s.Blocks, outer+indent)
}

func (p *printer) paragraph(b model.Paragraph, at string) {
	if b.Apart {
		p.line("")
	}
	if len(b.Label) == 0 {
		p.wrapped(at, at, b.Text)
		return
	}
	label := at + p.styled(b.Label) + " "
	p.wrapped(label, strings.Repeat(" ", glyph.Columns(unpainted(label))), b.Text)
}

// maxLabel is the widest column of labels.
const maxLabel = 24

func (p *printer) list(l model.List, at string) {
	column := 0
	for _, item := range l.Items {
		column = max(column, columns(item.Label))
	}
	column = min(column, maxLabel)
	for i, item := range l.Items {
		if p.folded(i, len(l.Items), l.Shown, at) {
			return
		}
		if l.Apart {
			p.line("")
		}
		mark := ""
		switch {
		case l.Numbered:
			mark = fmt.Sprintf("%d. ", i+1)
		case l.Marked:
			mark = "- "
		}
		p.item(item, mark, column, at)
	}
}

func (p *printer) item(item model.Item, mark string, column int, at string) {
	first, next, below := at+mark, at+hang, at+indent
	if mark != "" {
		next = at + strings.Repeat(" ", len(mark))
		below = next
	}
	if column > 0 {
		label := p.styled(item.Label)
		first += label + strings.Repeat(" ", max(0, column-glyph.Columns(unpainted(label)))+2)
		next = at + strings.Repeat(" ", column+2)
		below = next
	}
	if len(item.Text) == 0 && len(item.Label) > 0 && len(item.Blocks) > 0 {
		// It begins with its first block.
		inner := *p
		inner.Builder = strings.Builder{}
		inner.blocks(item.Blocks, below)
		p.WriteString(first + strings.TrimPrefix(inner.String(), below))
		return
	}
	if len(item.Text) > 0 || len(item.Label) > 0 {
		p.wrapped(first, next, item.Text)
	}
	p.blocks(item.Blocks, below)
}

// folded reports whether the rest is left out here, and says so in its place.
func (p *printer) folded(i, all, shown int, at string) bool {
	if shown == 0 || i < shown || p.o.Verbose || all == shown+1 {
		return false
	}
	p.line(p.Faint(fmt.Sprintf("%s… %d more; -v shows all", at, all-i)))
	return true
}

func (p *printer) diff(d model.Diff, at string) {
	if d.Old != "" || d.New != "" {
		p.line(at + p.Bold("--- "+glyph.Visible(d.Old)))
		p.line(at + p.Bold("+++ "+glyph.Visible(d.New)))
	}
	for i, l := range d.Lines {
		if p.folded(i, len(d.Lines), d.Shown, at) {
			return
		}
		p.diffLine(l, at)
	}
}

func (p *printer) diffLine(l model.DiffLine, at string) {
	plain, strong := Style(func(s string) string { return s }), p.Bold
	switch l.Kind {
	case model.Place:
		plain = p.Cyan
	case model.Altered:
		plain = p.Yellow
	case model.Added:
		plain, strong = p.Green, p.GreenWord
	case model.Removed:
		plain, strong = p.Red, p.RedWord
	}
	line := ""
	for _, s := range model.Textf("%v%v", l.Kind.Sign(), l.Text) {
		if s.Role == model.Strong {
			line += strong(glyph.Visible(s.Text))
		} else {
			line += plain(glyph.Visible(s.Text))
		}
	}
	if len(l.Note) > 0 {
		line += "  " + p.Faint("# ") + p.styled(l.Note)
	}
	p.line(at + line)
}

// treeLine is a node behind its branch.
type treeLine struct {
	branch     string
	text, note model.Text
}

// columns are those of a text that is shown on one line.
func columns(t model.Text) int { return glyph.Columns(glyph.Visible(t.String())) }

// tree shows nodes behind branches, after an empty line, and their notes below each other. On a
// terminal, texts and notes are shortened until a line fits.
func (p *printer) tree(nodes []model.Node, at string) {
	p.line("")
	lines := branches(nodes, "")
	column, note := 0, 0
	for _, l := range lines {
		if len(l.note) > 0 {
			column = max(column, glyph.Columns(l.branch)+columns(l.text))
			note = max(note, columns(l.note))
		}
	}
	if room := p.width - len(at) - len(gap); p.o.Fit {
		note = min(note, room/2)
		column = min(column, room-note)
	}
	for _, l := range lines {
		branch := glyph.Columns(l.branch)
		if p.o.Fit {
			l.text, l.note = shortened(l.text, max(least, column-branch)), shortened(l.note, note)
		}
		line := at + p.Faint(l.branch) + p.styled(l.text)
		if len(l.note) > 0 {
			line += strings.Repeat(" ", max(0, column-branch-columns(l.text))) + gap + p.styled(l.note)
		}
		p.line(line)
	}
}

// branches are the lines of nodes and of those below them.
func branches(nodes []model.Node, indent string) []treeLine {
	var out []treeLine
	for i, n := range nodes {
		fork, stem := "├─ ", "│  "
		if i == len(nodes)-1 {
			fork, stem = "└─ ", "   "
		}
		out = append(out, treeLine{indent + fork, n.Text, n.Note})
		out = append(out, branches(n.Nodes, indent+stem)...)
	}
	return out
}

// The bars between a margin and its line, and the rest of a line or run.
const (
	bar  = "│ "
	rest = "┊ "
)

// listing shows lines behind their margins, after an empty line. On a terminal, margins are shortened
// and lines that do not fit go on in the next.
func (p *printer) listing(l model.Listing, at string) {
	widths := p.margins(l)
	p.line("")
	room := p.width - len(at) - total(widths) - len(widths) - glyph.Columns(bar)
	for _, run := range l.Runs {
		margin := p.margin(run.Margin, widths)
		for i, line := range run.Lines {
			if left := len(run.Lines) - i; l.Shown > 0 && i == l.Shown && left > 1 && !p.o.Verbose {
				blank := strings.Repeat(" ", glyph.Columns(unpainted(margin)))
				p.line(at + blank + rest + p.Faint(fmt.Sprintf("… %d more lines; -v shows all", left)))
				break
			}
			between := bar
			for _, part := range p.chopped(line, room) {
				p.line(at + margin + between + p.styled(part))
				between = rest
			}
		}
	}
}

// margins are the widths of their columns.
func (p *printer) margins(l model.Listing) []int {
	var out []int
	for _, run := range l.Runs {
		for i, cell := range run.Margin {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], columns(cell))
			if p.o.Fit {
				out[i] = min(out[i], p.width/4)
			}
		}
	}
	return out
}

func (p *printer) margin(cells []model.Text, widths []int) string {
	var b strings.Builder
	for i, width := range widths {
		text := ""
		if i < len(cells) {
			text = p.styled(shortened(cells[i], width))
		}
		b.WriteString(text + strings.Repeat(" ", width-glyph.Columns(unpainted(text))+1))
	}
	return b.String()
}

// chopped cuts a line into pieces that fit, on a terminal.
func (p *printer) chopped(line model.Text, room int) []model.Text {
	if !p.o.Fit {
		return []model.Text{line}
	}
	room = max(room, least)
	var out []model.Text
	var piece model.Text
	used := 0
	for _, s := range line {
		for _, r := range glyph.Visible(s.Text) {
			n := glyph.RuneColumns(r)
			if used+n > room {
				out, piece, used = append(out, piece), nil, 0
			}
			piece, used = piece.With(s.Role.Of(string(r))), used+n
		}
	}
	return append(out, piece)
}
