package interactive

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// reset ends a color.
const reset = "\x1b[0m"

// ends are the sequences after which there is no color.
var ends = regexp.MustCompile(`^\x1b\[(0|2[2-9]|39)?(;(0|2[2-9]|39))*m$`)

// fold cuts a text into lines of at most so many columns. Colors, which are the only
// sequences that a text of ours has, go on in the next line.
func fold(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, foldLine(line, max(width, 2))...)
	}
	return lines
}

func foldLine(line string, width int) []string {
	var lines []string
	var b strings.Builder
	color, used := "", 0
	for len(line) > 0 {
		if sequence := painted(line); sequence != "" {
			b.WriteString(sequence)
			if color += sequence; ends.MatchString(sequence) {
				color = ""
			}
			line = line[len(sequence):]
			continue
		}
		r, n := utf8.DecodeRuneInString(line)
		if columns := glyph.RuneColumns(r); used+columns > width {
			if color != "" {
				b.WriteString(reset)
			}
			lines = append(lines, b.String())
			b.Reset()
			b.WriteString(color)
			used = 0
		}
		used += glyph.RuneColumns(r)
		b.WriteString(line[:n])
		line = line[n:]
	}
	return append(lines, b.String())
}

// painted is the color that a text begins with; empty for none.
func painted(text string) string {
	if !strings.HasPrefix(text, "\x1b[") {
		return ""
	}
	end := strings.IndexByte(text, 'm')
	return text[:max(end+1, 0)]
}
