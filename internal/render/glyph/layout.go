package glyph

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// CutSign marks the place where a text was shortened.
const CutSign = "…"

// Columns counts the terminal columns of a visible text.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += RuneColumns(r)
	}
	return n
}

// RuneColumns is how many columns a visible character takes.
func RuneColumns(r rune) int {
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

// Pad fills a text with spaces up to a column count.
func Pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-Columns(s)))
}

// mask is how the value of a Secret is shown (report/redact), which is not to be cut.
var mask = regexp.MustCompile(`\*\*\* \(secret \d+\)`)

// Cut shortens a text to at most limit columns: the masks in it, or else its middle.
func Cut(s string, limit int) string {
	if Columns(s) <= limit {
		return s
	}
	if s = mask.ReplaceAllString(s, "***"); Columns(s) <= limit {
		return s
	}
	if limit <= 1 {
		return CutSign
	}
	runes := []rune(s)
	head, tail := limit/2, limit-1-limit/2
	i, j := 0, len(runes)
	for used := 0; i < j; i++ {
		if used += RuneColumns(runes[i]); used > head {
			break
		}
	}
	for used := 0; j > i; j-- {
		if used += RuneColumns(runes[j-1]); used > tail {
			break
		}
	}
	return string(runes[:i]) + CutSign + string(runes[j:])
}

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}
