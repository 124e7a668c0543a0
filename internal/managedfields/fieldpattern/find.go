package fieldpattern

import (
	"maps"
	"slices"
	"strings"
)

// Find gives the values that a pattern selects in a JSON tree, in the order of the
// tree: the tree itself for the empty pattern.
func (p Pattern) Find(v any) []any {
	if len(p) == 0 {
		return []any{v}
	}
	var out []any
	if s := p[0].Item; s != nil {
		list, _ := v.([]any)
		for i, item := range list {
			if s.Matches(i, item) {
				out = append(out, p[1:].Find(item)...)
			}
		}
		return out
	}
	m, _ := v.(map[string]any)
	for _, key := range p.Keys(m) {
		out = append(out, p.Below(key).Find(m[key])...)
	}
	return out
}

// Keys gives the keys of maps that the pattern, which begins with names, may begin
// with, sorted: .a.b is the key a.b, or b below a.
func (p Pattern) Keys(of ...map[string]any) []string {
	names := p[0].Names[1:]
	first, _, _ := strings.Cut(names, ".")
	seen := map[string]bool{}
	for _, m := range of {
		for key := range m {
			rest, ok := strings.CutPrefix(names, key)
			if ok && (rest == "" || rest[0] == '.') || first == "*" {
				seen[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Below is what is left of a pattern below one of its keys.
func (p Pattern) Below(key string) Pattern {
	names := p[0].Names[1:]
	rest, ok := strings.CutPrefix(names, key)
	if !ok || rest != "" && rest[0] != '.' {
		// The key stands for a star.
		_, rest, ok = strings.Cut(names, ".")
		if ok {
			rest = "." + rest
		}
	}
	if rest == "" {
		return p[1:]
	}
	return append(Pattern{{Names: rest}}, p[1:]...)
}
