package gotree

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Read sets a zero value, given by pointer, to what a tree says, as
// runtime.DefaultUnstructuredConverter does (apimachinery, runtime/converter.go). It may
// share texts with the tree. Where it is false, the value is of no use.
func Read(tree map[string]any, into any) bool {
	s, at, ok := placeOf(into)
	return ok && s.read(tree, at)
}

func (s *shape) read(tree any, at place) bool {
	if tree == nil {
		s.value(at).SetZero()
		return true
	}
	switch s.way {
	case boolean:
		is, ok := tree.(bool)
		*boolAt(at) = is
		return ok
	case text:
		is, ok := tree.(string)
		*textAt(at) = is
		return ok && utf8.ValidString(is)
	case integer:
		is, ok := tree.(int64)
		return ok && s.setInt(at, is)
	case float:
		return readFloat(tree, s.value(at))
	case pointer:
		return s.elem.read(tree, s.newElem(at))
	case list:
		return s.readItems(tree, at)
	case bytes:
		return readBytes(tree, s.value(at))
	case dictionary:
		return s.readValues(tree, at)
	case structure:
		return s.readFields(tree, at)
	case own:
		return s.readOwn(tree, at)
	case joined:
		return s.readUnion(tree, at)
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

func (s *shape) readItems(tree any, at place) bool {
	items, ok := tree.([]any)
	if !ok || items == nil {
		return false
	}
	first := s.makeItems(at, len(items))
	for i, item := range items {
		if !s.elem.read(item, s.item(first, i)) {
			return false
		}
	}
	return true
}

func (s *shape) readValues(tree any, at place) bool {
	values, ok := tree.(map[string]any)
	if !ok || values == nil {
		return false
	}
	if s.texts {
		return readTexts(values, at)
	}
	out := reflect.MakeMapWithSize(s.typ, len(values))
	key, value := reflect.New(s.typ.Key()), reflect.New(s.elem.typ)
	for name, item := range values {
		value.Elem().SetZero()
		if !utf8.ValidString(name) || !s.elem.read(item, value.UnsafePointer()) {
			return false
		}
		key.Elem().SetString(name)
		out.SetMapIndex(key.Elem(), value.Elem())
	}
	s.value(at).Set(out)
	return true
}

func readTexts(values map[string]any, at place) bool {
	out := make(map[string]string, len(values))
	for name, item := range values {
		is, ok := item.(string)
		if !ok && item != nil || !utf8.ValidString(name) || !utf8.ValidString(is) {
			return false
		}
		out[name] = is
	}
	*(*map[string]string)(at) = out
	return true
}

// readFields leaves out what the struct has no field for.
func (s *shape) readFields(tree any, at place) bool {
	values, ok := tree.(map[string]any)
	if !ok {
		return false
	}
	for name, value := range values {
		if f := s.byName[name]; f != nil && !f.shape.read(value, f.of(at)) {
			return false
		}
	}
	return true
}

// readOwn has a value read itself. Most are of a short text or a number.
func (s *shape) readOwn(tree any, at place) bool {
	switch is := tree.(type) {
	case string:
		if s.ofText != nil {
			return s.ofText(at, is)
		}
		if plain(is) {
			return s.unmarshalText(at, append(append(append(make([]byte, 0, len(is)+2), '"'), is...), '"'))
		}
	case int64:
		return s.unmarshalText(at, strconv.AppendInt(nil, is, 10))
	}
	return s.unmarshal.CanConvertFromUnstructured() &&
		s.unmarshal.FromUnstructured(reflect.ValueOf(tree), s.value(at)) == nil
}

// ofText has types that are read of a text without its quotes as they read themselves
// with them (apimachinery, meta/v1/time.go and util/intstr).
var ofText = map[reflect.Type]func(at place, text string) bool{
	reflect.TypeFor[metav1.Time](): func(at place, text string) bool {
		is, err := time.Parse(time.RFC3339, text)
		(*metav1.Time)(at).Time = is.Local()
		return err == nil
	},
	reflect.TypeFor[intstr.IntOrString](): func(at place, text string) bool {
		*(*intstr.IntOrString)(at) = intstr.FromString(text)
		return utf8.ValidString(text)
	},
}

func (s *shape) unmarshalText(at place, text []byte) bool {
	return reflect.NewAt(s.typ, at).Interface().(json.Unmarshaler).UnmarshalJSON(text) == nil
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
