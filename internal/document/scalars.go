package document

import (
	"bytes"

	yaml "go.yaml.in/yaml/v3"
)

// skipSpace skips blanks, line breaks and comments.
func skipSpace(text []byte, offset int) int {
	for offset < len(text) {
		switch width := BreakWidth(text[offset:]); {
		case width > 0:
			offset += width
		case text[offset] == ' ' || text[offset] == '\t':
			offset++
		case text[offset] == '#' && (offset == 0 || IsBlankOrEnd(text, offset-1)):
			offset = LineEnd(text, offset)
		default:
			return offset
		}
	}
	return offset
}

// skipProperties skips an anchor and a tag in any order.
func skipProperties(text []byte, offset int) int {
	for At(text, offset, '&') || At(text, offset, '!') {
		if text[offset] == '&' {
			offset = aliasEnd(text, offset)
		}
		for !IsBlankOrEnd(text, offset) && bytes.IndexByte([]byte(",]}"), text[offset]) < 0 {
			offset++
		}
		offset = skipSpace(text, offset)
	}
	return offset
}

func aliasEnd(text []byte, offset int) int {
	offset++
	for offset < len(text) {
		c := text[offset]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			break
		}
		offset++
	}
	return offset
}

// scalar finds the end of a scalar's node.
func (b yamlBuilder) scalar(n *yaml.Node, out *Node, content, limit int, inFlow bool) {
	if n.Value == "" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		// Left out: whatever follows belongs to something else.
		out.End = out.Start
		if n.Anchor != "" || At(b.text, out.Start, '!') {
			out.End = TrimmedEnd(b.text, out.Start, min(content, LineEnd(b.text, out.Start)))
		}
		return
	}
	if content < len(b.text) {
		out.Lead = b.text[content]
	}
	out.End = b.scalarEnd(n, content, limit, inFlow)
}

// scalarEnd is the offset behind a scalar whose text starts at content.
func (b yamlBuilder) scalarEnd(n *yaml.Node, content, limit int, inFlow bool) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return quotedEnd(b.text, skipProperties(b.text, content), '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return quotedEnd(b.text, skipProperties(b.text, content), '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return b.blockEnd(content, limit)
	case n.Kind == yaml.AliasNode:
		return aliasEnd(b.text, content)
	}
	return plainEnd(b.text, content, limit, inFlow)
}

func quotedEnd(text []byte, start int, quote byte) int {
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && At(text, i+1, '\''):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// plainEnd is the end of a plain scalar: before a comment, a colon that ends
// a key, a bracket or comma in brackets, and otherwise before what follows at
// limit.
func plainEnd(text []byte, start, limit int, inFlow bool) int {
	end := start
	for i := start; i < min(limit, len(text)); i++ {
		c := text[i]
		switch {
		case c == '#' && i > start && IsBlankOrEnd(text, i-1):
			return end
		case c == ':' && (IsBlankOrEnd(text, i+1) || inFlow && bytes.IndexByte([]byte(",[]{}"), text[i+1]) >= 0):
			return end
		case inFlow && bytes.IndexByte([]byte(",[]{}"), c) >= 0:
			return end
		case !IsBlankOrEnd(text, i):
			end = i + 1
		}
	}
	return end
}

// blockEnd is the end of a literal or folded scalar: before the blank lines
// and less indented comments in front of limit. A scalar that keeps its last
// line breaks keeps the blank lines.
func (b yamlBuilder) blockEnd(header, limit int) int {
	first := b.lines.Line(header)
	last := b.lines.Line(limit)
	if limit < len(b.text) {
		last = max(last-1, first)
	}
	keep := bytes.IndexByte(b.lines.Text(first)[header-b.lines.Start(first):], '+') >= 0
	indent := b.blockIndent(first+1, last)
	for ; last > first; last-- {
		text := b.lines.Text(last)
		content := bytes.TrimLeft(text, " ")
		blank := len(bytes.TrimSpace(text)) == 0
		if !(blank && !keep) && !(len(content) > 0 && content[0] == '#' && len(text)-len(content) < indent) {
			break
		}
	}
	return LineEnd(b.text, b.lines.Start(last)+len(b.lines.Text(last)))
}

// blockIndent is the indentation of the first line that is not blank.
func (b yamlBuilder) blockIndent(first, last int) int {
	for line := first; line <= last; line++ {
		text := b.lines.Text(line)
		if content := bytes.TrimLeft(text, " "); len(content) > 0 {
			return len(text) - len(content)
		}
	}
	return 0
}
