package conflict

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// DifferenceKind reports how your value differs from the live one.
type DifferenceKind string

// The kinds of difference. All but Real and Unknown mean that the object would
// stay as it is.
const (
	// Real: another value would be stored.
	Real DifferenceKind = "Real"
	// Spelling: the server stores your value as the live one (1000m as 1).
	Spelling DifferenceKind = "Spelling"
	// Dropped: the server stores nothing for your value (false, {}, [], null).
	Dropped DifferenceKind = "Dropped"
	// Defaulted: the live value is yours with defaults filled in.
	Defaulted DifferenceKind = "Defaulted"
	// WriteOnly: the field is never seen in the live object (stringData).
	WriteOnly DifferenceKind = "WriteOnly"
	// Unknown: the server stores nothing to compare with, as it refuses.
	Unknown DifferenceKind = "Unknown"
)

// Difference is what the server would store for your value, compared with what
// is stored.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	// Stored is what would be stored for your value.
	Stored *Value `json:"stored,omitempty"`
	// Filled are the places below the field that defaulting fills in, sorted;
	// only for Defaulted.
	Filled []string `json:"filled,omitempty" secret:"path"`
}

// Changes reports whether the live object would change.
func (d Difference) Changes() bool { return d.Kind == Real || d.Kind == Unknown }

// difference reads off the forced apply of this field alone what your value
// comes to.
func (s *session) difference(c *Claim, t Conflict, take report.Result) Difference {
	if take.Object == nil {
		return Difference{Kind: Unknown}
	}
	if stringData(s.Write, t.Field) {
		// data has what it writes.
		if reflect.DeepEqual(take.Object["data"], s.base.Object["data"]) {
			return Difference{Kind: WriteOnly}
		}
		return Difference{Kind: Real}
	}
	stored := ValueAt(s.Shape, take.Object, c.Path)
	d := Difference{Kind: Real, Stored: &stored}
	live := s.liveValue(c, t)
	switch {
	case !reflect.DeepEqual(stored, live):
	case live.Missing:
		d.Kind = Dropped
	case ownership.Extends(live.Value, t.Yours.Value, sameJSON):
		d.Kind, d.Filled = Defaulted, filled("", t.Yours.Value, live.Value)
	default:
		d.Kind = Spelling
	}
	return d
}

// liveValue is what is stored for a claim's field at the manifest's version:
// the owner's version may spell it otherwise.
func (s *session) liveValue(c *Claim, t Conflict) Value {
	version, _ := s.Write.Kind.ToAPIVersionAndKind()
	live, err := s.At(version)
	if err != nil {
		return t.Live
	}
	return ValueAt(s.Shape, live, c.Path)
}

// ValueAt is the value that an object has at a path, by its shape.
func ValueAt(shape managedfields.Shape, object map[string]any, path fieldpath.Path) Value {
	switch found := shape.Lookup(object, path); len(found) {
	case 0:
		return Value{Missing: true}
	case 1:
		return Value{Value: found[0]}
	default:
		return Value{Value: found}
	}
}

func stringData(w engine.Write, field string) bool {
	below, is := strings.CutPrefix(field, ".stringData")
	return is && below != "" && w.Kind.Group == "" && w.Kind.Kind == "Secret"
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// filled are the paths that a stored value has beyond what was asked for.
func filled(at string, asked, stored any) []string {
	var out []string
	switch have := stored.(type) {
	case map[string]any:
		want, _ := asked.(map[string]any)
		for k, v := range have {
			if w, ok := want[k]; ok {
				out = append(out, filled(at+"."+k, w, v)...)
			} else {
				out = append(out, at+"."+k)
			}
		}
	case []any:
		want, _ := asked.([]any)
		for i, v := range have {
			if i < len(want) {
				out = append(out, filled(fmt.Sprintf("%s[%d]", at, i), want[i], v)...)
			}
		}
	}
	slices.Sort(out)
	return out
}

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
