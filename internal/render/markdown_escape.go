package render

import (
	"fmt"
	"strings"
)

// mdCode shows a text as inline code. All punctuation that Markdown or HTML
// could read is written as character references, which stand for themselves
// only: no span, link, mention, table cell or element can start in a value.
// GitHub looks for mentions and issue numbers outside of code only.
func mdCode(s string) string { return "<code>" + mdText(s) + "</code>" }

// mdProse shows a text without code around it, unless it has what GitHub takes
// for a mention or a number of an issue.
func mdProse(s string) string {
	if strings.ContainsAny(s, "@#") {
		return mdCode(s)
	}
	return mdText(s)
}

// mdText writes punctuation as character references.
func mdText(s string) string {
	s = visible(s)
	var b strings.Builder
	for i, r := range s {
		if mdPlain(r) || r == '.' && !nearWWW(s, i) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
	}
	return b.String()
}

// mdPlain are the characters that have no meaning inside a line.
func mdPlain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return r >= 0x80 || strings.ContainsRune(" -/,=()+", r)
}

// nearWWW finds the dot that would make www. a link.
func nearWWW(s string, dot int) bool {
	return dot >= 3 && strings.EqualFold(s[dot-3:dot], "www")
}

// mdFence puts lines into a fenced block whose fence is longer than any in
// the lines.
func mdFence(language, text string) string {
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
