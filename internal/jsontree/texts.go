package jsontree

import "bytes"

// Texts gives the parts of an object's text that stand at a path of keys, in
// their order; the key * stands for the items of a list. It is false where the
// text is no object of that shape, or repeats a key of the path. The text must
// be valid.
func Texts(text []byte, path ...string) ([][]byte, bool) {
	spans, ok := find(text, path)
	parts := make([][]byte, len(spans))
	for i, s := range spans {
		parts[i] = text[s.from:s.to]
	}
	return parts, ok
}

// Name is the plain string at a path of keys; false where there is none, or where the
// text may be read in more ways than one. The text must be valid.
func Name(text []byte, path ...string) (string, bool) {
	texts, ok := Texts(text, path...)
	if !ok || len(texts) != 1 || len(texts[0]) < 2 || texts[0][0] != '"' || bytes.IndexByte(texts[0], '\\') >= 0 {
		return "", false
	}
	return string(texts[0][1 : len(texts[0])-1]), true
}

// Unquote is the value of a string, which may be part of the text; false where the
// text is none, and where it has what is seldom seen.
func Unquote(text []byte) ([]byte, bool) {
	s := scanner{text: text}
	value := s.string()
	return value, !s.failed && s.at == len(text)
}

// Replace gives an object's text with others for the parts that Texts gives. It
// is false, with the text as it is, where Texts is.
func Replace(text []byte, with func(part []byte) []byte, path ...string) ([]byte, bool) {
	spans, ok := find(text, path)
	if !ok {
		return text, false
	}
	out := make([]byte, 0, len(text))
	at := 0
	for _, s := range spans {
		out = append(append(out, text[at:s.from]...), with(text[s.from:s.to])...)
		at = s.to
	}
	return append(out, text[at:]...), true
}

// span is where a part stands.
type span struct{ from, to int }

func find(text []byte, path []string) ([]span, bool) {
	f := finder{scanner: scanner{text: text}}
	f.find(path)
	return f.found, !f.failed
}

type finder struct {
	scanner
	found []span
}

// find passes the value at hand.
func (f *finder) find(path []string) {
	if len(path) == 0 {
		f.next()
		from := f.at
		f.skip()
		if !f.failed {
			f.found = append(f.found, span{from, f.at})
		}
		return
	}
	if path[0] == "*" {
		f.items(path[1:])
		return
	}
	f.pass('{')
	seen := false
	for !f.failed && f.next() != '}' {
		on := string(f.string()) == path[0]
		f.pass(':')
		switch {
		case on && seen:
			f.fail()
		case on:
			seen = true
			f.find(path[1:])
		default:
			f.skip()
		}
		if f.next() == ',' {
			f.at++
		}
	}
	f.pass('}')
}

func (f *finder) items(path []string) {
	f.pass('[')
	for !f.failed && f.next() != ']' {
		f.find(path)
		if f.next() == ',' {
			f.at++
		}
	}
	f.pass(']')
}

// skip passes a value without looking at it.
func (s *scanner) skip() {
	depth := 0
	for s.next() != 0 {
		switch s.text[s.at] {
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
			continue
		default:
			s.skipWord()
		}
		if s.failed || depth == 0 {
			return
		}
	}
	s.fail()
}

func (s *scanner) skipString() {
	for s.at++; ; s.at++ {
		i := bytes.IndexByte(s.text[s.at:], '"')
		if i < 0 {
			s.fail()
			return
		}
		s.at += i
		escapes := 0
		for s.text[s.at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			s.at++
			return
		}
	}
}

// skipWord passes a number, true, false or null.
func (s *scanner) skipWord() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ',', ':', '{', '}', '[', ']', '"', ' ', '\n', '\r', '\t':
			return
		}
		s.at++
	}
}
