// Package gotree goes between JSON trees and Go values without text: Read makes a value
// of a tree as the API machinery's converter does, and WriteLike a tree of a value as
// encoding/json does. Both take what did not change from what is there already, and are
// true only where they are sure.
//
//	shape.go   what is known of a type; union.go of one that stands for several
//	place.go   values in memory
//	read.go    a tree to a value; change.go where another tree was read
//	write.go   a value to a tree, where another value may have written one; object.go
//	           structs and maps
package gotree

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// way is how a type goes to JSON and back.
type way int

const (
	// other is a type that only the libraries know.
	other way = iota
	boolean
	text
	integer
	float
	pointer
	list
	bytes
	dictionary
	structure
	// own is a type that writes and reads itself.
	own
	// joined is a union.
	joined
)

type shape struct {
	way way
	typ reflect.Type
	// elem is that of items, of values of maps, and of what pointers point to.
	elem *shape
	// texts is true of maps of texts by texts.
	texts bool
	// fields are those of a struct, with those of embedded structs.
	fields []field
	byName map[string]*field
	// ofText is how the type reads itself of a text; nil where only unmarshal says so.
	ofText func(at place, text string) bool
	// unmarshal is how the API machinery has the type read itself.
	unmarshal *value.TypeReflectCacheEntry
	// union is what is known of a joined type.
	union *union
}

type field struct {
	name      string
	offset    uintptr
	shape     *shape
	omitEmpty bool
	// omitZero is for types that say what is zero.
	omitZero bool
}

var (
	shapesMu sync.Mutex
	shapes   sync.Map // of reflect.Type to *shape, each complete
)

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	shapesMu.Lock()
	defer shapesMu.Unlock()
	made := map[reflect.Type]*shape{}
	s := makeShape(t, made)
	for t, s := range made {
		shapes.LoadOrStore(t, s)
	}
	return s
}

// makeShape makes a shape, and all that it refers to. Types may refer to themselves.
func makeShape(t reflect.Type, made map[reflect.Type]*shape) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	if s, ok := made[t]; ok {
		return s
	}
	s := &shape{typ: t}
	made[t] = s
	if s.way = wayOf(t); s.way == pointer || s.way == list || s.way == dictionary {
		s.elem = makeShape(t.Elem(), made)
	}
	s.texts = s.way == dictionary && t.ConvertibleTo(texts)
	switch s.way {
	case own:
		s.ofText, s.unmarshal = ofText[t], value.TypeReflectEntryOf(t)
		if s.union = unionOf(t, made); s.union != nil {
			s.way = joined
		}
	case structure:
		s.byName = map[string]*field{}
		if !s.embed(t, 0, made) {
			s.way, s.fields = other, nil
		}
		for i := range s.fields {
			s.byName[s.fields[i].name] = &s.fields[i]
		}
		if len(s.byName) != len(s.fields) {
			s.way = other // Of fields of one name, the least deep counts.
		}
	}
	return s
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshaler   = reflect.TypeFor[json.Unmarshaler]()
	textReader    = reflect.TypeFor[encoding.TextUnmarshaler]()
	texts         = reflect.TypeFor[map[string]string]()
	zeroer        = reflect.TypeFor[interface{ IsZero() bool }]()
)

// wayOf is the way in which values of a type are written.
func wayOf(t reflect.Type) way {
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		if own, ok := ownWay(t); ok {
			return own
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolean
	case reflect.String:
		return text
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integer
	case reflect.Float64:
		return float
	case reflect.Pointer:
		return pointer
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return bytes
		}
		return list
	case reflect.Map:
		if isWord(t.Key()) && writesItself(t.Elem()) {
			return dictionary
		}
	case reflect.Struct:
		return structure
	}
	return other
}

// ownWay is the way of a type that says itself how its values are written.
func ownWay(t reflect.Type) (way, bool) {
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(marshaler) && p.Implements(unmarshaler) && t.Kind() == reflect.Struct:
		return own, true
	case p.Implements(marshaler) || p.Implements(unmarshaler) || p.Implements(textMarshaler) || p.Implements(textReader):
		return other, true
	}
	return other, false
}

// isWord reports whether keys of a type are written as the strings that they are.
func isWord(t reflect.Type) bool {
	return t.Kind() == reflect.String && !t.Implements(textMarshaler) && !reflect.PointerTo(t).Implements(textReader)
}

// writesItself reports whether values of a type write the same with and without an address:
// values of maps have none.
func writesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	if p.Implements(marshaler) || p.Implements(textMarshaler) {
		return t.Implements(marshaler) || t.Implements(textMarshaler)
	}
	if t.Kind() != reflect.Struct {
		return t.Kind() != reflect.Array
	}
	for i := range t.NumField() {
		if !writesItself(t.Field(i).Type) {
			return false
		}
	}
	return true
}

// embed collects the fields of a struct; false where there is one that encoding/json
// has rules for beyond its name, omitempty and omitzero.
func (s *shape) embed(t reflect.Type, offset uintptr, made map[reflect.Type]*shape) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		at := offset + f.Offset
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Tag.Get("json") == "-":
			continue
		case f.Anonymous && name == "":
			if f.Type.Kind() != reflect.Struct || wayOf(f.Type) != structure || !s.embed(f.Type, at, made) {
				return false
			}
			continue
		case !f.IsExported() || name == "":
			return false
		}
		next := field{name: name, offset: at, shape: makeShape(f.Type, made)}
		if !next.omits(options) {
			return false
		}
		s.fields = append(s.fields, next)
	}
	return true
}

// omits takes the options behind the name of a field; false for one that is not known.
func (f *field) omits(options string) bool {
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
			if !reflect.PointerTo(f.shape.typ).Implements(zeroer) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
