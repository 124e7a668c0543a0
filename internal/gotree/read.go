package gotree

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Read sets a value, which a pointer is given to and which is zero, to what a tree says,
// as runtime.DefaultUnstructuredConverter does (apimachinery, runtime/converter.go). It
// may share texts with the tree. Where it is false, the converter may do otherwise, or
// refuse, and the value is of no use.
func Read(tree map[string]any, into any) bool {
	v := reflect.ValueOf(into)
	return v.Kind() == reflect.Pointer && !v.IsNil() && shapeOf(v.Type().Elem()).read(tree, v.Elem())
}

func (s *shape) read(tree any, v reflect.Value) bool {
	if tree == nil {
		v.SetZero()
		return true
	}
	switch s.way {
	case boolean:
		is, ok := tree.(bool)
		v.SetBool(is)
		return ok
	case text:
		is, ok := tree.(string)
		v.SetString(is)
		return ok && utf8.ValidString(is)
	case integer:
		is, ok := tree.(int64)
		v.SetInt(is)
		return ok && !v.OverflowInt(is)
	case natural:
		is, ok := tree.(int64)
		v.SetUint(uint64(is))
		return ok && is >= 0 && !v.OverflowUint(uint64(is))
	case float:
		return readFloat(tree, v)
	case pointer:
		v.Set(reflect.New(s.elem.typ))
		return s.elem.read(tree, v.Elem())
	case list:
		return s.readItems(tree, v)
	case bytes:
		return readBytes(tree, v)
	case dictionary:
		return s.readValues(tree, v)
	case structure:
		return s.readFields(tree, v)
	case own:
		return s.readOwn(tree, v)
	case joined:
		return s.readUnion(tree, v)
	}
	return false
}

func readFloat(tree any, v reflect.Value) bool {
	switch is := tree.(type) {
	case float64:
		v.SetFloat(is)
	case int64:
		v.SetFloat(float64(is))
	default:
		return false
	}
	return true
}

func readBytes(tree any, v reflect.Value) bool {
	is, ok := tree.(string)
	decoded, err := base64.StdEncoding.DecodeString(is)
	v.SetBytes(decoded)
	return ok && err == nil
}

func (s *shape) readItems(tree any, v reflect.Value) bool {
	items, ok := tree.([]any)
	if !ok || items == nil {
		return false
	}
	out := reflect.MakeSlice(s.typ, len(items), len(items))
	for i, item := range items {
		if !s.elem.read(item, out.Index(i)) {
			return false
		}
	}
	v.Set(out)
	return true
}

func (s *shape) readValues(tree any, v reflect.Value) bool {
	values, ok := tree.(map[string]any)
	if !ok || values == nil {
		return false
	}
	out := reflect.MakeMapWithSize(s.typ, len(values))
	value := reflect.New(s.elem.typ).Elem()
	for name, item := range values {
		value.SetZero()
		if !utf8.ValidString(name) || !s.elem.read(item, value) {
			return false
		}
		key := reflect.ValueOf(name)
		if s.typ.Key() != key.Type() {
			key = key.Convert(s.typ.Key())
		}
		out.SetMapIndex(key, value)
	}
	v.Set(out)
	return true
}

// readFields leaves out what the struct has no field for.
func (s *shape) readFields(tree any, v reflect.Value) bool {
	values, ok := tree.(map[string]any)
	if !ok {
		return false
	}
	for name, value := range values {
		if f := s.byName[name]; f != nil && !f.shape.read(value, f.of(v)) {
			return false
		}
	}
	return true
}

func (f *field) of(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// readOwn has a value read itself. Most are of a short text or a number.
func (s *shape) readOwn(tree any, v reflect.Value) bool {
	switch is := tree.(type) {
	case string:
		if plain(is) {
			return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON([]byte(`"`+is+`"`)) == nil
		}
	case int64:
		return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(strconv.AppendInt(nil, is, 10)) == nil
	}
	return s.unmarshal.CanConvertFromUnstructured() && s.unmarshal.FromUnstructured(reflect.ValueOf(tree), v) == nil
}

// plain reports whether JSON writes a text as it is.
func plain[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
