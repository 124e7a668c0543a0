package render

import (
	"regexp"

	"github.com/fatih/color"
)

// palette colours pieces of text. Colour only stresses what the text says.
type palette struct {
	bold, faint, red, green, yellow, cyan style
	// Inside changed lines.
	redWord, greenWord style
	// managers tell field managers apart; there may be more of these than
	// styles. Red is left to what is wrong.
	managers []style
}

// style is one colour. Each has its own switch: the library's global one
// would tie together palettes of different outputs.
type style func(string) string

func newPalette(enabled bool) palette {
	s := func(attributes ...color.Attribute) style {
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
	return palette{
		bold: s(color.Bold), faint: s(color.Faint),
		red: s(color.FgRed), green: s(color.FgGreen),
		yellow: s(color.FgYellow), cyan: s(color.FgCyan),
		redWord:   s(color.FgRed, color.ReverseVideo),
		greenWord: s(color.FgGreen, color.ReverseVideo),
		managers: []style{
			s(color.FgCyan), s(color.FgYellow), s(color.FgGreen), s(color.FgMagenta), s(color.FgBlue),
			s(color.FgCyan, color.Bold), s(color.FgYellow, color.Bold), s(color.FgGreen, color.Bold),
			s(color.FgMagenta, color.Bold), s(color.FgBlue, color.Bold),
		},
	}
}

var painted = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// unpainted is a text without what a palette put into it.
func unpainted(s string) string { return painted.ReplaceAllString(s, "") }
