// Package glyph knows how a text shows itself: which characters are safe to
// print, how many columns they take, and how a line is cut or wrapped.
package glyph

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Visible makes a text safe to show in one line of a terminal: control
// characters, escape sequences, bidirectional overrides, invisible characters
// and bytes that are not UTF-8 are written as escapes.
func Visible(s string) string {
	if IsVisible(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case Harmless(r):
			b.WriteRune(r)
		default:
			b.WriteString(Escaped(r))
		}
		s = s[n:]
	}
	return b.String()
}

// Lines is Visible for a text whose newlines are meant.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// IsVisible reports whether Visible leaves a text as it is.
func IsVisible(s string) bool {
	plain := 0
	for plain < len(s) && s[plain] >= ' ' && s[plain] <= '~' {
		plain++
	}
	s = s[plain:]
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !Harmless(r) {
			return false
		}
	}
	return true
}

// Harmless runes show themselves. The letters named here are blank.
func Harmless(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F:
		return false
	}
	return unicode.IsPrint(r)
}

// Escaped is the escape of a character that is not harmless.
func Escaped(r rune) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

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
