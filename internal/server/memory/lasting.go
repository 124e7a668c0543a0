package memory

import (
	"encoding/json"
	"reflect"
	"strings"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/gotree"
)

// An object is lasting where the storage would give it back as it was put there:
// encoding it and decoding it again, with defaults, changes nothing. Then it is kept
// as it is. That is so of an object that has its defaults and was made from JSON
// without empty lists, where the kind
//
//   - is stored at the version of the call, so that no conversion and no other
//     defaults are in between (but for definitions, which are stored as v1beta1: that
//     has one more default, which isStored asks about);
//   - has no maps and bytes that it writes although they are empty, which the
//     encodings tell apart from none, or do not;
//   - has no values of unknown types, which are decoded in their own way.
//
// TestLasting holds all recorded objects against the encodings.

// LastingType reports whether objects of a Go type are lasting, if they have their
// defaults and no empty lists. seen are the types that are looked at already.
func LastingType(t reflect.Type, seen map[reflect.Type]bool) bool {
	switch {
	case t == rawExtension:
		return false
	case seen[t] || t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler):
		return true
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Slice:
		return t != bytesType && LastingType(t.Elem(), seen)
	case reflect.Pointer, reflect.Map:
		return LastingType(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if !lastingField(t.Field(i), seen) {
				return false
			}
		}
	}
	return true
}

func lastingField(f reflect.StructField, seen map[reflect.Type]bool) bool {
	tag := f.Tag.Get("json")
	emptiable := f.Type == bytesType || f.Type.Kind() == reflect.Map
	switch {
	case tag == "-":
		return true
	case emptiable && !strings.Contains(tag, ",omitempty"):
		return false
	}
	return f.Type == bytesType || LastingType(f.Type, seen)
}

var (
	rawExtension = reflect.TypeFor[runtime.RawExtension]()
	bytesType    = reflect.TypeFor[[]byte]()
	marshaler    = reflect.TypeFor[json.Marshaler]()
)

// keeps reports whether lasting objects of a version are stored as they are.
func (s *store) keeps(version schema.GroupVersionKind) bool {
	if s.version == nil || version.Empty() {
		return false
	}
	internal := version.GroupKind().WithVersion(runtime.APIVersionInternal)
	stored, ok := s.version.KindForGroupVersionKinds([]schema.GroupVersionKind{internal})
	return ok && stored == version
}

// keep is GuaranteedUpdate's write of a lasting object, new or not.
func (s *store) keep(t *Transaction, updated, destination runtime.Object) error {
	changed, err := t.Kept == nil, error(nil)
	if !changed {
		changed, err = s.changed(t.Kept, updated)
	}
	if err != nil {
		return err
	}
	if changed {
		t.Kept, t.Written = updated, true
	}
	return shareInto(t.Kept, destination, t.Revision)
}

// changed reports whether two objects are encoded differently. It encodes them only
// where they are equal by meaning and not to the letter.
func (s *store) changed(before, after runtime.Object) (changed bool, err error) {
	unclear := false
	err = asStored(before, func() error {
		return asStored(after, func() error {
			changed = !gotree.Alike(before, after) && !reflect.DeepEqual(before, after)
			unclear = changed && apiequality.Semantic.DeepEqual(before, after)
			return nil
		})
	})
	if err != nil || !unclear {
		return changed, err
	}
	was, err := encodeForStorage(s.codec, before)
	if err != nil {
		return false, err
	}
	is, err := encodeForStorage(s.codec, after)
	return string(was) != string(is), err
}
