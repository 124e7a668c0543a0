package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// isList follows kubectl: a kind that ends in List and has items.
func isList(h head) bool {
	return strings.HasSuffix(string(h.Kind), "List") && bytes.HasPrefix(h.Items, []byte("["))
}

// items gives the items of a List that is held as JSON. Of a List that was
// YAML (raw is its conversion) they stand at the line of the List.
func (f *reader) items(h head, asJSON []byte, format Format, start int64, line int) {
	f.noticeContinue(h, line)
	f.given++
	at := 0
	if format == JSON {
		at = bytes.Index(asJSON, h.Items)
	}
	dec := json.NewDecoder(bytes.NewReader(h.Items))
	_, _ = dec.Token()
	for n := 1; dec.More() && !f.stopped; n++ {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			f.fail("parse", n, line, jsonError(err))
			return
		}
		raw = bytes.Clone(raw)
		itemLine, span := line, Span{}
		if format == JSON {
			from := at + int(dec.InputOffset()) - len(raw)
			itemLine = line + bytes.Count(asJSON[:from], newline)
			span = Span{start + int64(from), start + int64(from+len(raw))}
		}
		raw = f.typed(h, raw)
		f.give(newDocument(f.source(itemLine), raw, raw, JSON, span, itemLine), n)
	}
}

// typed fills in what the items of a typed List leave out, as clients do: a
// ConfigMapList of v1 has ConfigMaps of v1.
func (f *reader) typed(list head, raw []byte) []byte {
	h := readHead(raw)
	kind := strings.TrimSuffix(string(list.Kind), "List")
	if kind == "" || (h.Kind != "" && h.APIVersion != "") || !bytes.HasPrefix(raw, []byte("{")) {
		return raw
	}
	var b bytes.Buffer
	b.WriteByte('{')
	if h.APIVersion == "" {
		fmt.Fprintf(&b, `"apiVersion":%q,`, string(list.APIVersion))
	}
	if h.Kind == "" {
		fmt.Fprintf(&b, `"kind":%q,`, kind)
	}
	rest := bytes.TrimLeft(raw[1:], " \t\r\n")
	if bytes.HasPrefix(rest, []byte("}")) {
		b.Truncate(b.Len() - 1)
	}
	b.Write(raw[1:])
	return b.Bytes()
}
