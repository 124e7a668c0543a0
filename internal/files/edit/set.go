package edit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/document"
)

// Set gives the field or item at path a value, in the quotes of the former one
// where there is one and the value is text. What is missing on the way is
// added behind what is there: fields, and list items with their keys. The
// value is anything that JSON can say. The error is a RefusedError, or that of
// a value which JSON cannot say.
func (d *Doc) Set(path fieldpath.Path, value any) error {
	value, err := document.Normal(value)
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
	if reflect.DeepEqual(found.value, value) {
		return nil
	}
	s, ok := d.replaceValue(found, value)
	return d.prove(path, found, s, ok, with(d.tree, found.place, value))
}

// replaceValue replaces a value.
func (d *Doc) replaceValue(found *location, value any) ([]document.Splice, bool) {
	n := found.last()
	if len(found.entries) == 0 {
		return document.Replace(n.Start, n.End, d.flowText(value)), true
	}
	parent, index := found.entry()
	e := parent.Entries[index]
	if e.Odd {
		return nil, false
	}
	text, quoted := quotedLike(n, value)
	if parent.Flow && !quoted {
		text, quoted = d.flowText(value), true
	}
	head, tail := " "+text, ""
	if !quoted {
		var err error
		column := e.Start - d.lineStart(e.Start)
		if head, tail, err = d.blockText(value, column, parent.Kind == document.Sequence); err != nil {
			return nil, false
		}
	}
	return d.exchange(e, head, tail), true
}

// exchange puts head behind the colon or dash of an entry and tail on the
// lines below, as its value. A comment in the line of the colon stays.
func (d *Doc) exchange(e document.Entry, head, tail string) []document.Splice {
	n := e.Value
	newline := document.Newline(d.text)
	if bytes.IndexByte(d.text[e.Colon:n.Start], '\n') >= 0 {
		colonEnd := document.LineEnd(d.text, e.Colon)
		behind := document.TrimmedEnd(d.text, e.Colon, colonEnd)
		if tail == "" {
			return append(document.Replace(e.Colon, e.Colon, head), document.Replace(max(behind, e.Colon), n.End, "")...)
		}
		return append(document.Replace(e.Colon, e.Colon, head), document.Replace(d.lineStart(n.Start), n.End, tail)...)
	}
	from := n.Start
	switch {
	case n.Start == n.End && n.Start == e.Start:
		head = strings.TrimPrefix(head, " ")
	case n.Start == n.End, head == "":
		from = e.Colon
	default:
		head = strings.TrimPrefix(head, " ")
	}
	s := document.Replace(from, n.End, head)
	if tail != "" {
		end := document.LineEnd(d.text, n.End)
		s = append(s, document.Replace(end, end, newline+tail)...)
	}
	return s
}

// add writes what a document does not have yet.
func (d *Doc) add(path fieldpath.Path, found *location, value any) error {
	last := found.last()
	if err := d.checkAround(path, found.nodes); err != nil {
		return err
	}
	missing := slices.Clone(found.missing)
	if i := missing[0].Index; i != nil && *i == len(last.Entries) {
		missing[0] = fieldpath.IndexElement(0)
	}
	built, ok := build(missing, value)
	if !ok {
		return d.refuse(path, NotFound, last.Start)
	}
	if last.Kind == document.Scalar || len(last.Entries) == 0 && len(found.entries) > 0 {
		s, ok := d.replaceValue(found, built)
		return d.prove(path, found, s, ok, with(d.tree, found.place, built))
	}
	key, inner, step := "", built, any(len(last.Entries))
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
		plain, err := document.Normal([]any{item})
		return plain, ok && err == nil
	case element.Index != nil:
		return []any{inner}, ok && *element.Index == 0
	}
	return nil, false
}

// insert writes a new entry behind the last one of a collection.
func (d *Doc) insert(parent *document.Node, key string, value any) ([]document.Splice, bool) {
	if parent.Flow {
		return d.insertFlow(parent, key, value)
	}
	last := parent.Entries[len(parent.Entries)-1]
	if last.Odd || len(parent.Entries) == 0 {
		return nil, false
	}
	column := parent.Entries[0].Start - d.lineStart(parent.Entries[0].Start)
	head, tail, err := d.blockText(value, column, parent.Kind == document.Sequence)
	if err != nil {
		return nil, false
	}
	lead := "-"
	if parent.Kind == document.Mapping {
		lead = d.keyText(key) + ":"
	}
	newline := document.Newline(d.text)
	text := document.Indented(lead, string(bytes.Repeat([]byte(" "), column)), newline) + head
	if tail != "" {
		text += newline + tail
	}
	end := d.tail(last, column)
	if end > 0 && d.text[end-1] != '\n' && d.text[end-1] != '\r' {
		return document.Replace(end, end, newline+text), true
	}
	return document.Replace(end, end, text+newline), true
}

// keyText writes a key with quotes where it needs them.
func (d *Doc) keyText(key string) string {
	head, tail, err := d.blockText(key, 0, true)
	if err != nil || tail != "" {
		return jsonText(key)
	}
	return strings.TrimPrefix(head, " ")
}

// insertFlow writes a new entry behind the last one in brackets, laid out as
// the others are.
func (d *Doc) insertFlow(parent *document.Node, key string, value any) ([]document.Splice, bool) {
	text := d.flowText(value)
	if parent.Kind == document.Mapping {
		quoted := jsonText(key)
		if !d.json {
			quoted = d.flowText(key)
		}
		text = quoted + ": " + text
	}
	if len(parent.Entries) == 0 {
		return document.Replace(parent.End-1, parent.End-1, text), true
	}
	first, last := parent.Entries[0], parent.Entries[len(parent.Entries)-1]
	if last.Odd {
		return nil, false
	}
	end := last.End()
	between := " "
	if start := document.TrimmedEnd(d.text, 0, first.Start); start < first.Start &&
		bytes.IndexByte(d.text[start:first.Start], '\n') >= 0 {
		between = string(d.text[start:first.Start])
	}
	return document.Replace(end, end, ","+between+text), true
}

// simple matches the strings that can stand in brackets without quotes if they
// can stand anywhere without.
var simple = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// blockText writes a value as it stands behind a colon or dash: the rest of
// that line, and the lines below. Those are indented for a key or dash in
// column.
func (d *Doc) blockText(value any, column int, dash bool) (head, tail string, err error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if !d.indentsSequences() {
		encoder.CompactSeqIndent()
	}
	wrapped, lead := any(map[string]any{"k": value}), "k:"
	if dash {
		wrapped, lead = []any{value}, "-"
	}
	if err := encoder.Encode(wrapped); err != nil {
		return "", "", err
	}
	text := strings.TrimPrefix(strings.TrimSuffix(out.String(), "\n"), lead)
	head, tail, _ = strings.Cut(text, "\n")
	return head, document.Indented(tail, strings.Repeat(" ", column), document.Newline(d.text)), nil
}

// indentsSequences reports whether the first block sequence below a key is
// indented more than the key.
func (d *Doc) indentsSequences() bool {
	found, indents := false, false
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries {
			v := e.Value
			if !found && n.Kind == document.Mapping && !n.Flow && v.Kind == document.Sequence && !v.Flow && len(v.Entries) > 0 {
				found = true
				indents = v.Entries[0].Start-d.lineStart(v.Entries[0].Start) > e.Start-d.lineStart(e.Start)
			}
			if found {
				return
			}
			walk(v)
		}
	}
	walk(d.root)
	return indents
}

// quotedLike writes a string in the quotes of the scalar that it replaces.
func quotedLike(former *document.Node, value any) (string, bool) {
	s, ok := value.(string)
	if !ok || former == nil || former.Kind != document.Scalar || strings.ContainsAny(s, "\r\n") {
		return "", false
	}
	switch former.Lead {
	case '"':
		return jsonText(s), true
	case '\'':
		return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
	}
	return "", false
}

// flowText writes a value as it stands in brackets.
func (d *Doc) flowText(value any) string {
	if s, ok := value.(string); ok && !d.json && simple.MatchString(s) {
		if text, err := yaml.Marshal(s); err == nil && strings.TrimSuffix(string(text), "\n") == s {
			return s
		}
	}
	return jsonText(value)
}

// jsonText is JSON on one line, with blanks behind colons and commas as people
// write it, <, > and & not escaped.
func jsonText(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null"
	}
	return string(document.Spaced(bytes.TrimSuffix(out.Bytes(), []byte("\n"))))
}
