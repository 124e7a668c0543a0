package gotree

import (
	"maps"
	"reflect"
	"unicode/utf8"
)

func (s *shape) writeFields(at place, like any) written {
	o := beside(like)
	for i := range s.fields {
		f := &s.fields[i]
		if is := f.of(at); !f.omitted(is) && !o.add(f.name, f.shape, is) {
			return written{}
		}
	}
	return o.end(func(name string) bool {
		f := s.byName[name]
		return f != nil && !f.omitted(f.of(at))
	})
}

func (f *field) omitted(at place) bool {
	return f.omitEmpty && f.shape.empty(at) || f.omitZero && f.shape.zero(at)
}

func (s *shape) writeValues(at place, like any) written {
	if pointed(at) == nil {
		return wroteNil(like)
	}
	if s.texts {
		return writeTexts(textsAt(at), like)
	}
	o, values := beside(like), s.value(at)
	key, elem := reflect.New(s.typ.Key()), reflect.New(s.elem.typ)
	for all := values.MapRange(); all.Next(); {
		key.Elem().SetIterKey(all)
		elem.Elem().SetIterValue(all)
		if name := key.Elem().String(); !utf8.ValidString(name) || !o.add(name, s.elem, elem.UnsafePointer()) {
			return written{}
		}
	}
	return o.end(func(name string) bool {
		return values.MapIndex(reflect.ValueOf(name).Convert(s.typ.Key())).IsValid()
	})
}

func writeTexts(texts map[string]string, like any) written {
	o := beside(like)
	for name, is := range texts {
		value, has := o.there[name]
		if !utf8.ValidString(name) || !o.put(name, has, wroteText(is, value)) {
			return written{}
		}
	}
	return o.end(func(name string) bool {
		_, has := texts[name]
		return has
	})
}

// object is one that is compared with another one while it is written.
type object struct {
	// is: there is another one.
	is    bool
	there map[string]any
	// members is how many keys were written. Until one differs, out is nil.
	members int
	out     map[string]any
}

func beside(like any) object {
	there, is := like.(map[string]any)
	return object{is: is, there: there}
}

// add writes a value under a key; false where it is not known.
func (o *object) add(name string, s *shape, at place) bool {
	value, has := o.there[name]
	return o.put(name, has, s.write(at, value))
}

// put takes what is written under a key, which the other object has or not.
func (o *object) put(name string, has bool, w written) bool {
	if o.members++; o.out == nil && has && w.same {
		return w.ok
	}
	o.other()[name] = w.tree
	return w.ok
}

func (o *object) other() map[string]any {
	if o.out == nil {
		o.out = maps.Clone(o.there)
	}
	if o.out == nil {
		o.out = map[string]any{}
	}
	return o.out
}

// end gives the object once all its keys were written. wrote reports whether a key of the
// other one was.
func (o *object) end(wrote func(name string) bool) written {
	if o.out == nil && o.is && o.members == len(o.there) {
		return kept(o.there)
	}
	if o.members < len(o.other()) {
		maps.DeleteFunc(o.out, func(name string, _ any) bool { return !wrote(name) })
	}
	return written{tree: o.out, ok: true}
}
