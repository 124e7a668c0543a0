package plainyaml

// blockHeader is what the first line of a block scalar says.
type blockHeader struct {
	folded bool
	// deeper is how much deeper than its parent the text stands; 0 where its first
	// line shows that.
	deeper int
	// chomping says what to do with line breaks at the end: + keeps them, - drops
	// them, and 0 keeps one.
	chomping byte
}

func parseBlockHeader(text []byte) (h blockHeader, ok bool) {
	h.folded = text[0] == '>'
	for text = text[1:]; len(text) > 0 && text[0] != ' '; text = text[1:] {
		switch c := text[0]; {
		case (c == '+' || c == '-') && h.chomping == 0:
			h.chomping = c
		case c >= '1' && c <= '9' && h.deeper == 0:
			h.deeper = int(c - '0')
		default:
			return h, false
		}
	}
	return h, ends(text)
}

// blockScalar reads a literal or folded block scalar below indent.
func (p *parser) blockScalar(text []byte, indent int) bool {
	h, ok := parseBlockHeader(text)
	if !ok {
		return false
	}
	p.step()
	p.scratch = p.scratch[:0]
	// Blank lines in front may be no longer than the first that is not.
	blanks, longest := 0, 0
	for ; !p.done && p.line.blank() && (h.deeper == 0 || len(p.line.raw) <= indent+h.deeper); p.stepInside() {
		blanks++
		longest = max(longest, len(p.line.raw))
	}
	column := indent + h.deeper
	if h.deeper == 0 {
		column = p.line.indent
	}
	if p.done || column <= indent || column < longest || p.line.indent < column || h.deeper == 0 && p.line.text[0] == '\t' {
		return false
	}
	p.scratch = appendBreaks(p.scratch, blanks)
	breaks := p.blockLines(column, h.folded)
	if !p.done && p.line.indent > indent && !p.line.comment() {
		return false
	}
	switch h.chomping {
	case '+':
		p.scratch = appendBreaks(p.scratch, breaks)
	case 0:
		p.scratch = appendBreaks(p.scratch, min(breaks, 1))
	}
	p.out = appendString(p.out, p.scratch)
	return true
}

// blockLines adds the lines of a block scalar that stand at a column, the first of
// which is at hand, and gives the number of breaks behind the last one.
func (p *parser) blockLines(column int, fold bool) (breaks int) {
	wasIndented := false
	for ; !p.done; p.stepInside() {
		if len(p.line.raw) <= column && p.line.blank() {
			breaks++
			continue
		}
		if p.line.indent < column {
			return breaks
		}
		text := p.line.raw[column:]
		// Lines that are indented more keep the breaks around them.
		isIndented := text[0] == ' ' || text[0] == '\t'
		if fold && breaks > 0 && !wasIndented && !isIndented {
			p.scratch = appendFold(p.scratch, breaks-1)
		} else {
			p.scratch = appendBreaks(p.scratch, breaks)
		}
		p.scratch = append(p.scratch, text...)
		breaks, wasIndented = 1, isIndented
	}
	if p.rest == nil {
		// The last line has no break.
		breaks--
	}
	return breaks
}
