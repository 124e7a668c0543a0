package client

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// pointer is an RFC 6901 path.
type pointer []string

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func parsePointer(text string) pointer {
	if !strings.HasPrefix(text, "/") {
		return nil
	}
	p := pointer(strings.Split(text[1:], "/"))
	for i := range p {
		p[i] = unescape.Replace(p[i])
	}
	return p
}

// get is the value at the path; false where there is none.
func (p pointer) get(value any) (any, bool) {
	for _, key := range p {
		switch v := value.(type) {
		case map[string]any:
			next, has := v[key]
			if !has {
				return nil, false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, len(p) > 0
}

// remove removes what is at the path, in place, and gives the value without it.
func (p pointer) remove(value any) any {
	if len(p) == 0 {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		if next, has := v[p[0]]; has && len(p) > 1 {
			v[p[0]] = p[1:].remove(next)
		} else {
			delete(v, p[0])
		}
	case []any:
		i, err := strconv.Atoi(p[0])
		if err != nil || i < 0 || i >= len(v) {
			return v
		}
		if len(p) == 1 {
			return append(v[:i:i], v[i+1:]...)
		}
		v[i] = p[1:].remove(v[i])
	}
	return value
}

// set sets what is at the path, in place; missing parents are made of maps where build
// says so. Where the path leads nowhere, nothing changes.
func (p pointer) set(value, to any, build bool) {
	for i, key := range p {
		last := i == len(p)-1
		switch v := value.(type) {
		case map[string]any:
			if last {
				v[key] = to
				return
			}
			if _, has := v[key]; !has && build {
				v[key] = map[string]any{}
			}
			value = v[key]
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(v) {
				return
			}
			if last {
				v[n] = to
				return
			}
			value = v[n]
		default:
			return
		}
	}
}

// located is where an object has what a field path means; false where it has not.
func located(path fieldpath.Path, object any) (pointer, bool) {
	var out pointer
	at := object
	for _, e := range path {
		key := ""
		switch {
		case e.FieldName != nil:
			key = *e.FieldName
		default:
			items, _ := at.([]any)
			i := slices.IndexFunc(items, func(item any) bool { return means(e, item) })
			if i < 0 {
				return nil, false
			}
			key = strconv.Itoa(i)
		}
		next, has := pointer{key}.get(at)
		if !has {
			return nil, false
		}
		out, at = append(out, key), next
	}
	return out, true
}

// means reports whether a path element is that of a list item.
func means(e fieldpath.PathElement, item any) bool {
	switch {
	case e.Value != nil:
		return value.Equals(*e.Value, value.NewValueInterface(item))
	case e.Key != nil:
		fields, _ := item.(map[string]any)
		return !slices.ContainsFunc(*e.Key, func(f value.Field) bool { return !value.Equals(f.Value, value.NewValueInterface(fields[f.Name])) })
	}
	return false
}
