package fielddiff

import (
	"encoding/json"
	"slices"
)

// Pair is an item that differs in two versions of a list: one that is removed, added,
// changed or moved.
type Pair struct {
	Kind Kind
	// Before and After are JSON values; nil where there is none.
	Before, After any
	// From and To are the positions in the two lists, counted from 0; -1 where there is none.
	From, To int
}

// Align compares two lists whose items have no keys in the merge schema, such as the rules
// of a ClusterRole. Items that are equal belong together, wherever they stand, and so do
// items that name the same thing, or are alike at the same place.
//
// Laws: equal lists have no pair; without what is removed and with what is added, changed
// and moved, the one list is the other; as few items as possible are moved. Pairs come in
// the order of the items, removed ones where they were.
func Align(before, after []any) []Pair {
	a := newAlignment(before, after)
	a.equal()
	a.named()
	a.alike()
	return a.pairs()
}

// alignment matches the items of two lists: the position in the other list, -1 for none.
type alignment struct {
	before, after []any
	// texts are the items as JSON with sorted keys.
	beforeTexts, afterTexts []string
	to, from                []int
	// stays are the items of after that are equal and keep their place among such.
	stays []bool
}

func newAlignment(before, after []any) *alignment {
	a := &alignment{before: before, after: after, beforeTexts: textsOf(before), afterTexts: textsOf(after)}
	a.to, a.from = unmatched(len(before)), unmatched(len(after))
	a.stays = make([]bool, len(after))
	return a
}

func textsOf(list []any) []string {
	out := make([]string, len(list))
	for i, item := range list {
		// A JSON value can be encoded.
		text, _ := json.Marshal(item)
		out[i] = string(text)
	}
	return out
}

func unmatched(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

func (a *alignment) match(before, after int) { a.to[before], a.from[after] = after, before }

// equal matches equal items, the first with the first of several.
func (a *alignment) equal() {
	places := map[string][]int{}
	for i, text := range a.beforeTexts {
		places[text] = append(places[text], i)
	}
	var at, was []int
	for i, text := range a.afterTexts {
		if list := places[text]; len(list) > 0 {
			places[text] = list[1:]
			a.match(list[0], i)
			at, was = append(at, i), append(was, list[0])
		}
	}
	for _, n := range longestRising(was) {
		a.stays[at[n]] = true
	}
}

// named matches the items left that name the same thing, if no other one does.
func (a *alignment) named() {
	old, new := byIdentity(a.before, a.to), byIdentity(a.after, a.from)
	for name, i := range old {
		if j, ok := new[name]; ok && i >= 0 && j >= 0 {
			a.match(i, j)
		}
	}
}

// byIdentity are the positions of unmatched items by what they name; -1 for several.
func byIdentity(list []any, matched []int) map[string]int {
	out := map[string]int{}
	for i, item := range list {
		name := Identity(item)
		if matched[i] >= 0 || name == nil {
			continue
		}
		text := textsOf([]any{name})[0]
		if _, again := out[text]; again {
			i = -1
		}
		out[text] = i
	}
	return out
}

// maxAlike is how many items are looked at for one that is alike.
const maxAlike = 100

// alike matches, between items that keep their place, those that are left and alike.
func (a *alignment) alike() {
	i := 0
	for j := range a.after {
		switch {
		case a.stays[j]:
			i = a.from[j] + 1
		case a.from[j] < 0:
			for n := i; n < min(len(a.before), i+maxAlike); n++ {
				if stays := a.to[n] >= 0 && a.stays[a.to[n]]; stays {
					break
				}
				if a.to[n] < 0 && similar(a.before[n], a.after[j]) {
					a.match(n, j)
					i = n + 1
					break
				}
			}
		}
	}
}

// pairs are the items that differ.
func (a *alignment) pairs() []Pair {
	var out []Pair
	next := 0
	removedUpTo := func(limit int) {
		for ; next < limit; next++ {
			if a.to[next] < 0 {
				out = append(out, Pair{Kind: Removed, Before: a.before[next], From: next, To: -1})
			}
		}
	}
	for j, item := range a.after {
		i := a.from[j]
		switch {
		case i < 0:
			out = append(out, Pair{Kind: Added, After: item, From: -1, To: j})
			continue
		case a.stays[j]:
			removedUpTo(i)
			continue
		case a.beforeTexts[i] == a.afterTexts[j]:
			out = append(out, Pair{Kind: Moved, Before: a.before[i], After: item, From: i, To: j})
			continue
		}
		out = append(out, Pair{Kind: Modified, Before: a.before[i], After: item, From: i, To: j})
	}
	removedUpTo(len(a.before))
	return out
}

// identifying are the fields by which the API's lists name their items, the best first.
var identifying = []string{"name", "key", "id", "alert", "record", "host", "path",
	"mountPath", "port", "containerPort", "cidr"}

// ofRule are the fields by which a rule of a Role says what it is about.
var ofRule = []string{"apiGroups", "resources", "resourceNames", "nonResourceURLs"}

// Identity is what an item names, as a map with a field or, of a rule of a Role, several;
// nil for an item that names nothing.
func Identity(item any) map[string]any {
	m, _ := item.(map[string]any)
	if isRule(m) {
		out := map[string]any{}
		for _, field := range ofRule {
			if v, ok := m[field]; ok {
				out[field] = v
			}
		}
		return out
	}
	for _, field := range identifying {
		switch v := m[field].(type) {
		case string, int64, float64:
			return map[string]any{field: v}
		}
	}
	return nil
}

// isRule reports whether an item is a rule of a Role.
func isRule(m map[string]any) bool {
	return m["verbs"] != nil && (m["resources"] != nil || m["nonResourceURLs"] != nil)
}

// similarRules reports whether two rules of a Role are about mostly the same.
func similarRules(a, b map[string]any) bool {
	for _, field := range ofRule {
		x, _ := a[field].([]any)
		y, _ := b[field].([]any)
		common := 0
		for _, v := range x {
			if slices.ContainsFunc(y, func(other any) bool { return same(v, other) }) {
				common++
			}
		}
		if 2*common < max(len(x), len(y)) {
			return false
		}
	}
	return true
}

// similar reports whether two items that are equal in no other way are versions of one:
// maps with half of their fields in common that do not name different things, rules of a Role
// about mostly the same, and texts that begin alike, such as two values of a flag.
func similar(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if ok && isRule(a) && isRule(b) {
			return similarRules(a, b)
		}
		if !ok || Identity(a) != nil || Identity(b) != nil {
			return false
		}
		common := 0
		for key, v := range a {
			if other, has := b[key]; has && same(v, other) {
				common++
			}
		}
		return 2*common >= max(len(a), len(b))
	case string:
		b, ok := b.(string)
		return ok && flagOf(a) != "" && flagOf(a) == flagOf(b)
	}
	return false
}

// flagOf is a text up to its first = or :, empty without.
func flagOf(text string) string {
	for i, c := range text {
		if slices.Contains([]rune("=:"), c) {
			return text[:i]
		}
	}
	return ""
}
