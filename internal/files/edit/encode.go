package edit

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/document"
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
	return head, document.Indented(tail, strings.Repeat(" ", column), document.Newline(d.text)), nil
}

// indentsSequences reports whether the first block sequence below a key is
// indented more than the key.
func (d *Doc) indentsSequences() bool {
	found, indents := false, false
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries {
			v := e.Value
			if !found && n.Kind == document.Mapping && !n.Flow && v.Kind == document.Sequence && !v.Flow && len(v.Entries) > 0 {
				found = true
				indents = v.Entries[0].Start-d.lineStart(v.Entries[0].Start) > e.Start-d.lineStart(e.Start)
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
func quotedLike(former *document.Node, value any) (string, bool) {
	s, ok := value.(string)
	if !ok || former == nil || former.Kind != document.Scalar || strings.ContainsAny(s, "\r\n") {
		return "", false
	}
	switch former.Lead {
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
	return string(document.Spaced(bytes.TrimSuffix(out.Bytes(), []byte("\n"))))
}
