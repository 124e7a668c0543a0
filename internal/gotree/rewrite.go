package gotree

import "unsafe"

// WriteLike is the tree of the text that encoding/json writes of a value, which a pointer
// is given to, where another value, which a pointer of the same type is given to, writes a
// tree that is known. What of it is equal to what that tree has at its place is taken from
// there: equal keys, values and kinds of numbers. What both values have in the same memory
// is not looked at. Where it is false, JSON may write something else.
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

// Alike reports whether two values, which pointers of one type are given to, are the same in
// memory: equal numbers, and the very same texts, maps, lists and values pointed to. Then
// nothing in them differs.
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
