package jsontree

import (
	"unsafe"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Equal reports whether a text is surely the tree's: equal keys, values and kinds
// of numbers, in any order of keys. The text must not repeat a key within an
// object, which no encoder does.
func Equal(text []byte, tree any) bool {
	c := comparer{scan.Bytes(text, maxDepth)}
	return c.value(tree) && c.Done()
}

// comparer compares as it reads. Its methods are false where it stops.
type comparer struct{ *scan.Scanner }

func (c comparer) value(tree any) bool {
	switch first := c.Next(); first {
	case '{':
		object, ok := tree.(map[string]any)
		return ok && c.members(object)
	case '[':
		list, ok := tree.([]any)
		return ok && c.elements(list)
	case '"':
		want, ok := tree.(string)
		return ok && string(c.Text()) == want && c.Err() == nil
	case 't', 'f', 'n':
		return constant(c.Scanner, first) == tree && c.Err() == nil
	}
	return number(c.Scanner) == tree && c.Err() == nil
}

func (c comparer) members(object map[string]any) bool {
	seen := 0
	for more := c.Begin('}'); more; more = c.More('}') {
		value, ok := object[string(c.Key())]
		if !ok || c.Err() != nil || !c.value(value) {
			return false
		}
		seen++
	}
	return c.Err() == nil && seen == len(object)
}

func (c comparer) elements(list []any) bool {
	seen := 0
	for more := c.Begin(']'); more; more = c.More(']') {
		if seen == len(list) || !c.value(list[seen]) {
			return false
		}
		seen++
	}
	return c.Err() == nil && seen == len(list)
}

// Same reports whether two maps are one map, or two lists one list: then nothing in them
// differs.
func Same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
	}
	return false
}
