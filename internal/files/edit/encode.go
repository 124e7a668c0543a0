package edit

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// simple matches the strings that can stand in brackets without quotes if they
// can stand anywhere without.
var simple = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// blockText writes a value as it stands behind a colon or dash: the rest of
// that line, and the lines below. Those are indented for a key or dash in
// column.
func (d *Doc) blockText(value any, column int, dash bool) (head, tail string, err error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if !d.indentsSequences() {
		encoder.CompactSeqIndent()
	}
	wrapped, lead := any(map[string]any{"k": value}), "k:"
	if dash {
		wrapped, lead = []any{value}, "-"
	}
	if err := encoder.Encode(wrapped); err != nil {
		return "", "", err
	}
	text := strings.TrimPrefix(strings.TrimSuffix(out.String(), "\n"), lead)
	head, tail, _ = strings.Cut(text, "\n")
	return head, indented(tail, strings.Repeat(" ", column), d.newline()), nil
}

// indented puts blanks in front of every line that is not empty.
func indented(text, blanks, newline string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = blanks + line
		}
	}
	return strings.Join(lines, newline)
}

// newline is how the document's lines end.
func (d *Doc) newline() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentsSequences reports whether the first block sequence below a key is
// indented more than the key.
func (d *Doc) indentsSequences() bool {
	found, indents := false, false
	var walk func(*node)
	walk = func(n *node) {
		for _, e := range n.entries {
			v := e.value
			if !found && n.kind == mapping && !n.flow && v.kind == sequence && !v.flow && len(v.entries) > 0 {
				found = true
				indents = v.entries[0].start-d.lineStart(v.entries[0].start) > e.start-d.lineStart(e.start)
			}
			if found {
				return
			}
			walk(v)
		}
	}
	walk(d.root)
	return indents
}

// quotedLike writes a string in the quotes of the scalar that it replaces.
func quotedLike(former *node, value any) (string, bool) {
	s, ok := value.(string)
	if !ok || former == nil || former.kind != scalar || strings.ContainsAny(s, "\r\n") {
		return "", false
	}
	switch former.lead {
	case '"':
		return jsonText(s), true
	case '\'':
		return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
	}
	return "", false
}

// flowText writes a value as it stands in brackets.
func (d *Doc) flowText(value any) string {
	if s, ok := value.(string); ok && !d.json && simple.MatchString(s) {
		if text, err := yaml.Marshal(s); err == nil && strings.TrimSuffix(string(text), "\n") == s {
			return s
		}
	}
	return jsonText(value)
}

// jsonText is JSON on one line, with blanks behind colons and commas as people
// write it, <, > and & not escaped.
func jsonText(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null"
	}
	compact := strings.TrimSuffix(out.String(), "\n")
	var spaced strings.Builder
	inString := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		spaced.WriteByte(c)
		switch {
		case inString && c == '\\':
			i++
			spaced.WriteByte(compact[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			spaced.WriteByte(' ')
		}
	}
	return spaced.String()
}
