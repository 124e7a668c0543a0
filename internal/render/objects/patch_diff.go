package objects

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// patchOperation is one operation of RFC 6902.
type patchOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// MarshalJSON leaves the value out of a removal, and keeps null in the others.
func (p patchOperation) MarshalJSON() ([]byte, error) {
	m := map[string]any{"op": p.Op, "path": p.Path}
	if p.Op != "remove" {
		m["value"] = p.Value
	}
	s, err := JSON(m, "")
	return []byte(s), err
}

// patchOf gives the operations that make object of live.
func patchOf(live, object map[string]any) []patchOperation {
	var d patchDiff
	d.operations = []patchOperation{}
	if version, ok := lookup(live, "metadata", "resourceVersion"); ok {
		d.add("test", "/metadata/resourceVersion", version)
	}
	kept := append([]string{"managedFields"}, ServerFields...)
	d.maps("", withoutMetadata(live, kept...), withoutMetadata(object, kept...))
	return d.operations
}

func lookup(object map[string]any, keys ...string) (any, bool) {
	var v any = object
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

type patchDiff struct{ operations []patchOperation }

func (d *patchDiff) add(op, path string, value any) {
	d.operations = append(d.operations, patchOperation{op, path, value})
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

func (d *patchDiff) maps(path string, old, new map[string]any) {
	for _, key := range sortedUnion(old, new) {
		before, inOld := old[key]
		after, inNew := new[key]
		at := path + "/" + escapePointer.Replace(key)
		switch {
		case !inNew:
			d.add("remove", at, nil)
		case !inOld:
			d.add("add", at, after)
		default:
			d.values(at, before, after)
		}
	}
}

func (d *patchDiff) values(path string, old, new any) {
	if reflect.DeepEqual(old, new) {
		return
	}
	switch o := old.(type) {
	case map[string]any:
		if n, ok := new.(map[string]any); ok {
			d.maps(path, o, n)
			return
		}
	case []any:
		if n, ok := new.([]any); ok {
			d.lists(path, o, n)
			return
		}
	}
	d.add("replace", path, new)
}

// lists changes what is between the equal items at both ends: item by item as
// far as both sides go, then the rest is added or removed from its end.
func (d *patchDiff) lists(path string, old, new []any) {
	start := 0
	for start < len(old) && start < len(new) && reflect.DeepEqual(old[start], new[start]) {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && reflect.DeepEqual(old[len(old)-1-end], new[len(new)-1-end]) {
		end++
	}
	o, n := old[start:len(old)-end], new[start:len(new)-end]
	at := func(i int) string { return fmt.Sprintf("%s/%d", path, start+i) }
	both := min(len(o), len(n))
	for i := range both {
		d.values(at(i), o[i], n[i])
	}
	for i := len(o) - 1; i >= both; i-- {
		d.add("remove", at(i), nil)
	}
	for i := both; i < len(n); i++ {
		d.add("add", at(i), n[i])
	}
}

func sortedUnion(a, b map[string]any) []string {
	both := make(map[string]any, len(a)+len(b))
	maps.Copy(both, a)
	maps.Copy(both, b)
	return slices.Sorted(maps.Keys(both))
}
