package fastapply

import (
	"math"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// step leads into a field of a map or an item of a list. Most paths are never asked for.
type step struct {
	// above is nil of the fields of the object itself.
	above *step
	name  string
	// list is that of an item; nil of fields.
	list    *mergeType
	element element
	// claims are what is claimed here and below; nil for nothing.
	claims *claims
	// number is another one for each step of an overlay.
	number int
}

func (s *step) path() fieldpath.Path {
	var path fieldpath.Path
	for ; s != nil; s = s.above {
		if s.list != nil {
			path = append(path, s.element.path(s.list))
			continue
		}
		name := s.name
		path = append(path, fieldpath.PathElement{FieldName: &name})
	}
	slices.Reverse(path)
	return path
}

// untracked reports whether the field is never owned (managedfields/internal/stripmeta.go),
// as far as a plain configuration can have such fields.
func (s *step) untracked() bool {
	switch {
	case s.above == nil:
		return s.name == "apiVersion" || s.name == "kind" || s.name == "metadata"
	case s.above.above == nil:
		return s.above.name == "metadata" && (s.name == "name" || s.name == "namespace")
	}
	return false
}

// claims is a field set as a tree, walked together with an object.
type claims struct {
	member bool
	fields map[string]*claims
	items  map[element]*claimedItem
}

type claimedItem struct {
	names []string
	claims
}

// claimsOf is a set as a tree. It is false, and claims less than the set, where that has
// elements of other kinds.
func claimsOf(set *fieldpath.Set) (*claims, bool) {
	root, all := &claims{}, true
	set.Iterate(func(path fieldpath.Path) {
		at := root
		for _, e := range path {
			if at = at.descend(e); at == nil {
				all = false
				return
			}
		}
		at.member = true
	})
	return root, all
}

// descend is the claims at a path element and below, made where missing; nil where they
// cannot be.
func (c *claims) descend(e fieldpath.PathElement) *claims {
	if e.FieldName != nil {
		next, ok := c.fields[*e.FieldName]
		if !ok {
			if c.fields == nil {
				c.fields = map[string]*claims{}
			}
			next = &claims{}
			c.fields[*e.FieldName] = next
		}
		return next
	}
	key, names, ok := elementIn(e)
	if !ok {
		return nil
	}
	item, has := c.items[key]
	if !has {
		if c.items == nil {
			c.items = map[element]*claimedItem{}
		}
		item = &claimedItem{names: names}
		c.items[key] = item
	}
	if !slices.Equal(item.names, names) {
		return nil
	}
	return &item.claims
}

func (c *claims) field(name string) *claims {
	if c == nil {
		return nil
	}
	return c.fields[name]
}

func (c *claims) item(list *mergeType, e element) *claims {
	if c == nil {
		return nil
	}
	if item := c.items[e]; item != nil && slices.Equal(item.names, list.keys) {
		return &item.claims
	}
	return nil
}

// maxKeys bounds the keys of keyed lists. Those of all built-in kinds have at most two.
const maxKeys = 4

// element is a path element of one list: the values of the keys of an item, in their
// order, or of an item of a set. Two are equal where their path elements are.
type element [maxKeys]any

// elementOf is the path element of an item of an associative list (structured-merge-diff,
// typed/helpers.go); false where the item has none, or one that is not worth the trouble.
func elementOf(list *mergeType, item any) (e element, ok bool) {
	if len(list.keys) == 0 {
		e[0] = item
		return e, scalar(item)
	}
	object, ok := item.(map[string]any)
	if !ok || len(list.keys) > maxKeys {
		return e, false
	}
	for i, name := range list.keys {
		v, has := object[name]
		if !has {
			v = list.keyDefault(name)
		}
		if !scalar(v) {
			return e, false
		}
		e[i] = v
	}
	return e, true
}

func (e element) path(list *mergeType) fieldpath.PathElement {
	if len(list.keys) == 0 {
		v := value.NewValueInterface(e[0])
		return fieldpath.PathElement{Value: &v}
	}
	keys := make(value.FieldList, 0, len(list.keys))
	for i, name := range list.keys {
		keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(e[i])})
	}
	return fieldpath.PathElement{Key: &keys}
}

// elementIn is a path element of a set of field paths, with the names of its keys; false
// for one that no item has here.
func elementIn(path fieldpath.PathElement) (e element, names []string, ok bool) {
	switch {
	case path.Value != nil:
		e[0] = scalarIn(*path.Value)
		return e, nil, e[0] != nil
	case path.Key == nil || len(*path.Key) > maxKeys:
		return e, nil, false
	}
	keys := slices.Clone(*path.Key)
	keys.Sort()
	for i, key := range keys {
		if e[i] = scalarIn(key.Value); e[i] == nil {
			return e, nil, false
		}
		names = append(names, key.Name)
	}
	return e, names, true
}

// scalarIn is a scalar as trees have it; nil for what is none. Those that were read of
// path elements are floats where trees have integers, which is the same to upstream.
func scalarIn(v value.Value) any {
	switch {
	case v.IsString():
		return v.AsString()
	case v.IsBool():
		return v.AsBool()
	case v.IsInt():
		return v.AsInt()
	case v.IsFloat():
		if f := v.AsFloat(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
	}
	return nil
}

// maxElements bounds lists whose items are compared pair by pair.
const maxElements = 256

// fewElements are those of most lists, for which there is room beforehand.
const fewElements = 4

// elementsOf are the path elements of all items, in the room that is given as far as it
// goes; false as well where they are too many.
func elementsOf(list *mergeType, items []any, elements []element) ([]element, bool) {
	if len(items) > maxElements {
		return nil, false
	}
	for _, item := range items {
		element, ok := elementOf(list, item)
		if !ok {
			return nil, false
		}
		elements = append(elements, element)
	}
	return elements, true
}
