package objects

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/yamlout"
)

// width is the column behind which the encoder breaks a line at the next space.
const width = 80

// counter counts lines without writing them, and remembers the maps and lists in which it
// cannot, so that what is in them is counted twice at most.
type counter struct{ unknown map[uintptr]bool }

// lines counts those of a row and of all below it. It is false where that cannot be known.
func (c *counter) lines(r row) (int, bool) {
	if r.uncut() {
		return c.below(r.indent, r.value)
	}
	return countLeaf(r.leaf)
}

// below counts the lines of what is in a value.
func (c *counter) below(indent int, v any) (int, bool) {
	if !isOpen(v) {
		return 0, true
	}
	at := reflect.ValueOf(v).Pointer()
	if c.unknown[at] {
		return 0, false
	}
	n, known := c.members(indent, v)
	if !known {
		if c.unknown == nil {
			c.unknown = map[uintptr]bool{}
		}
		c.unknown[at] = true
	}
	return n, known
}

func (c *counter) members(indent int, v any) (int, bool) {
	total := 0
	add := func(n int, known bool) bool {
		total += n
		return known
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if !add(countLeaf(leaf{indent: indent, key: key, value: value})) || !add(c.below(indentBelow(indent, value), value)) {
				return 0, false
			}
		}
	case []any:
		for _, item := range v {
			if isOpen(item) {
				if !add(c.below(indent+step, item)) {
					return 0, false
				}
			} else if !add(countLeaf(leaf{indent: indent, item: true, value: item})) {
				return 0, false
			}
		}
	}
	return total, true
}

// countLeaf counts the lines of a leaf, whose value may still have what is below it.
func countLeaf(l leaf) (int, bool) {
	if !l.item && !isPlainKey(l.key) {
		return 0, false
	}
	switch v := l.value.(type) {
	case string:
		return countText(l, v)
	case nil, bool, int64, float64, opens, noFields, noItems:
		return 1, true
	case map[string]any:
		return 1, v != nil
	case []any:
		return 1, v != nil
	}
	return 0, false
}

// isPlainKey reports whether a key is surely written as it is, or in quotes.
func isPlainKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; !isLetter(c) && (c < '0' || c > '9') && strings.IndexByte("-_./$", c) < 0 {
			return false
		}
	}
	return key != "" && yamlout.IsKey(key)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isQuotedKey reports whether a plain key may be written in quotes.
func isQuotedKey(key string) bool {
	return !isLetter(key[0]) || slices.ContainsFunc(quotedWords, func(word string) bool { return strings.EqualFold(key, word) })
}

// quotedWords are what the encoder writes in quotes, in any case.
var quotedWords = []string{"y", "yes", "on", "true", "n", "no", "off", "false", "null"}

// quotes are how the encoder writes a text.
type quotes int

const (
	unquoted quotes = iota
	single
	double
	literal
	unknown
)

// countText counts the lines of a leaf that is a text.
func countText(l leaf, s string) (int, bool) {
	column := l.indent + step
	if !l.item {
		column = l.indent + len(l.key) + len(": ")
	}
	style := quotesOf(s)
	switch {
	case style == unknown:
		return 0, false
	case style == literal:
		lines := 1 + strings.Count(s, "\n")
		if !strings.HasSuffix(s, "\n") {
			lines++
		}
		return lines, true
	case column+len(`""""`)+2*len(s) <= width || !strings.Contains(s, " "):
		return 1, true
	case !l.item && isQuotedKey(l.key) || startsAsDate(s):
		// How the key is written is not known, or whether the text is a time.
		return 0, false
	}
	return countFolded(s, column, l.indent+step, style), true
}

// startsAsDate reports whether a text begins as all do that the encoder may take for times,
// and write in quotes: with a year.
func startsAsDate(s string) bool {
	const year = 4
	return len(s) > year && s[year] == '-' && strings.Trim(s[:year], "0123456789") == ""
}

// quotesOf is how the encoder writes a text that has spaces and is not a time; unknown
// where something in it may be written as an escape that others do not have.
func quotesOf(s string) quotes {
	lines, special := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			lines = true
			special = special || i > 0 && s[i-1] == ' '
		case c == '\t':
			special = true
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r > 0xFFFF || r == utf8.RuneError || !glyph.Harmless(r) {
				return unknown
			}
			i += size - 1
		case c < ' ' || c == 0x7f:
			return unknown
		}
	}
	switch {
	case strings.Contains(s, "::") || strings.Contains(s, "##") || strings.Contains(s, `\x01`):
		return unknown
	case special || lines && strings.HasSuffix(s, " "):
		return double
	case lines:
		return literal
	case s == "" || strings.IndexByte(" #,[]{}&*!|>'\"%@`", s[0]) >= 0 || strings.Contains(s, ": ") || strings.Contains(s, " #") ||
		strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") ||
		strings.HasPrefix(s, "? ") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "..."):
		return single
	}
	return unquoted
}

// countFolded counts the lines of a text that begins in a column. The encoder breaks it at
// the first single space behind the width, and indents what follows.
func countFolded(s string, column, indent int, style quotes) int {
	lines := 1
	if style != unquoted {
		column++
	}
	for i, r := range s {
		within := i > 0 && i < len(s)-1
		if r == ' ' && column > width && within && s[i-1] != ' ' && (style == double || s[i+1] != ' ') {
			lines++
			column = indent
			if s[i+1] == ' ' {
				// A backslash keeps the space.
				column++
			}
			continue
		}
		column++
		if style == single && r == '\'' || style == double && strings.ContainsRune("\"\\\n\t", r) {
			column++
		}
	}
	return lines
}
