package render

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// cutSign marks the place where a text was shortened.
const cutSign = "…"

// columns counts the terminal columns of a visible text.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// pad fills a text with spaces up to a column count.
func pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-columns(s)))
}

// cut shortens a text in its middle to at most limit columns.
func cut(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	if limit <= 1 {
		return cutSign
	}
	runes := []rune(s)
	head, tail := limit/2, limit-1-limit/2
	i, j := 0, len(runes)
	for used := 0; i < j; i++ {
		if used += runeColumns(runes[i]); used > head {
			break
		}
	}
	for used := 0; j > i; j-- {
		if used += runeColumns(runes[j-1]); used > tail {
			break
		}
	}
	return string(runes[:i]) + cutSign + string(runes[j:])
}

// wrap breaks a text at spaces into lines of at most limit columns; a longer
// word stays whole.
func wrap(s string, limit int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && columns(line)+1+columns(word) > limit {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
