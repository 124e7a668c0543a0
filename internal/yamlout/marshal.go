// Package yamlout writes values as sigs.k8s.io/yaml does, and so kubectl: faster, and in
// one order where the encoder has none for the keys of a map.
//
// Laws: what is written is what the library writes, byte for byte, or its error, where that
// comes out alike in each of its runs; equal values are written alike in each run.
package yamlout

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
)

// Marshal writes a value as sigs.k8s.io/yaml does. That reads the value's JSON as YAML, and
// writes what it has read: a tree of which it would read just what there is is written at
// once, in a third of the time. An error is of a value that has no JSON, or whose JSON the
// reader refuses: a key of more than 1,024 characters.
func Marshal(v any) ([]byte, error) {
	if tree, ok := readBack(v); ok {
		return yamlv2.Marshal(tree)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode as JSON: %w", err)
	}
	var read any
	if err := yamlv2.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	return yamlv2.Marshal(allInOrder(read))
}

// readBack is what the YAML reader makes of a value's JSON, for the encoder, with keys in
// order; false where that may be anything else than the value, or an error.
func readBack(v any) (any, bool) {
	switch v := v.(type) {
	case nil, bool, int64:
		return v, true
	case float64:
		return readNumber(v)
	case string:
		return v, readsAlike(v)
	case []any:
		return readItems(v)
	case map[string]any:
		return readFields(v)
	}
	return nil, false
}

// readNumber: JSON has no point or exponent in a whole number below 1e21.
func readNumber(f float64) (any, bool) {
	if f != math.Trunc(f) {
		return f, true
	}
	return int64(f), math.Abs(f) < 1<<53
}

func readItems(items []any) (any, bool) {
	out := make([]any, len(items))
	for i, item := range items {
		var ok bool
		if out[i], ok = readBack(item); !ok {
			return nil, false
		}
	}
	return out, items != nil
}

// longestKey is as long a key as the reader surely takes: it refuses more than 1,024
// characters, and JSON makes six of some.
const longestKey = 128

// isKey reports whether the reader surely reads a text in double quotes as it is where it is
// a key.
func isKey(s string) bool { return len(s) <= longestKey && readsAlike(s) }

func readFields(fields map[string]any) (any, bool) {
	out := make(map[string]any, len(fields))
	for key, value := range fields {
		read, ok := readBack(value)
		if !ok || !isKey(key) {
			return nil, false
		}
		out[key] = read
	}
	return inOrder(out), fields != nil
}

// readsAlike reports whether the reader surely reads a text in double quotes as it is:
// it takes some invisible characters for breaks of a line, and refuses others.
func readsAlike(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return utf8.ValidString(s) && allPrint(s[i:])
		case c == 0x7f:
			return false
		}
	}
	return true
}

func allPrint(s string) bool {
	for _, r := range s {
		if r > unicode.MaxASCII && !unicode.IsPrint(r) || r == 0x7f {
			return false
		}
	}
	return true
}
