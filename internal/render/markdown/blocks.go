package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// inline is a text in a line of Markdown.
func inline(t model.Text) string {
	var b strings.Builder
	for _, s := range t {
		if s.Text == "" {
			continue
		}
		switch s.Role {
		case model.Field, model.Manager, model.Value, model.Code:
			b.WriteString(Code(s.Text))
		case model.Strong, model.Bad, model.Changed, model.Good:
			b.WriteString("<b>" + Prose(s.Text) + "</b>")
		default:
			b.WriteString(Prose(s.Text))
		}
	}
	return b.String()
}

// blocks are each behind an empty line. Of a list or a difference at most so
// many lines are shown; 0 means all.
func blocks(list []model.Block, most int) string {
	var out strings.Builder
	for _, b := range list {
		out.WriteString("\n" + block(b, most))
	}
	return out.String()
}

func block(b model.Block, most int) string {
	switch b := b.(type) {
	case model.Section:
		return "#### " + inline(b.Title) + "\n" + blocks(b.Blocks, most)
	case model.Paragraph:
		return started(labeled(b.Label, b.Text)) + "\n"
	case model.List:
		return list(b, most)
	case model.Table:
		return table(b, most)
	case model.Diff:
		return diff(b, most)
	case model.Listing:
		return listing(b, most)
	case model.Tree:
		return tree(b.Nodes, "")
	case model.Command:
		if b.Line == "" {
			return ""
		}
		return Fence("sh", glyph.Visible(b.Line))
	case model.Quote:
		return Fence("", glyph.Lines(b.Text))
	}
	return ""
}

func labeled(label, text model.Text) string {
	if len(label) == 0 {
		return inline(text)
	}
	return strings.TrimRight("<b>"+inline(unstressed(label))+"</b> "+inline(text), " ")
}

// started is a line whose first character begins no list, heading or block.
func started(line string) string {
	if line == "" {
		return "&#32;"
	}
	if begins.MatchString(line) {
		return fmt.Sprintf("&#%d;%s", line[0], line[1:])
	}
	return line
}

// begins is a line that is more than a paragraph: an item, numbered or not, a
// rule or underline, a quote, a definition of a link, a box to check, indented code, or a
// command to GitLab, such as /close.
var begins = regexp.MustCompile(`^([-+=!>[ /]|\d+[.)])`)

// cut is how many of all are left out from the i-th on; 0 where it is shown.
func cut(i, all, most int) int {
	if most > 0 && i == most && all-i > 1 {
		return all - i
	}
	return 0
}

func list(l model.List, most int) string {
	var b strings.Builder
	for i, item := range l.Items {
		if left := cut(i, len(l.Items), most); left > 0 {
			fmt.Fprintf(&b, "- … %d more\n", left)
			break
		}
		mark := "- "
		if l.Numbered {
			mark = fmt.Sprintf("%d. ", i+1)
		}
		b.WriteString(mark + started(labeled(item.Label, item.Text)) + "\n")
		b.WriteString(indented(blocks(item.Blocks, most), len(mark)))
	}
	return b.String()
}

// indented puts lines below an item, whose mark has so many characters.
func indented(text string, by int) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if strings.TrimRight(l, "\n") != "" {
			lines[i] = strings.Repeat(" ", by) + l
		}
	}
	return strings.Join(lines, "")
}

func table(t model.Table, most int) string {
	var b strings.Builder
	for _, c := range t.Columns {
		b.WriteString("| " + Prose(c.Title) + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.Columns {
		b.WriteString(map[bool]string{false: "|---", true: "|---:"}[c.Right])
	}
	b.WriteString("|\n")
	for i, row := range t.Rows {
		if left := cut(i, len(t.Rows), most); left > 0 {
			fmt.Fprintf(&b, "| … %d more%s |\n", left, strings.Repeat(" |", len(t.Columns)-1))
			break
		}
		for _, cell := range row {
			b.WriteString("| " + inline(cell) + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func diff(d model.Diff, most int) string {
	var lines []string
	if d.Old != "" || d.New != "" {
		lines = append(lines, "--- "+glyph.Visible(d.Old), "+++ "+glyph.Visible(d.New))
	}
	for i, l := range d.Lines {
		if left := cut(i, len(d.Lines), most); left > 0 {
			return Fence("diff", strings.Join(lines, "\n")) + fmt.Sprintf("\n… %d more lines of the diff\n", left)
		}
		line := l.Kind.Sign() + glyph.Visible(l.Text.String())
		if len(l.Note) > 0 {
			line += "  # " + glyph.Visible(l.Note.String())
		}
		lines = append(lines, line)
	}
	return Fence("diff", strings.Join(lines, "\n"))
}

// listing has margins of one width.
func listing(l model.Listing, most int) string {
	var lines, margins []string
	width := 0
	for _, run := range l.Runs {
		margin := glyph.Visible(strings.TrimRight(model.Join(run.Margin, " ").String(), " "))
		margins, width = append(margins, margin), max(width, glyph.Columns(margin))
	}
	for n, run := range l.Runs {
		for i, line := range run.Lines {
			if left := cut(i, len(run.Lines), most); left > 0 {
				lines = append(lines, fmt.Sprintf("%s ┊ … %d more lines", glyph.Pad("", width), left))
				break
			}
			lines = append(lines, glyph.Pad(margins[n], width)+" │ "+glyph.Visible(line.String()))
		}
	}
	return Fence("", strings.Join(lines, "\n"))
}

func tree(nodes []model.Node, at string) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(at + "- " + started(inline(n.Text)))
		if len(n.Note) > 0 {
			b.WriteString(" " + inline(n.Note))
		}
		b.WriteString("\n" + tree(n.Nodes, at+"  "))
	}
	return b.String()
}

// Code shows a text as inline code. Punctuation that Markdown or HTML could read
// there is written as character references, which stand for themselves only: no
// span, link, mention, table cell or element can start in a value.
func Code(s string) string { return "<code>" + plain(s) + "</code>" }

// mention is what systems take for a mention, or for the number or name of an issue, a merge
// request, a label, a milestone, a snippet or an epic.
var mention = regexp.MustCompile(`[@#]|[!~%$&]["\w]`)

// Prose shows a text without code around it, unless it has what GitHub or GitLab takes for a
// mention.
func Prose(s string) string {
	if mention.MatchString(s) {
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
		return !strings.HasPrefix(behind, "//") && !suffixFold(before, "mailto") && !suffixFold(before, "xmpp") &&
			!emoji.MatchString(behind)
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
