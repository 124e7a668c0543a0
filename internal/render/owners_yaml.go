package render

import (
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// blameLine is one line of an object's YAML and the field that it belongs to.
type blameLine struct {
	text  string
	field *owners.Field
}

// yamlLines writes a field and all below as kubectl prints them, but that the
// keys of an item come first.
func yamlLines(f *owners.Field) ([]blameLine, error) {
	if f.End {
		return endLines(f)
	}
	below, err := belowLines(f)
	if err != nil {
		return nil, err
	}
	switch {
	case len(f.Path) == 0:
		return below, nil
	case f.Item:
		return itemLines(f, below), nil
	}
	indent := "  "
	if f.List() {
		indent = ""
	}
	head, err := keyText(f.Key())
	if err != nil {
		return nil, err
	}
	lines := linesOf(head, f)
	for _, l := range below {
		lines = append(lines, blameLine{indent + l.text, l.field})
	}
	return lines, nil
}

func belowLines(f *owners.Field) ([]blameLine, error) {
	var out []blameLine
	for _, below := range f.Fields {
		lines, err := yamlLines(below)
		if err != nil {
			return nil, err
		}
		out = append(out, lines...)
	}
	return out, nil
}

// itemLines puts the dash of an item in front of its first line. An item with
// other owners than that line has a line of its own, of which the dash is all
// that YAML needs.
func itemLines(f *owners.Field, below []blameLine) []blameLine {
	if len(below) == 0 || !f.Context && (below[0].field.Context || !sameClaims(f, below[0].field)) {
		below = append([]blameLine{{"# the item itself", f}}, below...)
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

func sameClaims(a, b *owners.Field) bool {
	if len(a.Claims) != len(b.Claims) {
		return false
	}
	for i := range a.Claims {
		if a.Claims[i] != b.Claims[i] {
			return false
		}
	}
	return true
}

// endLines writes a field with its value.
func endLines(f *owners.Field) ([]blameLine, error) {
	if s, ok := plainScalar(f.Value); ok {
		if f.Item {
			return []blameLine{{"- " + s, f}}, nil
		}
		if key := f.Key(); yamlString(key) == key {
			return []blameLine{{key + ": " + s, f}}, nil
		}
	}
	var whole any = []any{f.Value}
	if !f.Item {
		whole = map[string]any{f.Key(): f.Value}
	}
	s, err := encodeYAML(whole)
	if err != nil {
		return nil, err
	}
	return linesOf(s, f), nil
}

// plainScalar writes the values that need no encoder.
func plainScalar(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case string:
		return v, yamlString(v) == v
	case bool, int64:
		b, err := json.Marshal(v)
		return string(b), err == nil
	}
	return "", false
}

// keyText is a key with its colon.
func keyText(key string) (string, error) {
	if yamlString(key) == key {
		return key + ":", nil
	}
	s, err := encodeYAML(map[string]any{key: map[string]any{}})
	return strings.TrimSuffix(strings.TrimSpace(s), " {}"), err
}

func linesOf(s string, f *owners.Field) []blameLine {
	var out []blameLine
	for _, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		out = append(out, blameLine{l, f})
	}
	return out
}
