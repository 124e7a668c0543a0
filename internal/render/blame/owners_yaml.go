package blame

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
)

// yamlLine is one line of an object's YAML, so many columns in, and the field that it
// belongs to.
type yamlLine struct {
	indent int
	text   string
	field  *owners.Field
}

func (l yamlLine) String() string { return strings.Repeat(" ", l.indent) + l.text }

// yamlLines writes a field and all below as kubectl prints them, but that the
// keys of an item come first.
func yamlLines(f *owners.Field) []yamlLine { return appendField(nil, f, 0) }

func appendField(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	switch {
	case f.End:
		return appendEnd(out, f, indent)
	case len(f.Path) == 0:
		return appendBelow(out, f, indent)
	case f.Item:
		return appendItem(out, f, indent)
	}
	out = appendText(out, keyText(f.Key()), f, indent)
	if !f.List() {
		indent += len("  ")
	}
	return appendBelow(out, f, indent)
}

func appendBelow(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	for _, field := range f.Fields {
		out = appendField(out, field, indent)
	}
	return out
}

// appendItem puts the dash of an item in front of its first line. An item with
// other owners than that line has a line of its own; YAML needs only its
// dash.
func appendItem(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	first := len(out)
	out = appendBelow(out, f, indent+len("- "))
	if len(out) == first || !f.Context && (out[first].field.Context || !sameClaims(f, out[first].field)) {
		out = slices.Insert(out, first, yamlLine{text: "# the item itself", field: f})
	}
	out[first].indent, out[first].text = indent, "- "+out[first].text
	return out
}

// appendEnd writes a field with its value.
func appendEnd(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	if s, ok := plainScalar(f.Value); ok {
		if f.Item {
			return append(out, yamlLine{indent, "- " + s, f})
		}
		if key := f.Key(); words.Quoted(key) == key {
			return append(out, yamlLine{indent, key + ": " + s, f})
		}
	}
	var whole any = []any{f.Value}
	if !f.Item {
		whole = map[string]any{f.Key(): f.Value}
	}
	return appendText(out, yamlText(whole), f, indent)
}

// yamlText is a value as kubectl prints it.
func yamlText(v any) string {
	s, err := objects.YAML(v)
	if err != nil {
		// No value of a JSON object; such as NaN.
		return words.Scalar(v)
	}
	return s
}

// plainScalar writes the values that need no encoder.
func plainScalar(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case string:
		return v, words.Quoted(v) == v
	case bool, int64:
		b, err := json.Marshal(v)
		return string(b), err == nil
	}
	return "", false
}

// keyText is a key with its colon.
func keyText(key string) string {
	if words.Quoted(key) == key {
		return key + ":"
	}
	return strings.TrimSuffix(strings.TrimSpace(yamlText(map[string]any{key: map[string]any{}})), " {}")
}

func appendText(out []yamlLine, text string, f *owners.Field, indent int) []yamlLine {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		out = append(out, yamlLine{indent, line, f})
	}
	return out
}
