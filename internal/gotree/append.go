package gotree

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Append appends what encoding/json writes of a value, which a pointer is given to.
// Where it is false, the library may write it otherwise, or refuse to.
func Append(text []byte, value any) ([]byte, bool) {
	s, at, ok := placeOf(value)
	if !ok {
		return text, false
	}
	return s.append(text, at)
}

func (s *shape) append(to []byte, at place) ([]byte, bool) {
	switch s.way {
	case boolean:
		return strconv.AppendBool(to, *boolAt(at)), true
	case text:
		return appendText(to, *textAt(at)), true
	case integer:
		return strconv.AppendInt(to, s.intAt(at), 10), true
	case natural:
		return strconv.AppendUint(to, s.value(at).Uint(), 10), true
	case float:
		return appendFloat(to, s.value(at).Float())
	case pointer:
		if held := pointed(at); held != nil {
			return s.elem.append(to, held)
		}
		return append(to, "null"...), true
	case list:
		return s.appendItems(to, at)
	case bytes:
		return appendBytes(to, s.value(at))
	case dictionary:
		return s.appendValues(to, s.value(at))
	case structure:
		return s.appendFields(to, at)
	case joined:
		held := s.union.held(at)
		return held.shape.append(to, held.of(at))
	case own:
		return appendOwn(to, s.value(at))
	}
	return to, false
}

// appendFloat leaves numbers that are written with an exponent to the library.
func appendFloat(to []byte, f float64) ([]byte, bool) {
	if size := math.Abs(f); f != 0 && (size < 1e-6 || size >= 1e21) || math.IsNaN(f) {
		return to, false
	}
	return strconv.AppendFloat(to, f, 'f', -1, 64), true
}

func appendBytes(to []byte, v reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return append(to, "null"...), true
	}
	return append(base64.StdEncoding.AppendEncode(append(to, '"'), v.Bytes()), '"'), true
}

func (s *shape) appendItems(to []byte, at place) (_ []byte, ok bool) {
	first, n := s.items(at)
	if first == nil {
		return append(to, "null"...), true
	}
	to = append(to, '[')
	for i := range n {
		if i > 0 {
			to = append(to, ',')
		}
		if to, ok = s.elem.append(to, s.item(first, i)); !ok {
			return to, false
		}
	}
	return append(to, ']'), true
}

// appendValues copies the values of a map in one piece: one by one, each would be
// allocated.
func (s *shape) appendValues(to []byte, v reflect.Value) (_ []byte, ok bool) {
	if v.IsNil() {
		return append(to, "null"...), true
	}
	type entry struct {
		name  string
		index int
	}
	entries := make([]entry, 0, v.Len())
	values := reflect.MakeSlice(reflect.SliceOf(s.elem.typ), v.Len(), v.Len())
	for all := v.MapRange(); all.Next(); {
		values.Index(len(entries)).SetIterValue(all)
		entries = append(entries, entry{all.Key().String(), len(entries)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	to = append(to, '{')
	for i, e := range entries {
		if i > 0 {
			to = append(to, ',')
		}
		if to, ok = s.elem.append(append(appendText(to, e.name), ':'), s.item(values.UnsafePointer(), e.index)); !ok {
			return to, false
		}
	}
	return append(to, '}'), true
}

func (s *shape) appendFields(to []byte, at place) (_ []byte, ok bool) {
	to = append(to, '{')
	first := true
	for i := range s.fields {
		f := &s.fields[i]
		is := f.of(at)
		if f.omitted(is) {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		first = false
		if to, ok = f.shape.append(append(appendText(to, f.name), ':'), is); !ok {
			return to, false
		}
	}
	return append(to, '}'), true
}

// appendOwn has a value write itself. It must do so by value, as the library does not
// see what only a pointer can do everywhere.
func appendOwn(to []byte, v reflect.Value) ([]byte, bool) {
	own, ok := v.Interface().(json.Marshaler)
	if !ok {
		return to, false
	}
	text, err := own.MarshalJSON()
	if err == nil && !settled(text) {
		text, err = json.Marshal(json.RawMessage(text))
	}
	return append(to, text...), err == nil
}

// settled reports whether the library writes a value's own text as it is: a plain
// string, or an integer.
func settled(text []byte) bool {
	if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' {
		return plain(text[1 : n-1])
	}
	for i, c := range text {
		if c < '0' || c > '9' || c == '0' && i == 0 {
			return false
		}
	}
	return len(text) > 0
}

const hex = "0123456789abcdef"

// appendText quotes a text as encoding/json does, which makes it safe for HTML.
func appendText(to []byte, s string) []byte {
	to = append(to, '"')
	from := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
				to = appendEscape(append(to, s[from:i]...), c)
				from = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			to = append(append(to, s[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029':
			to = append(append(append(to, s[from:i]...), `\u202`...), hex[r&0xf])
			from = i + size
		}
		i += size
	}
	return append(append(to, s[from:]...), '"')
}

func appendEscape(to []byte, c byte) []byte {
	if short := strings.IndexByte("\"\\\b\f\n\r\t", c); short >= 0 {
		return append(to, '\\', `"\bfnrt`[short])
	}
	return append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}
