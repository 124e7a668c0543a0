package text

import (
	"strconv"
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
	for _, w := range words(t) {
		n := glyph.Columns(glyph.Visible(w.String()))
		switch {
		case len(line) == 0:
		case used+1+n > p.width:
			flush()
		default:
			line = joined(line, w[0].Role)
			used++
		}
		for _, s := range w {
			line = extended(line, s)
		}
		used += n
	}
	flush()
}

// joined puts a space behind a line, in the role of its end if that goes on.
func joined(line model.Text, next model.Role) model.Text {
	role := line[len(line)-1].Role
	if role != next {
		role = model.Plain
	}
	return extended(line, role.Of(" "))
}

func extended(line model.Text, s model.Span) model.Text {
	if last := len(line) - 1; last >= 0 && line[last].Role == s.Role {
		line[last].Text += s.Text
		return line
	}
	return append(line, s)
}

// words cuts a text at its spaces. Field paths, code and numbers with their
// nouns stay whole.
func words(t model.Text) []model.Text {
	var out []model.Text
	open := false
	add := func(s model.Span) {
		if !open {
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last] = extended(out[last], s)
		open = true
	}
	for _, s := range t {
		if s.Role == model.Field || s.Role == model.Code {
			add(s)
			continue
		}
		for i, word := range strings.Split(s.Text, " ") {
			if i > 0 {
				open = open && counts(out[len(out)-1])
				if open && word != "" {
					add(s.Role.Of(" "))
				}
			}
			if word != "" {
				add(s.Role.Of(word))
			}
		}
	}
	return out
}

// counts reports whether a word is a number, with which the next one stays.
func counts(word model.Text) bool {
	_, err := strconv.Atoi(word.String())
	return err == nil
}
