package edit

import (
	"bytes"
	"encoding/json"
)

// jsonNodes reads the nodes of a text of one JSON object. JSON is distinguished
// from YAML in braces, which it mostly is, because YAML knows no surrogate
// pairs.
func jsonNodes(text []byte) (*node, bool) {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' || !json.Valid(text) {
		return nil, false
	}
	b := jsonBuilder{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	b.decoder.UseNumber()
	return b.value(), true
}

// A jsonBuilder walks the tokens of a text that is known to be valid.
type jsonBuilder struct {
	text    []byte
	decoder *json.Decoder
}

// next gives a token and where it starts and ends.
func (b jsonBuilder) next() (json.Token, int, int) {
	start := int(b.decoder.InputOffset())
	for bytes.IndexByte([]byte(" \t\r\n,:"), b.text[start]) >= 0 {
		start++
	}
	token, err := b.decoder.Token()
	if err != nil {
		return nil, start, start
	}
	return token, start, int(b.decoder.InputOffset())
}

func (b jsonBuilder) value() *node {
	token, start, end := b.next()
	out := &node{start: start, end: end, lead: b.text[start], flow: true}
	switch token {
	case json.Delim('{'):
		out.kind = mapping
		for b.decoder.More() {
			key, at, keyEnd := b.next()
			colon := keyEnd + bytes.IndexByte(b.text[keyEnd:], ':') + 1
			name, _ := key.(string)
			out.entries = append(out.entries, entry{key: name, start: at, colon: colon, value: b.value()})
		}
		_, _, out.end = b.next()
	case json.Delim('['):
		out.kind = sequence
		for b.decoder.More() {
			item := b.value()
			out.entries = append(out.entries, entry{start: item.start, colon: item.start, value: item})
		}
		_, _, out.end = b.next()
	default:
		out.flow = false
	}
	return out
}
