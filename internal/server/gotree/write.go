package gotree

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
	"unsafe"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Writes reports whether what encoding/json writes of a value, which a pointer is given
// to, surely is a tree's text.
func Writes(value any, tree map[string]any) bool {
	s, at, ok := placeOf(value)
	return ok && s.write(at, tree).same
}

// written is what JSON writes of a value.
type written struct {
	tree any
	// same: it is the tree that is already there; ok: it is known.
	same, ok bool
}

// kept is the tree that is at its place already.
func kept(like any) written { return written{like, true, true} }

func wroteNil(like any) written { return written{nil, like == nil, true} }

// write compares with a tree, which is nil where there is none.
func (s *shape) write(at place, like any) written {
	switch s.way {
	case boolean:
		return wroteLeaf(*boolAt(at), like)
	case text:
		return wroteText(*textAt(at), like)
	case integer:
		return wroteLeaf(s.intAt(at), like)
	case float:
		return writeFloat(s.value(at).Float(), like)
	case pointer:
		if to := pointed(at); to != nil {
			return s.elem.write(to, like)
		}
		return wroteNil(like)
	case list:
		return s.writeItems(at, nil, like)
	case bytes:
		return writeBytes(s.value(at), like)
	case dictionary:
		return s.writeValues(at, like)
	case structure:
		return s.writeFields(at, like)
	case joined:
		held := s.union.held(at)
		return held.shape.write(held.of(at), like)
	}
	return s.writeOwn(at, like)
}

// wroteLeaf gives what is there already in its place, which needs no memory.
func wroteLeaf[T bool | int64](is T, like any) written {
	if there, ok := like.(T); ok && there == is {
		return kept(like)
	}
	return written{tree: is, ok: true}
}

func wroteText(is string, like any) written {
	if there, ok := like.(string); ok && there == is {
		ok := utf8.ValidString(is)
		return written{like, ok, ok}
	}
	return written{tree: is, ok: utf8.ValidString(is)}
}

// writeFloat: a whole number is written without a point, and read as an integer.
func writeFloat(f float64, like any) written {
	if f == math.Trunc(f) {
		w := wroteLeaf(int64(f), like)
		w.ok = math.Abs(f) < 1<<53 && (f != 0 || !math.Signbit(f))
		w.same = w.same && w.ok
		return w
	}
	return written{f, like == any(f), !math.IsNaN(f) && !math.IsInf(f, 0)}
}

func writeBytes(v reflect.Value, like any) written {
	if v.IsNil() {
		return wroteNil(like)
	}
	return wroteText(base64.StdEncoding.EncodeToString(v.Bytes()), like)
}

// writeItems writes a list. The list at the other place writes the tree; nil for none.
func (s *shape) writeItems(at, from place, like any) written {
	first, n := s.items(at)
	if first == nil {
		return wroteNil(like)
	}
	there, ok := like.([]any)
	out, equal := there, ok && len(there) == n
	if !equal {
		out = make([]any, n)
	}
	was, known := place(nil), 0
	if from != nil {
		was, known = s.items(from)
	}
	for i := range n {
		var item any
		if i < len(there) {
			item = there[i]
		}
		var w written
		if i < known {
			w = s.elem.rewrite(s.item(first, i), s.item(was, i), item)
		} else {
			w = s.elem.write(s.item(first, i), item)
		}
		switch {
		case !w.ok:
			return written{}
		case !equal:
			out[i] = w.tree
		case !w.same:
			out, equal = slices.Clone(there), false
			out[i] = w.tree
		}
	}
	if equal {
		return kept(like)
	}
	return written{tree: out, ok: true}
}

// writeOwn reads what the library writes, where that is not there already.
func (s *shape) writeOwn(at place, like any) written {
	whole := reflect.NewAt(s.typ, at).Interface()
	var text []byte
	var err error
	if own, ok := whole.(json.Marshaler); ok {
		text, err = own.MarshalJSON()
	} else {
		text, err = json.Marshal(whole)
	}
	if err != nil {
		return written{}
	}
	if quotes(text, like) || jsontree.Equal(text, like) {
		return kept(like)
	}
	var tree any
	err = kjson.Unmarshal(text, &tree)
	return written{tree: tree, same: tree == nil && like == nil, ok: err == nil}
}

// quotes reports whether a text is that of a tree, which is a plain string: most are.
func quotes(text []byte, tree any) bool {
	is, ok := tree.(string)
	return ok && len(text) == len(is)+2 && text[0] == '"' && string(text[1:len(text)-1]) == is && plain(is)
}

// Write is the tree that encoding/json would write of a value, given by pointer; false where
// JSON may write something else.
func Write(value any) (map[string]any, bool) {
	s, at, ok := placeOf(value)
	if !ok {
		return nil, false
	}
	w := s.write(at, nil)
	tree, is := w.tree.(map[string]any)
	return tree, is && w.ok
}

// WriteLike is the tree that encoding/json would write of a value, given by pointer. It
// takes equal parts from the tree that another value of the type writes, and skips what
// both have in the same memory. Where it is false, JSON may write something else.
func WriteLike(value, of any, like map[string]any) (map[string]any, bool) {
	s, at, ok := placeOf(value)
	other, from, known := placeOf(of)
	if !ok || !known || s != other {
		return nil, false
	}
	w := s.rewrite(at, from, like)
	tree, is := w.tree.(map[string]any)
	return tree, is && w.ok
}

// Alike reports whether two values of a type, given by pointers, are the same in memory:
// equal numbers, and the very same texts, maps, lists and pointers.
func Alike(a, b any) bool {
	s, at, ok := placeOf(a)
	other, from, known := placeOf(b)
	return ok && known && s == other && s.alike(at, from)
}

// rewrite is write where what is at another place writes the tree.
func (s *shape) rewrite(at, from place, like any) written {
	if s.alike(at, from) {
		return kept(like)
	}
	switch s.way {
	case pointer:
		if to, was := pointed(at), pointed(from); to != nil && was != nil {
			return s.elem.rewrite(to, was, like)
		}
	case list:
		return s.writeItems(at, from, like)
	case structure:
		return s.rewriteFields(at, from, like)
	}
	return s.write(at, like)
}

// alike reports whether two values are the same in memory: then they write the same.
func (s *shape) alike(a, b place) bool {
	size := s.typ.Size()
	return unsafe.String((*byte)(a), size) == unsafe.String((*byte)(b), size)
}

func (s *shape) rewriteFields(at, from place, like any) written {
	o := beside(like)
	if !o.is {
		return s.writeFields(at, like)
	}
	for i := range s.fields {
		f := &s.fields[i]
		is, was := f.of(at), f.of(from)
		if f.shape.alike(is, was) {
			continue
		}
		value, has := o.there[f.name]
		switch {
		case !f.omitted(is):
			if !o.put(f.name, has, f.shape.rewrite(is, was, value)) {
				return written{}
			}
		case has:
			delete(o.other(), f.name)
		}
	}
	if o.out == nil {
		return kept(like)
	}
	return written{tree: o.out, ok: true}
}
