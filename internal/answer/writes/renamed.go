package writes

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/report"
)

// renamed makes one change of an item that a list loses and of the item that it gains in its
// place: one that has at least half of its values. Its field names both, and its values are without
// their keys. The others stay as they are.
func renamed(list []report.Change, after map[string]any) []report.Change {
	out := list
	for _, lost := range list {
		item, isMap := lost.Before.(map[string]any)
		_, keys := report.Pattern(lost.Field)
		if lost.Kind != report.Removed || !isMap || !strings.HasSuffix(lost.Field, "]") {
			continue
		}
		at := len(lost.Field) - len("[]") - len(keys[len(keys)-1])
		gained, value := successor(out, lost.Field[:at], item, after)
		if gained == "" {
			continue
		}
		one := lost
		one.Kind, one.Reason = report.Modified, report.ReasonApplied
		one.Field += " -> " + gained[at:]
		one.Before, one.After = unkeyed(item, gained), unkeyed(value, gained)
		var rest []report.Change
		for _, c := range out {
			switch {
			case c.Field == lost.Field:
				rest = append(rest, report.Change{})
			case !strings.HasPrefix(c.Field, gained):
				rest = append(rest, c)
			case one.Source == nil:
				one.Source = c.Source
			}
		}
		at = slices.IndexFunc(rest, func(c report.Change) bool { return c.Field == "" })
		rest[at] = one
		out = rest
	}
	return out
}

// successor is the item that a list gains which has the most values of one that it loses, as
// its field with the value; empty where none has half of them.
func successor(list []report.Change, of string, lost, after map[string]any) (field string, value map[string]any) {
	most := (leaves(lost) + 1) / 2
	for _, c := range list {
		rest, in := strings.CutPrefix(c.Field, of)
		if !in || c.Kind != report.Added || !strings.HasPrefix(rest, "[") {
			continue
		}
		end := fieldpattern.Closing(rest)
		if end < 0 || of+rest[:end+1] == field {
			continue
		}
		gained := of + rest[:end+1]
		item := itemAt(after, gained)
		if n := shared(lost, item); n >= most && whollyNew(list, gained, item) {
			most, field, value = n+1, gained, item
		}
	}
	return field, value
}

// itemAt is the item that a field names in an object; nil for none.
func itemAt(object map[string]any, field string) map[string]any {
	pattern, err := fieldpattern.Parse(field)
	if err != nil {
		return nil
	}
	for _, found := range pattern.Find(object) {
		if item, is := found.(map[string]any); is {
			return item
		}
	}
	return nil
}

// whollyNew reports whether all keys of an item are added.
func whollyNew(list []report.Change, field string, item map[string]any) bool {
	keys := keysOf(field)
	for name := range keys {
		added := func(c report.Change) bool { return c.Field == field+"."+name && c.Kind == report.Added }
		if item[name] != nil && !slices.ContainsFunc(list, added) {
			return false
		}
	}
	return len(keys) > 0
}

// unkeyed is an item without the keys that its field names.
func unkeyed(item map[string]any, field string) map[string]any {
	out := maps.Clone(item)
	for name := range keysOf(field) {
		delete(out, name)
	}
	return out
}

// keysOf are the keys that the field of a list item names it by; none for another field.
func keysOf(field string) map[string]any {
	pattern, err := fieldpattern.Parse(field)
	if err != nil || pattern[len(pattern)-1].Item == nil {
		return nil
	}
	return pattern[len(pattern)-1].Item.Keys
}

// leaves counts the values in a value.
func leaves(v any) int {
	m, is := v.(map[string]any)
	if !is {
		return 1
	}
	n := 0
	for _, one := range m {
		n += leaves(one)
	}
	return n
}

// shared counts the values that two maps have in common.
func shared(a, b map[string]any) int {
	n := 0
	for name, v := range a {
		x, isMap := v.(map[string]any)
		y, areMaps := b[name].(map[string]any)
		switch {
		case isMap && areMaps:
			n += shared(x, y)
		case b[name] != nil && reflect.DeepEqual(v, b[name]):
			n++
		}
	}
	return n
}
