package text

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fatih/color"

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

// Palette colors pieces of text. Color only stresses what the text says.
type Palette struct {
	Bold, Faint, Red, Green, Yellow, Cyan Style
	// Inside changed lines.
	RedWord, GreenWord Style
	// Managers are to keep field managers apart; there may be more of these than
	// styles. Red is left to what is wrong.
	Managers []Style
}

// Style is one color. Each has its own switch: the library's global one
// would tie together palettes of different outputs.
type Style func(string) string

// NewPalette gives a palette; one that is not enabled leaves texts as they are. What it
// gives is shared, and not to be changed.
func NewPalette(enabled bool) Palette {
	if enabled {
		return colored()
	}
	return colorless()
}

var (
	colored   = sync.OnceValue(func() Palette { return paletteOf(true) })
	colorless = sync.OnceValue(func() Palette { return paletteOf(false) })
)

func paletteOf(enabled bool) Palette {
	s := func(attributes ...color.Attribute) Style {
		c := color.New(attributes...)
		if !enabled {
			return func(text string) string { return text }
		}
		c.EnableColor()
		return func(text string) string {
			if text == "" {
				return ""
			}
			return c.Sprint(text)
		}
	}
	return Palette{
		Bold: s(color.Bold), Faint: s(color.Faint),
		Red: s(color.FgRed), Green: s(color.FgGreen),
		Yellow: s(color.FgYellow), Cyan: s(color.FgCyan),
		RedWord:   s(color.FgRed, color.ReverseVideo),
		GreenWord: s(color.FgGreen, color.ReverseVideo),
		Managers: []Style{
			s(color.FgCyan), s(color.FgYellow), s(color.FgGreen), s(color.FgMagenta), s(color.FgBlue),
			s(color.FgCyan, color.Bold), s(color.FgYellow, color.Bold), s(color.FgGreen, color.Bold),
			s(color.FgMagenta, color.Bold), s(color.FgBlue, color.Bold),
		},
	}
}

// of is the style of a span.
func (p *printer) of(s model.Span) Style {
	switch s.Role {
	case model.Manager:
		if i := slices.Index(p.told, s.Text); i >= 0 {
			return p.Managers[i%len(p.Managers)]
		}
	case model.Strong:
		return p.Bold
	case model.Faint:
		return p.Faint
	case model.Good:
		return p.Green
	case model.Bad:
		return p.Red
	case model.Changed:
		return p.Yellow
	case model.Code:
		return p.Cyan
	}
	return func(text string) string { return text }
}

var painted = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// unpainted is a text without what a palette put into it.
func unpainted(s string) string { return painted.ReplaceAllString(s, "") }
