package view

import (
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
)

// yamlLine is one line of an object's YAML and the field that it belongs to.
type yamlLine struct {
	text  string
	field *owners.Field
}

// yamlLines writes a field and all below as kubectl prints them, but that the
// keys of an item come first.
func yamlLines(f *owners.Field) []yamlLine {
	if f.End {
		return endLines(f)
	}
	var below []yamlLine
	for _, field := range f.Fields {
		below = append(below, yamlLines(field)...)
	}
	switch {
	case len(f.Path) == 0:
		return below
	case f.Item:
		return itemLines(f, below)
	}
	indent := "  "
	if f.List() {
		indent = ""
	}
	lines := linesOf(keyText(f.Key()), f)
	for _, l := range below {
		lines = append(lines, yamlLine{indent + l.text, l.field})
	}
	return lines
}

// itemLines puts the dash of an item in front of its first line. An item with
// other owners than that line has a line of its own, of which the dash is all
// that YAML needs.
func itemLines(f *owners.Field, below []yamlLine) []yamlLine {
	if len(below) == 0 || !f.Context && (below[0].field.Context || !sameClaims(f, below[0].field)) {
		below = append([]yamlLine{{"# the item itself", f}}, below...)
	}
	for i := range below {
		prefix := "  "
		if i == 0 {
			prefix = "- "
		}
		below[i].text = prefix + below[i].text
	}
	return below
}

// endLines writes a field with its value.
func endLines(f *owners.Field) []yamlLine {
	if s, ok := plainScalar(f.Value); ok {
		if f.Item {
			return []yamlLine{{"- " + s, f}}
		}
		if key := f.Key(); words.Quoted(key) == key {
			return []yamlLine{{key + ": " + s, f}}
		}
	}
	var whole any = []any{f.Value}
	if !f.Item {
		whole = map[string]any{f.Key(): f.Value}
	}
	return linesOf(yamlText(whole), f)
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

func linesOf(s string, f *owners.Field) []yamlLine {
	var out []yamlLine
	for _, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		out = append(out, yamlLine{l, f})
	}
	return out
}
