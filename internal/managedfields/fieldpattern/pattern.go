// Package fieldpattern is how people write fields of objects: as the API server
// writes them in conflict causes, with stars for any key and any item.
//
//	pattern.go  the text of a pattern, and the values that it selects in a JSON tree
//	covers.go   the field paths that a pattern is about
package fieldpattern

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Pattern is a parsed field path. Names are kept in one piece as long as no
// bracket comes between, since a key may have dots itself: which keys they
// are is only known with an object at hand.
//
//	.metadata.annotations.example.com/hash
//	.spec.template.spec.containers[name="main"].image
//	.spec.containers[*].image, .spec.list[0], .metadata.finalizers[="x"]
type Pattern []Segment

// Segment is either names (".spec.template") or a selector of list items.
type Segment struct {
	Names string
	// Quoted: Names is one key, as it stands.
	Quoted bool
	Item   *Selector
}

// Selector selects list items: all, one by position, those with keys, or
// those that are a value.
type Selector struct {
	Kind  SelectorKind
	Index int
	Keys  map[string]any
	Value any
}

// SelectorKind is how list items are selected.
type SelectorKind int

// The kinds of selector.
const (
	ByAll SelectorKind = iota
	ByIndex
	ByKeys
	ByValue
)

// Parse reads a field path as the API server writes it in conflict
// causes, with [*] for every item and ["key"] for a key of a map besides.
func Parse(text string) (Pattern, error) {
	rest := text
	if !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "[") {
		rest = "." + rest
	}
	var p Pattern
	for rest != "" {
		if rest[0] == '[' {
			end := Closing(rest)
			if end < 0 {
				return nil, fmt.Errorf("field path %q: no closing bracket", text)
			}
			s, err := parseBracket(rest[1:end])
			if err != nil {
				return nil, fmt.Errorf("field path %q: %w", text, err)
			}
			p, rest = append(p, s), rest[end+1:]
			continue
		}
		end := strings.IndexByte(rest, '[')
		if end < 0 {
			end = len(rest)
		}
		names := rest[:end]
		if names[0] != '.' || strings.HasSuffix(names, ".") {
			return nil, fmt.Errorf("field path %q: write it as .spec.replicas", text)
		}
		p, rest = append(p, Segment{Names: names}), rest[end:]
	}
	return p, nil
}

// Closing finds the bracket that ends the selector at the start of s; -1 when
// there is none. Brackets inside of strings do not count.
func Closing(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ']' && !quoted:
			return i
		}
	}
	return -1
}

func parseBracket(inner string) (Segment, error) {
	switch {
	case inner == "*":
		return Segment{Item: &Selector{Kind: ByAll}}, nil
	case strings.HasPrefix(inner, "="):
		var v any
		if err := json.Unmarshal([]byte(inner[1:]), &v); err != nil {
			return Segment{}, fmt.Errorf("[%s] has no JSON value: %w", inner, err)
		}
		return Segment{Item: &Selector{Kind: ByValue, Value: v}}, nil
	case strings.HasPrefix(inner, `"`):
		var key string
		if err := json.Unmarshal([]byte(inner), &key); err != nil {
			return Segment{}, fmt.Errorf("[%s] is no string: %w", inner, err)
		}
		return Segment{Names: "." + key, Quoted: true}, nil
	}
	if n, err := strconv.Atoi(inner); err == nil && n >= 0 {
		return Segment{Item: &Selector{Kind: ByIndex, Index: n}}, nil
	}
	keys, err := parseKeys(inner)
	return Segment{Item: &Selector{Kind: ByKeys, Keys: keys}}, err
}

func parseKeys(inner string) (map[string]any, error) {
	keys := map[string]any{}
	for rest := inner; ; {
		name, after, ok := strings.Cut(rest, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("[%s] is no position, key=value, =value or *", inner)
		}
		decoder := json.NewDecoder(strings.NewReader(after))
		var v any
		if err := decoder.Decode(&v); err != nil {
			return nil, fmt.Errorf("[%s]: the value of %s is not JSON: %w", inner, name, err)
		}
		keys[name] = v
		rest = after[decoder.InputOffset():]
		if rest == "" {
			return keys, nil
		}
		if rest[0] != ',' {
			return nil, fmt.Errorf("[%s]: a comma is missing after the value of %s", inner, name)
		}
		rest = rest[1:]
	}
}

// Matches reports whether a list item at position i is selected.
func (s *Selector) Matches(i int, item any) bool {
	switch s.Kind {
	case ByAll:
		return true
	case ByIndex:
		return i == s.Index
	case ByValue:
		return same(item, s.Value)
	}
	m, ok := item.(map[string]any)
	if !ok {
		return false
	}
	met := 0
	for name, want := range s.Keys {
		have, ok := m[name]
		if ok && !same(have, want) {
			return false
		}
		if ok {
			met++
		}
	}
	// A key that the item lacks has the schema's default, as protocol does.
	return met > 0
}

// same compares JSON values whose numbers may be of different Go types.
func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

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
