package managedfields

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// maxDepth bounds the nesting of fieldsV1; no schema of the server comes near.
const maxDepth = 1000

// FromFields reads decoded fieldsV1 into a set, which is never nil without an error. Nil is
// the empty set. As in structured-merge-diff (fieldpath/serialize.go), path elements of an
// unknown type are dropped, and "." makes its parent a member.
//
//	{"f:spec": {".": {}, "f:replicas": {}}}  gives  .spec and .spec.replicas
func FromFields(v any) (*fieldpath.Set, error) {
	set := fieldpath.NewSet()
	if v == nil {
		return set, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	if _, err := readFields(set, m, 0); err != nil {
		return nil, err
	}
	return set, nil
}

// ToFields writes a set as fieldsV1. FromFields(ToFields(s)) equals s; nil is
// the empty set.
func ToFields(s *fieldpath.Set) (map[string]any, error) {
	if s == nil {
		return map[string]any{}, nil
	}
	b, err := s.ToJSON()
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, err
	}
	return out, nil
}

// readFields inserts the children of m into set, and reports whether m's own path is a
// member: where m says so, or has no children.
func readFields(set *fieldpath.Set, m map[string]any, depth int) (member bool, err error) {
	if depth > maxDepth {
		return false, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if key == "." {
			member = true
			continue
		}
		pe, err := fieldpath.DeserializePathElement(key)
		if errors.Is(err, fieldpath.ErrUnknownPathElementType) {
			continue
		}
		if err != nil {
			return false, badElement(key)
		}
		if err := readChild(set, pe, m[key], depth); err != nil {
			return false, err
		}
	}
	return member || set.Empty(), nil
}

func readChild(set *fieldpath.Set, pe fieldpath.PathElement, v any, depth int) error {
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		if pe.FieldName == nil {
			return errors.New("a path element of a list: its claims are no object") // a value is left out
		}
		return fmt.Errorf("path element %q: its claims are no object", pe.String())
	}
	child := fieldpath.NewSet()
	member, err := readFields(child, m, depth+1)
	if err != nil {
		return err
	}
	if member {
		set.Members.Insert(pe)
	}
	if !child.Empty() {
		*set.Children.Descend(pe) = *child
	}
	return nil
}

// sameFields reports whether decoded fieldsV1 are the same: maps in maps, down to
// empty ones.
func sameFields(a, b any) bool {
	x, ok := a.(map[string]any)
	y, is := b.(map[string]any)
	if !ok || !is || len(x) != len(y) {
		return false
	}
	for key, value := range x {
		if other, has := y[key]; !has || !sameFields(value, other) {
			return false
		}
	}
	return true
}

// badElement says why a path element cannot be read, without a word of it: it
// may be the value of a Secret.
func badElement(key string) error {
	switch {
	case strings.HasPrefix(key, "v:"):
		return errors.New("a path element v:… is no value in JSON")
	case strings.HasPrefix(key, "k:"):
		return errors.New("a path element k:… is no object in JSON that has the keys of a list item")
	case strings.HasPrefix(key, "i:"):
		return errors.New("a path element i:… is no index")
	}
	return errors.New("a path element without f:, k:, v: or i: in front")
}

// Within reports whether field is parent or below it; both are written as the API
// server writes fields in conflict causes.
func Within(field, parent string) bool {
	rest, ok := strings.CutPrefix(field, parent)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// IsKey reports whether a path is a key of a list item, which no manifest can leave out
// and keep the item.
func IsKey(path fieldpath.Path) bool {
	n := len(path)
	if n < 2 || path[n-1].FieldName == nil || path[n-2].Key == nil {
		return false
	}
	return slices.ContainsFunc(*path[n-2].Key, func(f value.Field) bool { return f.Name == *path[n-1].FieldName })
}

// shownOfSecret are the fields of a Secret with paths and values that are not secret.
var shownOfSecret = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "type": true, "immutable": true}

// Top cuts a field behind its first name, which is empty for the object itself
// and where a list item or a value comes first.
//
//	.data.password  gives  data and .password
func Top(field string) (name, below string) {
	field = strings.TrimPrefix(field, ".")
	if at := strings.IndexAny(field, ".["); at >= 0 {
		return field[:at], field[at:]
	}
	return field, ""
}

// ShownOfSecret reports whether a field of a Secret, or what is below it, holds no
// secret. A field that no Secret has may hold what data was to hold.
func ShownOfSecret(field string) bool {
	name, _ := Top(field)
	return shownOfSecret[name]
}

// FieldOfSecret is the path of a Secret's field without the values in it:
// those of set elements, and the keys of list items.
//
//	.data[="hunter2"]  gives  .data[=***]
func FieldOfSecret(field string) string {
	at := strings.Index(field, "[")
	switch {
	case at < 0 || ShownOfSecret(field):
		return field
	case strings.HasPrefix(field[at:], "[="):
		return field[:at] + "[=***]"
	}
	return field[:at] + "[***]"
}
