package client

import (
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
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

// set sets what is at the path, in place. Where the path leads nowhere, nothing changes.
func (p pointer) set(value, to any) {
	parent := value
	if len(p) > 1 {
		parent, _ = p[:len(p)-1].get(value)
	}
	last := p[len(p)-1:]
	switch v := parent.(type) {
	case map[string]any:
		v[last[0]] = to
	case []any:
		if _, has := last.get(v); has {
			i, _ := strconv.Atoi(last[0])
			v[i] = to
		}
	}
}

// located are the places in an object of what a field path means.
func located(path fieldpath.Path, object any) []pointer {
	return pointers(fieldtree.Pointers(managedfields.Shape{}, object, path))
}

func pointers(texts []string) []pointer {
	var out []pointer
	for _, t := range texts {
		out = append(out, parsePointer(t))
	}
	return out
}
