package ignore

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
)

// keep gives object with the fields that p selects as live has them: set to
// the live value, or gone where live has none. Both may be of any type.
func keep(live, object value, p fieldpattern.Pattern) value {
	if len(p) == 0 {
		return live
	}
	if !object.ok {
		// Its parent went, and that is not ignored.
		return object
	}
	if p[0].Item == nil {
		return keepNames(live, object, p)
	}
	return keepItems(live, object, p)
}

type value struct {
	v  any
	ok bool
}

func keyOf(m map[string]any, key string) value {
	v, ok := m[key]
	return value{v, ok}
}

// keepNames goes through the keys with which the names can begin: .a.b is the
// key a.b, or b below a.
func keepNames(live, object value, p fieldpattern.Pattern) value {
	o, ok := object.v.(map[string]any)
	if !ok {
		return object
	}
	l, _ := live.v.(map[string]any)
	out := o
	for _, key := range p.Keys(l, o) {
		rest := p.Below(key)
		before := keyOf(out, key)
		after := keep(keyOf(l, key), before, rest)
		if len(rest) > 0 && !before.ok {
			continue
		}
		if out = maps.Clone(out); after.ok {
			out[key] = after.v
		} else {
			delete(out, key)
		}
	}
	return value{out, true}
}

// keepItems pairs the items that are selected on both sides.
func keepItems(live, object value, p fieldpattern.Pattern) value {
	o, ok := object.v.([]any)
	if !ok {
		return object
	}
	l, _ := live.v.([]any)
	s, rest := p[0].Item, p[1:]
	if s.Kind == fieldpattern.ByAll && len(rest) == 0 {
		return value{append([]any{}, l...), true}
	}
	partner := partners(l, o)
	var out []any
	for i, item := range o {
		if !s.Matches(i, item) {
			out = append(out, item)
			continue
		}
		var mate value
		if n := partner[i]; n >= 0 {
			mate = value{l[n], true}
		}
		if kept := keep(mate, value{item, true}, rest); kept.ok {
			out = append(out, kept.v)
		}
	}
	if len(rest) == 0 {
		out = restore(out, l, s, partner)
	}
	if out == nil {
		out = []any{}
	}
	return value{out, true}
}

// restore puts selected items back that only live has, at their positions.
func restore(out, live []any, s *fieldpattern.Selector, partner []int) []any {
	taken := map[int]bool{}
	for _, i := range partner {
		taken[i] = true
	}
	for i, item := range live {
		if taken[i] || !s.Matches(i, item) {
			continue
		}
		at := min(i, len(out))
		out = append(out[:at:at], append([]any{item}, out[at:]...)...)
	}
	return out
}

// identities are the fields that name an item in most lists of Kubernetes, in
// the order in which they are tried.
var identities = []string{"name", "key", "type", "containerPort", "port", "mountPath", "ip", "uid"}

// partners gives for each item the position of its live item, or -1. Items pair by a field
// unique in both lists, plain values by value, others by position.
func partners(live, object []any) []int {
	name := nameOf(live, object)
	at := map[string][]int{}
	for i, item := range live {
		at[name(i, item)] = append(at[name(i, item)], i)
	}
	out := make([]int, len(object))
	for i, item := range object {
		// Of equal values, the first goes with the first.
		n := name(i, item)
		if out[i] = -1; len(at[n]) > 0 {
			out[i], at[n] = at[n][0], at[n][1:]
		}
	}
	return out
}

func nameOf(lists ...[]any) func(int, any) string {
	for _, field := range identities {
		if namesAll(field, lists) {
			return func(_ int, item any) string { return text(item.(map[string]any)[field]) }
		}
	}
	if !slices.ContainsFunc(slices.Concat(lists...), managedfields.Composite) {
		return func(_ int, item any) string { return text(item) }
	}
	return func(i int, _ any) string { return text(i) }
}

// namesAll reports whether each item of each list has the field, and no two of
// one list the same.
func namesAll(field string, lists [][]any) bool {
	for _, list := range lists {
		seen := map[string]bool{}
		for _, item := range list {
			m, _ := item.(map[string]any)
			v, ok := m[field]
			if !ok || seen[text(v)] {
				return false
			}
			seen[text(v)] = true
		}
	}
	return true
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
