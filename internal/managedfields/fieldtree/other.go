package fieldtree

import "slices"

// Other makes up another value of the same type, such as a server takes where
// it would take v. It is false for null, and for what is empty.
func Other(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		return !v, true
	case int64:
		return v + 1, true
	case float64:
		return v + 1, true
	case string:
		return otherText(v), true
	case []any:
		if len(v) > 0 {
			return v[:len(v)-1], true
		}
	case map[string]any:
		if len(v) > 0 {
			return withoutOneKey(v), true
		}
	}
	return nil, false
}

// otherText changes numbers and quantities in their first digit, so that they
// stay valid, and others at their end.
func otherText(s string) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		digit := byte('1')
		if s[0] == '1' {
			digit = '2'
		}
		return string(digit) + s[1:]
	}
	return s + "-other"
}

func withoutOneKey(m map[string]any) map[string]any {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	out := map[string]any{}
	for _, k := range keys[1:] {
		out[k] = m[k]
	}
	return out
}
