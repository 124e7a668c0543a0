// Package pictures draws what a command prints to a terminal as SVG, for the
// README and the documentation.
//
// Plan:
//
//	svg.go  a page of lines; text is text, so that it can be selected
//	sgr.go  lines to runs of one style
package pictures

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The measures of a character and of the window, in pixels.
const (
	charWidth  = 8.4
	lineHeight = 19
	margin     = 16
	titleBar   = 34
)

// colors are those of a terminal with a dark background; each has a contrast of
// at least 4.5 to it.
var colors = map[color]string{
	plain: "#d6deeb", red: "#ff7b72", green: "#7ee787", yellow: "#e3b341",
	blue: "#79b8ff", magenta: "#d2a8ff", cyan: "#56d4dd",
}

const (
	background = "#11161d"
	faded      = "#8b949e"
)

// SVG draws the output of a command as a terminal of so many columns shows it,
// with the command as the first line. The picture is as high as the output. An
// escape sequence that is no style is an error.
func SVG(command, output string, columns int) ([]byte, error) {
	lines, err := styled(output)
	if err != nil {
		return nil, err
	}
	lines = folded(lines, columns)
	width := 2*margin + charWidth*float64(columns)
	height := titleBar + lineHeight*(len(lines)+1) + margin
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="%s">`+"\n",
		width, height, width, height, escaped(command),
	)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	for i, dot := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5.5" fill="%s"/>`+"\n", margin+6+18*i, dot)
	}
	b.WriteString(
		`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">` + "\n",
	)
	y := titleBar + lineHeight - 6
	writeLine(&b, y, []run{{text: "$", style: style{faint: true}}, {text: " " + command, style: style{bold: true}}})
	for _, line := range lines {
		y += lineHeight
		writeLine(&b, y, line)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes(), nil
}

// writeLine sets each run at its column, so that columns stay aligned whatever
// font the reader has.
func writeLine(b *bytes.Buffer, y int, line []run) {
	column := 0
	for _, r := range line {
		n := utf8.RuneCountInString(r.text)
		writeRun(b, r, margin+charWidth*float64(column), y, charWidth*float64(n))
		column += n
	}
}

func writeRun(b *bytes.Buffer, r run, x float64, y int, width float64) {
	if r.reverse {
		fmt.Fprintf(
			b,
			`<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n",
			x,
			y-lineHeight+5,
			width,
			lineHeight,
			colors[r.color],
		)
	}
	for _, at := range words.FindAllStringIndex(r.text, -1) {
		before, text := utf8.RuneCountInString(r.text[:at[0]]), r.text[at[0]:at[1]]
		fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" fill="%s"%s>%s</text>`+"\n",
			x+charWidth*float64(before), y, charWidth*float64(utf8.RuneCountInString(text)), r.fill(), r.weight(), escaped(text))
	}
}

// words are texts without the gaps that a reader of SVG would close.
var words = regexp.MustCompile(`\S+(?: \S+)*`)

func (s style) fill() string {
	if s.reverse {
		return background
	}
	if s.faint && s.color == plain {
		return faded
	}
	return colors[s.color]
}

func (s style) weight() string {
	if s.bold {
		return ` font-weight="bold"`
	}
	return ""
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a strings.Builder has no errors
	}
	return b.String()
}
