package engine

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

type jsonOperation struct {
	// pointers are the unescaped segments of path and, for a move, from.
	pointers [][]string
	value    any
	hasValue bool
}

func jsonOperations(body any) []jsonOperation {
	list, _ := body.([]any)
	var out []jsonOperation
	for _, v := range list {
		m, _ := v.(map[string]any)
		op, _ := m["op"].(string)
		if op == "test" {
			continue
		}
		o := jsonOperation{}
		o.value, o.hasValue = m["value"]
		for _, key := range []string{"path", "from"} {
			if p, ok := m[key].(string); ok && (key == "path" || op == "move") {
				o.pointers = append(o.pointers, segments(p))
			}
		}
		out = append(out, o)
	}
	return out
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// segments are the unescaped parts of a JSON pointer (RFC 6901); none for the
// whole document.
func segments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range parts {
		parts[i] = unescape.Replace(parts[i])
	}
	return parts
}

// patched is the value that the last operation on path or on a parent gives it. List
// positions are not followed.
func (in intent) patched(path fieldpath.Path) (any, bool) {
	for i := len(in.operations) - 1; i >= 0; i-- {
		op := in.operations[i]
		if len(op.pointers) == 0 || !op.hasValue {
			continue
		}
		p := op.pointers[0]
		if len(p) <= len(path) && named(p, path[:len(p)]) {
			return one(in.shapeAt(path[:len(p)]).Lookup(op.value, path[len(p):]))
		}
	}
	return nil, false
}

func (in intent) shapeAt(path fieldpath.Path) managedfields.Shape {
	s := in.shape
	for _, pe := range path {
		s = s.Child(pe)
	}
	return s
}

// touches reports whether an operation is on the path, a parent, or something
// below it. Any list position counts as any other.
func (in intent) touches(path fieldpath.Path) bool {
	for _, op := range in.operations {
		for _, p := range op.pointers {
			if meets(p, path) {
				return true
			}
		}
	}
	return false
}

func meets(pointer []string, path fieldpath.Path) bool {
	for i := 0; i < len(pointer) && i < len(path); i++ {
		if name := path[i].FieldName; name != nil && *name != pointer[i] {
			return false
		}
	}
	return true
}

func named(pointer []string, path fieldpath.Path) bool {
	for i, pe := range path {
		if pe.FieldName == nil || *pe.FieldName != pointer[i] {
			return false
		}
	}
	return true
}
