package text

import (
	"regexp"
	"slices"
	"sync"

	"github.com/fatih/color"

	"github.com/ssactl/ssactl/internal/render/model"
)

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
