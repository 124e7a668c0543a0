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
		return p.each(v, func(_ string, item any) any { return p.tree(item) })
	case []any:
		return p.items(v, p.tree)
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

// each gives a map with its values changed, sorted so that masks are numbered
// in a stable order. It is copied only where something changes.
func (p pass) each(object map[string]any, change func(key string, v any) any) map[string]any {
	out, copied := object, false
	for _, key := range slices.Sorted(maps.Keys(object)) {
		changed := change(key, object[key])
		if same(changed, object[key]) {
			continue
		}
		if !copied {
			out, copied = maps.Clone(object), true
		}
		out[key] = changed
	}
	return out
}

// items is each for lists.
func (p pass) items(list []any, change func(any) any) []any {
	out, copied := list, false
	for i, item := range list {
		changed := change(item)
		if same(changed, item) {
			continue
		}
		if !copied {
			out, copied = append([]any(nil), list...), true
		}
		out[i] = changed
	}
	return out
}

// secret masks all of a Secret but its identity and type: an unknown field, such as a
// mistyped Data, may have the values that data should have.
func (p pass) secret(object map[string]any) map[string]any {
	return p.each(object, p.top)
}

func (p pass) top(key string, v any) any {
	switch key {
	case "data", "stringData":
		return p.values(v, key == "data")
	case "metadata":
		if metadata, ok := v.(map[string]any); ok {
			return p.each(metadata, p.ofMetadata)
		}
	case "items":
		if items, ok := v.([]any); ok {
			return p.items(items, p.item)
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

// item masks an item of a SecretList, which need not say its kind.
func (p pass) item(v any) any {
	if object, ok := v.(map[string]any); ok {
		return p.secret(object)
	}
	return p.plain(v)
}

// values masks each value of data or stringData under its visible key.
func (p pass) values(v any, encoded bool) any {
	object, ok := v.(map[string]any)
	if !ok {
		return p.plain(v)
	}
	return p.each(object, func(key string, v any) any {
		p.m.publish(key)
		if encoded {
			return p.encoded(v)
		}
		return p.plain(v)
	})
}

func (p pass) encoded(v any) any {
	s, ok := v.(string)
	if !ok || isMask(s) {
		return p.plain(v)
	}
	if p.m.seal != nil {
		return p.m.inData(p.show(p.m.encoded(s)))
	}
	return p.show(p.m.encoded(s))
}

// written masks a value of stringData. Where it is unknown, but base64 of a known value, it
// is data that replaces it.
func (p pass) written(v any) any {
	s, ok := v.(string)
	if !ok || isMask(s) || p.m.values[sha256.Sum256([]byte(s))] != nil {
		return p.plain(v)
	}
	if plain, ok := fromBase64(s); ok && p.m.values[sha256.Sum256([]byte(plain))] != nil {
		return p.encoded(v)
	}
	return p.plain(v)
}

// plain masks a value of any type as a whole; null tells nothing and stays.
func (p pass) plain(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if isMask(v) {
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
		return ok && sameMap(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && sameList(a, b)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	if a == nil || b == nil {
		return a == b
	}
	return reflect.TypeOf(a).Comparable() && reflect.TypeOf(b).Comparable() && a == b
}

func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}

func sameList(a, b []any) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
