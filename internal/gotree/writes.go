package gotree

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Writes reports whether what encoding/json writes of a value, which a pointer is given
// to, surely is a tree's text: equal keys, values and kinds of numbers.
func Writes(value, tree any) bool {
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && !v.IsNil() && shapeOf(v.Type().Elem()).writes(v.Elem(), tree)
}

func (s *shape) writes(v reflect.Value, tree any) bool {
	switch s.way {
	case boolean:
		is, ok := tree.(bool)
		return ok && is == v.Bool()
	case text:
		is, ok := tree.(string)
		return ok && is == v.String() && utf8.ValidString(is)
	case integer:
		is, ok := tree.(int64)
		return ok && is == v.Int()
	case natural:
		is, ok := tree.(int64)
		return ok && is >= 0 && uint64(is) == v.Uint()
	case float:
		return writesFloat(v.Float(), tree)
	case pointer:
		if v.IsNil() {
			return tree == nil
		}
		return s.elem.writes(v.Elem(), tree)
	case list:
		return s.writesItems(v, tree)
	case bytes:
		is, ok := tree.(string)
		return ok && !v.IsNil() && is == base64.StdEncoding.EncodeToString(v.Bytes())
	case dictionary:
		return s.writesValues(v, tree)
	case structure:
		return s.writesFields(v, tree)
	case joined:
		held := s.union.held(v)
		return held.shape.writes(held.of(v), tree)
	}
	return writesText(v, tree)
}

// writesFloat: a whole number is written without a point, and read as an integer.
func writesFloat(f float64, tree any) bool {
	switch is := tree.(type) {
	case int64:
		return float64(is) == f && math.Abs(f) < 1<<53 && (f != 0 || !math.Signbit(f))
	case float64:
		return is == f && f != math.Trunc(f)
	}
	return false
}

func (s *shape) writesItems(v reflect.Value, tree any) bool {
	if v.IsNil() {
		return tree == nil
	}
	items, ok := tree.([]any)
	if !ok || len(items) != v.Len() {
		return false
	}
	for i, item := range items {
		if !s.elem.writes(v.Index(i), item) {
			return false
		}
	}
	return true
}

func (s *shape) writesValues(v reflect.Value, tree any) bool {
	if v.IsNil() {
		return tree == nil
	}
	values, ok := tree.(map[string]any)
	if !ok || len(values) != v.Len() {
		return false
	}
	for all := v.MapRange(); all.Next(); {
		name := all.Key().String()
		value, has := values[name]
		if !has || !utf8.ValidString(name) || !s.elem.writes(all.Value(), value) {
			return false
		}
	}
	return true
}

func (s *shape) writesFields(v reflect.Value, tree any) bool {
	values, ok := tree.(map[string]any)
	if !ok {
		return false
	}
	written := 0
	for i := range s.fields {
		f := &s.fields[i]
		is := f.of(v)
		if f.omitEmpty && empty(is) || f.omitZero && zero(is) {
			continue
		}
		value, has := values[f.name]
		if !has || !f.shape.writes(is, value) {
			return false
		}
		written++
	}
	return written == len(values)
}

// empty is what omitempty leaves out (encoding/json, encode.go).
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero is what omitzero leaves out, of a type that says what is zero.
func zero(v reflect.Value) bool {
	if !v.CanAddr() {
		addressable := reflect.New(v.Type()).Elem()
		addressable.Set(v)
		v = addressable
	}
	z, ok := v.Addr().Interface().(interface{ IsZero() bool })
	return ok && z.IsZero()
}

// writesText compares what the library writes.
func writesText(v reflect.Value, tree any) bool {
	whole := v.Interface()
	if v.CanAddr() {
		whole = v.Addr().Interface()
	}
	var text []byte
	var err error
	if own, ok := whole.(json.Marshaler); ok {
		text, err = own.MarshalJSON()
	} else {
		text, err = json.Marshal(whole)
	}
	return err == nil && jsontree.Equal(text, tree)
}
