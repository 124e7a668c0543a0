package conflict

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// NatureKind is how a field merges.
type NatureKind string

// The kinds of field.
const (
	// Scalar: one value, owned as one.
	Scalar NatureKind = "Scalar"
	// GranularMap: each key is a field of its own.
	GranularMap NatureKind = "GranularMap"
	// AtomicMap and AtomicList: owned, compared and replaced as a whole.
	AtomicMap  NatureKind = "AtomicMap"
	AtomicList NatureKind = "AtomicList"
	// KeyedList: each item is a field of its own, known by its keys.
	KeyedList NatureKind = "KeyedList"
	// Set: each value of the list is a field of its own.
	Set NatureKind = "Set"
	// KeyedItem and SetItem: an item of such lists.
	KeyedItem NatureKind = "KeyedItem"
	SetItem   NatureKind = "SetItem"
)

// Nature is what a field is for Server-Side Apply.
type Nature struct {
	Kind NatureKind `json:"kind"`
	// Keys identify the items of a keyed list, or the item itself.
	Keys []string `json:"keys,omitempty"`
	// List is the nearest keyed list or set that the field is in; empty for
	// none. ListKeys are empty for a set.
	List     string   `json:"list,omitempty"`
	ListKeys []string `json:"listKeys,omitempty"`
	// Deduced is true where no schema is known for the kind.
	Deduced bool `json:"deduced,omitempty"`
}

// natureOf follows a path through the schema. The value tells maps and lists
// where the schema does not.
func natureOf(shape managedfields.Shape, path fieldpath.Path, v any) Nature {
	n := Nature{}
	for i, pe := range path {
		if pe.FieldName == nil {
			n.List, n.ListKeys = path[:i].String(), shape.Keys()
		}
		if i == len(path)-1 && pe.Key != nil {
			n.Kind, n.Keys = KeyedItem, shape.Keys()
		}
		if i == len(path)-1 && pe.Value != nil {
			n.Kind = SetItem
		}
		shape = shape.Child(pe)
	}
	if n.Kind != "" {
		return n
	}
	n.Kind, n.Keys = kindOf(shape, v), shape.Keys()
	return n
}

func kindOf(shape managedfields.Shape, v any) NatureKind {
	_, isMap := v.(map[string]any)
	_, isList := v.([]any)
	switch {
	case shape.AtomicMap() && !isList:
		return AtomicMap
	case isMap:
		return GranularMap
	case len(shape.Keys()) > 0:
		return KeyedList
	case shape.Associative():
		return Set
	case isList:
		return AtomicList
	}
	return Scalar
}

// HasParts reports whether what is in the field has owners of its own.
func (n Nature) HasParts() bool {
	switch n.Kind {
	case Scalar, AtomicMap, AtomicList, SetItem:
		return false
	}
	return true
}
