package redact

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// pass goes over Secrets and gives them with each value shown as it says.
type pass struct {
	m    *Masker
	show func(*value) string
}

// tree masks the Secrets in a tree; anything else is given back as it is.
func (p pass) tree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if isSecret(v) {
			return p.secret(v)
		}
		return each(v, func(_ string, item any) any { return p.tree(item) })
	case []any:
		return items(v, p.tree)
	case string:
		return p.text(v)
	case nil, bool, int, int64, float64:
		return v
	}
	// What is no JSON comes from no input; what is in it is not known.
	return p.plain(v)
}

// text masks a value that is a manifest with a Secret, of JSON only the values.
// Any other text is masked where it is the value of a Secret.
func (p pass) text(s string) any {
	switch {
	case isMask(s):
	case HoldsText(s):
		if object, ok := parsedObject(s); ok {
			return rewritten(s, object, p.tree(object))
		}
		p.m.learnText(s)
		return p.show(p.m.whole(s))
	default:
		if v := p.m.found(s); v != nil && !p.m.public[s] && weigh(s) != quoted {
			return p.show(v)
		}
	}
	return s
}

// each gives a map with its values changed, in the order of the keys, so that masks are
// numbered in a stable order. It is copied only where something changes.
func each(object map[string]any, change func(key string, v any) any) map[string]any {
	out := object
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if changed := change(key, object[key]); !same(changed, object[key]) {
			if same(out, object) {
				out = maps.Clone(object)
			}
			out[key] = changed
		}
	}
	return out
}

// items is each for lists.
func items(list []any, change func(any) any) []any {
	out := list
	for i, item := range list {
		if changed := change(item); !same(changed, item) {
			if same(out, list) {
				out = slices.Clone(list)
			}
			out[i] = changed
		}
	}
	return out
}

// secret masks all of a Secret but its identity and type: an unknown field, such as a
// mistyped Data, may have the values that data should have.
func (p pass) secret(object map[string]any) map[string]any { return each(object, p.top) }

func (p pass) top(key string, v any) any {
	switch key {
	case "data", "stringData":
		if values, ok := v.(map[string]any); ok {
			return each(values, func(name string, v any) any {
				p.m.publish(name)
				if key == "data" {
					return p.encoded(v)
				}
				return p.plain(v)
			})
		}
	case "metadata":
		if metadata, ok := v.(map[string]any); ok {
			return each(metadata, p.ofMetadata)
		}
	case "items":
		if list, ok := v.([]any); ok {
			// An item of a SecretList need not say its kind.
			return items(list, func(item any) any { return p.at("", item) })
		}
	case "apiVersion", "kind", "type":
		if _, ok := v.(string); ok {
			return v
		}
	case "immutable":
		if _, ok := v.(bool); ok {
			return v
		}
	}
	return p.plain(v)
}

func (p pass) encoded(v any) any {
	s, ok := v.(string)
	if !ok || s == "" || isMask(s) {
		return p.plain(v)
	}
	shown := p.show(p.m.encoded(s))
	if p.m.seal != nil {
		return p.m.inData(shown)
	}
	return shown
}

// written masks a value of stringData. Where it is unknown, but base64 of a known value, it
// is data that replaces it.
func (p pass) written(v any) any {
	known := func(s string) bool { return p.m.values[sha256.Sum256([]byte(s))] != nil }
	if s, ok := v.(string); ok && !isMask(s) && !known(s) {
		if plain, ok := fromBase64(s); ok && known(plain) {
			return p.encoded(v)
		}
	}
	return p.plain(v)
}

// plain masks a value of any type as a whole; null and an empty text tell nothing and stay.
func (p pass) plain(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if v == "" || isMask(v) {
			return v
		}
		return p.show(p.m.known(v))
	}
	p.leaves(v)
	return p.show(p.m.known(fmt.Sprint(v)))
}

// leaves learns the values inside one that is masked as a whole.
func (p pass) leaves(v any) {
	switch v := v.(type) {
	case nil, bool:
	case []any:
		for _, item := range v {
			p.leaves(item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			p.leaves(v[key])
		}
	case string:
		if object, ok := parsedObject(v); ok {
			p.leaves(object)
		}
		p.m.encoded(v)
	default:
		p.m.known(fmt.Sprint(v))
	}
}

// at masks what stands at a field path of a Secret.
func (p pass) at(path string, v any) any {
	top, below := managedfields.Top(path)
	switch {
	case v == nil:
		return nil
	case top == "" && below == "":
		if object, ok := v.(map[string]any); ok {
			return p.secret(object)
		}
	case below == "":
		return p.top(top, v)
	case top == "data":
		return p.encoded(v)
	case top == "stringData":
		return p.written(v)
	case top == "metadata":
		return p.belowMetadata(below, v)
	}
	return p.plain(v)
}

// rewritten is a text of an object in JSON with a masked one in its place.
func rewritten(text string, object map[string]any, masked any) string {
	if same(masked, object) {
		return text
	}
	b, err := json.Marshal(masked)
	if err != nil {
		return unseen
	}
	if strings.HasSuffix(text, "\n") {
		b = append(b, '\n')
	}
	return string(b)
}

// same reports whether a change left a value as it is: maps and lists are
// copied where anything in them changes.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	}
	return a == b
}
