package pictures

import (
	"fmt"
	"regexp"
	"strings"
)

// color is that of a terminal's palette.
type color int

const (
	plain color = iota
	red
	green
	yellow
	blue
	magenta
	cyan
)

// style is how a terminal shows a text (ECMA-48, select graphic rendition).
type style struct {
	color                color
	bold, faint, reverse bool
}

// run is a text of one style.
type run struct {
	style
	text string
}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// styled divides an output into lines, and lines into runs. A style goes on
// over the end of a line, as on a terminal.
func styled(output string) ([][]run, error) {
	var lines [][]run
	var now style
	for _, line := range strings.Split(strings.TrimRight(output, "\n"), "\n") {
		var runs []run
		for {
			at := escape.FindStringSubmatchIndex(line)
			if at == nil {
				break
			}
			runs = append(runs, run{now, line[:at[0]]})
			var err error
			if now, err = now.after(line[at[2]:at[3]]); err != nil {
				return nil, err
			}
			line = line[at[1]:]
		}
		if strings.Contains(line, "\x1b") {
			return nil, fmt.Errorf("an escape sequence that is no style: %q", line)
		}
		lines = append(lines, append(runs, run{now, line}))
	}
	return lines, nil
}

// folded continues lines that are wider than the terminal on the next one, as a
// terminal does.
func folded(lines [][]run, columns int) [][]run {
	var out [][]run
	for _, line := range lines {
		var row []run
		left := columns
		for _, r := range line {
			text := []rune(r.text)
			for len(text) > left {
				row = append(row, run{r.style, string(text[:left])})
				out, row, text, left = append(out, row), nil, text[left:], columns
			}
			row, left = append(row, run{r.style, string(text)}), left-len(text)
		}
		out = append(out, row)
	}
	return out
}

// after is the style behind an escape sequence with these parameters.
func (s style) after(parameters string) (style, error) {
	for _, p := range strings.Split(parameters, ";") {
		switch p {
		case "", "0":
			s = style{}
		case "1":
			s.bold = true
		case "2":
			s.faint = true
		case "22":
			s.bold, s.faint = false, false
		case "7":
			s.reverse = true
		case "27":
			s.reverse = false
		case "39":
			s.color = plain
		case "31", "32", "33", "34", "35", "36":
			s.color = color(p[1] - '0')
		default:
			return s, fmt.Errorf("style %q is not drawn", p)
		}
	}
	return s, nil
}
