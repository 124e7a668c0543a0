package glyph

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
