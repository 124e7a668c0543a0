package text

import (
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

const (
	// indent is that of what stands below a title, or below an item.
	indent = "  "
	// hang is how far lines after the first of a text stand behind it.
	hang = "    "
	// minWidth keeps columns apart on terminals that tell a nonsensical width.
	minWidth     = 40
	defaultWidth = 80
)

// printer collects lines.
type printer struct {
	Palette
	strings.Builder
	o     Options
	width int
	// told are the field managers that have colors.
	told []string
}

func newPrinter(o Options) *printer {
	width := o.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &printer{Palette: NewPalette(o.Color), o: o, width: max(width, minWidth)}
}

func (p *printer) line(s string) {
	p.WriteString(strings.TrimRight(s, " ") + "\n")
}

// styled is a text on one line.
func (p *printer) styled(t model.Text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(p.of(s)(glyph.Visible(s.Text)))
	}
	return b.String()
}

// wrapped breaks a text at spaces behind a prefix, whose columns are counted
// with its colors left out; lines after the first start with another one. A
// number stays with what it counts, and a longer word stays whole.
func (p *printer) wrapped(prefix, next string, t model.Text) {
	used := glyph.Columns(unpainted(prefix))
	var line model.Text
	start := prefix
	flush := func() {
		p.line(start + p.styled(line))
		start, line, used = next, nil, glyph.Columns(next)
	}
	for _, w := range t.Words() {
		n := columns(w)
		switch {
		case len(line) == 0:
		case used+1+n > p.width:
			flush()
		default:
			// The space is in the role of the line's end, if that goes on.
			role := line[len(line)-1].Role
			if role != w[0].Role {
				role = model.Plain
			}
			line = line.With(role.Of(" "))
			used++
		}
		for _, s := range w {
			line = line.With(s)
		}
		used += n
	}
	flush()
}
