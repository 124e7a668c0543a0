package edit

import (
	"bytes"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Set gives the field or item at path a value, in the quotes of the former one
// where there is one and the value is text. What is missing on the way is
// added behind what is there: fields, and list items with their keys. The
// value is anything that JSON can say. The error is a RefusedError, or that of
// a value which JSON cannot say.
func (d *Doc) Set(path fieldpath.Path, value any) error {
	value, err := plainValue(value)
	if err != nil {
		return err
	}
	found, err := d.find(path)
	if err != nil {
		return err
	}
	if len(path) == 0 {
		return d.refuse(path, Required, 0)
	}
	if len(found.missing) > 0 {
		return d.add(path, found, value)
	}
	if err := d.checkSharing(path, found); err != nil {
		return err
	}
	if equal(found.value, value) {
		return nil
	}
	s, ok := d.replaceValue(found, value)
	return d.prove(path, found, s, ok, with(d.tree, found.place, value))
}

// replaceValue replaces a value.
func (d *Doc) replaceValue(found *location, value any) (splice, bool) {
	n := found.last()
	if len(found.entries) == 0 {
		return splice{{n.start, n.end, d.flowText(value)}}, true
	}
	parent, index := found.entry()
	e := parent.entries[index]
	if e.odd {
		return nil, false
	}
	text, quoted := quotedLike(n, value)
	if parent.flow && !quoted {
		text, quoted = d.flowText(value), true
	}
	head, tail := " "+text, ""
	if !quoted {
		var err error
		column := e.start - d.lineStart(e.start)
		if head, tail, err = d.blockText(value, column, parent.kind == sequence); err != nil {
			return nil, false
		}
	}
	return d.exchange(e, head, tail), true
}

// exchange puts head behind the colon or dash of an entry and tail on the
// lines below, as its value. A comment in the line of the colon stays.
func (d *Doc) exchange(e entry, head, tail string) splice {
	n := e.value
	newline := d.newline()
	if bytes.IndexByte(d.text[e.colon:n.start], '\n') >= 0 {
		colonEnd := lineEnd(d.text, e.colon)
		behind := trimmedEnd(d.text, e.colon, colonEnd)
		if tail == "" {
			return splice{{e.colon, e.colon, head}, {max(behind, e.colon), n.end, ""}}
		}
		return splice{{e.colon, e.colon, head}, {d.lineStart(n.start), n.end, tail}}
	}
	from := n.start
	switch {
	case n.start == n.end && n.start == e.start:
		head = trimBlank(head)
	case n.start == n.end, head == "":
		from = e.colon
	default:
		head = trimBlank(head)
	}
	s := splice{{from, n.end, head}}
	if tail != "" {
		end := lineEnd(d.text, n.end)
		s = append(s, replacement{end, end, newline + tail})
	}
	return s
}

func trimBlank(head string) string {
	if head != "" && head[0] == ' ' {
		return head[1:]
	}
	return head
}

// add writes what a document does not have yet.
func (d *Doc) add(path fieldpath.Path, found *location, value any) error {
	last := found.last()
	if err := d.checkAround(path, found.nodes); err != nil {
		return err
	}
	missing := slices.Clone(found.missing)
	if i := missing[0].Index; i != nil && *i == len(last.entries) {
		missing[0] = fieldpath.IndexElement(0)
	}
	built, ok := build(missing, value)
	if !ok {
		return d.refuse(path, NotFound, last.start)
	}
	if last.kind == scalar || len(last.entries) == 0 && len(found.entries) > 0 {
		s, ok := d.replaceValue(found, built)
		return d.prove(path, found, s, ok, with(d.tree, found.place, built))
	}
	key, inner, step := "", built, any(len(last.entries))
	if name := found.missing[0].FieldName; name != nil {
		key, step = *name, *name
		inner, _ = child(built, *name)
	} else if items, ok := built.([]any); ok {
		inner = items[0]
	}
	s, ok := d.insert(last, key, inner)
	return d.prove(path, found, s, ok, with(d.tree, append(slices.Clone(found.place), step), inner))
}

// build makes the value that a path leads through to value.
func build(path fieldpath.Path, value any) (any, bool) {
	if len(path) == 0 {
		return value, true
	}
	element := path[0]
	if element.Value != nil {
		return []any{(*element.Value).Unstructured()}, len(path) == 1
	}
	inner, ok := build(path[1:], value)
	switch {
	case element.FieldName != nil:
		return map[string]any{*element.FieldName: inner}, ok
	case element.Key != nil:
		item, isMap := inner.(map[string]any)
		if !isMap {
			return nil, false
		}
		for _, key := range *element.Key {
			item[key.Name] = key.Value.Unstructured()
		}
		plain, err := plainValue([]any{item})
		return plain, ok && err == nil
	case element.Index != nil:
		return []any{inner}, ok && *element.Index == 0
	}
	return nil, false
}

// insert writes a new entry behind the last one of a collection.
func (d *Doc) insert(parent *node, key string, value any) (splice, bool) {
	if parent.flow {
		return d.insertFlow(parent, key, value)
	}
	last := parent.entries[len(parent.entries)-1]
	if last.odd || len(parent.entries) == 0 {
		return nil, false
	}
	column := parent.entries[0].start - d.lineStart(parent.entries[0].start)
	head, tail, err := d.blockText(value, column, parent.kind == sequence)
	if err != nil {
		return nil, false
	}
	lead := "-"
	if parent.kind == mapping {
		lead = d.keyText(key) + ":"
	}
	newline := d.newline()
	text := indented(lead, string(bytes.Repeat([]byte(" "), column)), newline) + head
	if tail != "" {
		text += newline + tail
	}
	end := d.tail(last, column)
	if end > 0 && !isBreakBefore(d.text, end) {
		return splice{{end, end, newline + text}}, true
	}
	return splice{{end, end, text + newline}}, true
}

func isBreakBefore(text []byte, offset int) bool {
	return text[offset-1] == '\n' || text[offset-1] == '\r'
}

// keyText writes a key with quotes where it needs them.
func (d *Doc) keyText(key string) string {
	head, tail, err := d.blockText(key, 0, true)
	if err != nil || tail != "" {
		return jsonText(key)
	}
	return trimBlank(head)
}

// insertFlow writes a new entry behind the last one in brackets, laid out as
// the others are.
func (d *Doc) insertFlow(parent *node, key string, value any) (splice, bool) {
	text := d.flowText(value)
	if parent.kind == mapping {
		quoted := jsonText(key)
		if !d.json {
			quoted = d.flowText(key)
		}
		text = quoted + ": " + text
	}
	if len(parent.entries) == 0 {
		return splice{{parent.end - 1, parent.end - 1, text}}, true
	}
	first, last := parent.entries[0], parent.entries[len(parent.entries)-1]
	if last.odd {
		return nil, false
	}
	end := max(last.value.end, last.colon)
	between := " "
	if start := trimmedEnd(d.text, 0, first.start); start < first.start && bytes.IndexByte(d.text[start:first.start], '\n') >= 0 {
		between = string(d.text[start:first.start])
	}
	return splice{{end, end, "," + between + text}}, true
}
