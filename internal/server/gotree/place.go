package gotree

import (
	"reflect"
	"unsafe"
)

// place is where a value of a shape is in memory: a pointer to it. Reflection finds each
// field of each struct anew, and checks each time what was checked when the shape was made.
type place = unsafe.Pointer

// placeOf is that of what a pointer points to, with its shape; false for all but
// pointers that are not nil.
func placeOf(pointer any) (*shape, place, bool) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, nil, false
	}
	return shapeOf(v.Type().Elem()), v.UnsafePointer(), true
}

func (s *shape) value(at place) reflect.Value { return reflect.NewAt(s.typ, at).Elem() }

func (f *field) of(at place) place { return unsafe.Add(at, f.offset) }

func (s *shape) item(first place, i int) place {
	return unsafe.Add(first, uintptr(i)*s.elem.typ.Size())
}

// items are the place of the first item of the list at a place, and their number.
func (s *shape) items(at place) (place, int) {
	list := listAt(at)
	return unsafe.Pointer(unsafe.SliceData(list)), len(list)
}

// makeItems makes the list at a place one of so many items, all zero, and gives the
// place of the first.
func (s *shape) makeItems(at place, n int) place {
	list := reflect.MakeSlice(s.typ, n, n)
	s.value(at).Set(list)
	return list.UnsafePointer()
}

func (s *shape) newElem(at place) place {
	elem := reflect.New(s.elem.typ).UnsafePointer()
	*(*unsafe.Pointer)(at) = elem
	return elem
}

func pointed(at place) place { return *(*unsafe.Pointer)(at) }

func boolAt(at place) *bool              { return (*bool)(at) }
func textAt(at place) *string            { return (*string)(at) }
func textsAt(at place) map[string]string { return *(*map[string]string)(at) }

// listAt is a list of any type; only its start and length are valid.
func listAt(at place) []struct{} { return *(*[]struct{})(at) }

func (s *shape) setInt(at place, is int64) bool {
	switch s.typ.Kind() {
	case reflect.Int64:
		*(*int64)(at) = is
		return true
	case reflect.Int32:
		*(*int32)(at) = int32(is)
		return int64(int32(is)) == is
	}
	v := s.value(at)
	v.SetInt(is)
	return !v.OverflowInt(is)
}

func (s *shape) intAt(at place) int64 {
	switch s.typ.Kind() {
	case reflect.Int64:
		return *(*int64)(at)
	case reflect.Int32:
		return int64(*(*int32)(at))
	}
	return s.value(at).Int()
}

// empty is what omitempty leaves out (encoding/json, encode.go).
func (s *shape) empty(at place) bool {
	switch s.way {
	case boolean:
		return !*boolAt(at)
	case text:
		return *textAt(at) == ""
	case integer:
		return s.intAt(at) == 0
	case pointer:
		return pointed(at) == nil
	case structure, own:
		return false
	case list, bytes:
		return len(listAt(at)) == 0
	case dictionary:
		if pointed(at) == nil {
			return true
		}
	}
	v := s.value(at)
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero is what omitzero leaves out, of a type that says what is zero.
func (s *shape) zero(at place) bool {
	z, ok := reflect.NewAt(s.typ, at).Interface().(interface{ IsZero() bool })
	return ok && z.IsZero()
}
