package render

import "github.com/fatih/color"

// palette colours pieces of text. Colour only stresses what the text says.
type palette struct {
	bold, faint, red, green, yellow, cyan style
	// Inside changed lines.
	redWord, greenWord style
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
	}
}
