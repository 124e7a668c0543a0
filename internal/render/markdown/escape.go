package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
)

// Code shows a text as inline code. Punctuation that Markdown or HTML could read
// there is written as character references, which stand for themselves only: no
// span, link, mention, table cell or element can start in a value.
func Code(s string) string { return "<code>" + plain(s) + "</code>" }

// Prose shows a text without code around it, unless it has what GitHub takes
// for a mention or a number of an issue.
func Prose(s string) string {
	if strings.ContainsAny(s, "@#") {
		return Code(s)
	}
	return plain(s)
}

// plain writes punctuation that acts where it stands as character references: who
// reads the source of a comment, as in a mail, finds the rest as it is.
func plain(s string) string {
	s = glyph.Visible(s)
	var b strings.Builder
	for i, r := range s {
		if harmless(r) || inert(s, i, r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
	}
	return b.String()
}

// harmless are the characters that have no meaning inside a line.
func harmless(r rune) bool {
	return r < 0x80 && isWord(byte(r)) || r >= 0x80 || strings.ContainsRune(" -/,=()+;'\"?!%>{}", r)
}

// inert reports whether a character that may act does not where it stands. What ends
// a text may act together with what comes behind it.
func inert(s string, i int, r rune) bool {
	switch before, behind := s[:i], s[i+1:]; r {
	case '.':
		return !suffixFold(before, "www")
	case ':':
		return !strings.HasPrefix(behind, "//") && !suffixFold(before, "mailto") && !suffixFold(before, "xmpp") && !emoji.MatchString(behind)
	case '[':
		return behind != "" && behind[0] != '^'
	case ']':
		return behind != "" && !strings.ContainsRune("([:", rune(behind[0]))
	case '_':
		return before != "" && behind != "" && isWord(before[len(before)-1]) && isWord(behind[0])
	}
	return false
}

// emoji is what stands behind the colon of an emoji's name.
var emoji = regexp.MustCompile(`^([A-Za-z_+-][A-Za-z0-9_+-]*(:|$)|(100|1234|8ball):)`)

func suffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
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
