package parity

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"
)

func isContainer(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func anySlice(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}

func unionKeys(a, b map[string]any) []string {
	var keys []string
	for key := range a {
		keys = append(keys, key)
	}
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	return keys
}

// compact gives a value as JSON in which nothing is escaped that need not be,
// so that 80 and "80" are two.
func compact(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	// A decoded JSON value always encodes.
	_ = encoder.Encode(value)
	return strings.TrimSpace(out.String())
}
