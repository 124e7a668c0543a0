package redact

import (
	"strings"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// Hold notes that fields of an object were made from values of Secrets: they are masked wherever the object is
// shown, and what is said of the object is searched for values.
func (m *Masker) Hold(apiVersion, kind, namespace, name string, fields []string) {
	if m.Shows() || len(fields) == 0 {
		return
	}
	m.held.Store(target{apiVersion, kind, namespace, name}, fields)
}

// heldIn are the fields of an object that were made from values of Secrets; nil for none.
func (m *Masker) heldIn(t target) []string {
	fields, _ := m.held.Load(t)
	list, _ := fields.([]string)
	return list
}

// covers reports whether a field is one of some, or in one, or has one in it.
func covers(fields []string, field string) bool {
	for _, f := range fields {
		if managedfields.Within(field, f) || managedfields.Within(f, field) {
			return true
		}
	}
	return false
}

// without is an object, or what is at a path of it, without the values of some fields:
// nothing is said of them, not even which are equal.
func without(v any, fields []string, path string) any {
	below := func(at string, v any) any {
		for _, field := range fields {
			if at == field {
				return hidden(v)
			}
		}
		for _, field := range fields {
			if strings.HasPrefix(field, at) && strings.IndexAny(field[len(at):], ".[") == 0 {
				return without(v, fields, at)
			}
		}
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return each(v, func(key string, item any) any { return below(path+"."+key, item) })
	case []any:
		return items(v, func(item any) any {
			object, _ := item.(map[string]any)
			name, is := object["name"].(string)
			if !is {
				return item
			}
			return below(path+disguise.Item(name), item)
		})
	}
	return v
}
