package markdown

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// Code shows a text as inline code. All punctuation that Markdown or HTML
// could read is written as character references, which stand for themselves
// only: no span, link, mention, table cell or element can start in a value.
// GitHub looks for mentions and issue numbers outside of code only.
func Code(s string) string { return "<code>" + plain(s) + "</code>" }

// Prose shows a text without code around it, unless it has what GitHub takes
// for a mention or a number of an issue.
func Prose(s string) string {
	if strings.ContainsAny(s, "@#") {
		return Code(s)
	}
	return plain(s)
}

// plain writes punctuation as character references.
func plain(s string) string {
	s = glyph.Visible(s)
	var b strings.Builder
	for i, r := range s {
		if harmless(r) || r == '.' && !nearWWW(s, i) || r == ':' && !joins(s, i) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
	}
	return b.String()
}

// harmless are the characters that have no meaning inside a line.
func harmless(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return r >= 0x80 || strings.ContainsRune(" -/,=()+;'\"?!", r)
}

// joins finds the colon that may be part of a link or of an emoji's name.
func joins(s string, colon int) bool { return colon+1 < len(s) && s[colon+1] != ' ' }

// nearWWW finds the dot that would make www. a link.
func nearWWW(s string, dot int) bool {
	return dot >= 3 && strings.EqualFold(s[dot-3:dot], "www")
}

// Fence puts lines into a fenced block whose fence is longer than any in
// the lines.
func Fence(language, text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
