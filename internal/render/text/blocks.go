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
		column = max(column, glyph.Columns(glyph.Visible(item.Label.String())))
	}
	column = min(column, maxLabel)
	for i, item := range l.Items {
		if p.folded(i, len(l.Items), l.Shown, at) {
			return
		}
		if l.Apart {
			p.line("")
		}
		p.item(item, mark(l, i), column, at)
	}
}

// mark is what stands before an item.
func mark(l model.List, i int) string {
	switch {
	case l.Numbered:
		return fmt.Sprintf("%d. ", i+1)
	case l.Marked:
		return "- "
	}
	return ""
}

func (p *printer) item(item model.Item, mark string, column int, at string) {
	first, next, below := at+mark, at+hang, at+indent
	if mark != "" {
		next = at + strings.Repeat(" ", len(mark))
		below = next
	}
	if column > 0 {
		first += glyph.Pad(p.styled(item.Label), column+painting(p.styled(item.Label))) + "  "
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

// painting is how many columns of a text are none on the screen.
func painting(s string) int { return glyph.Columns(s) - glyph.Columns(unpainted(s)) }

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
