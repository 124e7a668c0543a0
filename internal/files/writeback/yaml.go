package writeback

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/yamlout"
)

// errFlowItems is the error of a YAML List whose items are in brackets.
var errFlowItems = fmt.Errorf("items in brackets: %w", ErrUnsafe)

// errSharedAnchor is the error of an item that holds an anchor which another
// item refers to.
var errSharedAnchor = fmt.Errorf("an alias elsewhere refers to it: %w", ErrUnsafe)

// A yamlList is a list in block style.
type yamlList struct {
	// Its items enclose whole lines, comments behind the item left out.
	spans
	// key is the offset of the key "items", value that of its value.
	key, value int
	// column is the number of blanks in front of the dashes.
	column  int
	entries []document.Entry
	aliases map[*document.Node]int // of the document
}

// newYAMLList finds the items of a YAML document that is a List. It tells
// false for a document that has none, and an error for one whose items cannot
// be told apart.
func newYAMLList(text []byte, doc document.Part) (*yamlList, bool, error) {
	body := doc.Of(text)
	root, err := document.YAML(body)
	if errors.Is(err, document.ErrNoMapping) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	at := slices.IndexFunc(root.Entries, func(e document.Entry) bool { return e.Key == "items" })
	if at < 0 || root.Entries[at].Value.Kind != document.Sequence {
		return nil, false, nil
	}
	key, lines := root.Entries[at], document.NewLines(body)
	l := &yamlList{
		spans: spans{text: text}, entries: key.Value.Entries, aliases: root.Aliases(), column: columnOf(lines, key),
		key: doc.Start + key.Start, value: doc.Start + key.Value.Start,
	}
	for _, e := range root.Entries {
		switch e.Key {
		case "apiVersion":
			l.apiVersion = e.Value.Value
		case "kind":
			l.kind = e.Value.Value
		}
	}
	if len(l.entries) == 0 {
		return l, true, nil
	}
	if key.Value.Flow {
		return l, true, errFlowItems
	}
	end := lines.Count() + 1
	if at+1 < len(root.Entries) {
		end = lines.Line(root.Entries[at+1].Start)
	}
	return l, true, l.find(lines, doc.Start, end)
}

func columnOf(lines document.Lines, e document.Entry) int {
	return e.Start - lines.Start(lines.Line(e.Start))
}

// find encloses the items by their dashes, which all stand in one column.
func (l *yamlList) find(lines document.Lines, offset, end int) error {
	l.column = columnOf(lines, l.entries[0])
	starts := make([]int, len(l.entries), len(l.entries)+1)
	for i, e := range l.entries {
		starts[i] = lines.Line(e.Start)
		if e.Odd || !document.IsDash(lines.Text(starts[i]), l.column) ||
			len(bytes.TrimLeft(lines.Text(starts[i])[:l.column], " ")) > 0 ||
			i > 0 && starts[i] <= starts[i-1] {
			return ErrUnsafe
		}
	}
	starts = append(starts, end)
	for i := range l.entries {
		last := starts[i+1] - 1
		for last > starts[i] && l.isOutside(lines.Text(last)) {
			last--
		}
		l.items = append(l.items, document.Between(offset+lines.Start(starts[i]), offset+lines.Start(last+1)))
	}
	return nil
}

// isOutside reports whether a line behind an item is certainly no part of it:
// blank, or a comment that is not indented more than the dash.
func (l *yamlList) isOutside(line []byte) bool {
	content := bytes.TrimSpace(line)
	return len(content) == 0 || content[0] == '#' && len(line)-len(bytes.TrimLeft(line, " ")) <= l.column
}

// decode reads the lines of an item as a sequence of one.
func (l *yamlList) decode(i int) (any, error) {
	value, err := document.Value(l.item(i), false)
	if err != nil {
		return nil, err
	}
	sequence, ok := value.([]any)
	if !ok || len(sequence) != 1 {
		return nil, errors.New("not an item of a sequence")
	}
	return sequence[0], nil
}

func (l *yamlList) replace(values map[int]map[string]any) ([]document.Splice, error) {
	var splices []document.Splice
	gone := 0
	for i, value := range values {
		if l.entries[i].Value.IsShared(l.aliases) {
			return nil, errSharedAnchor
		}
		if value == nil {
			gone++
			splices = append(splices, l.items[i].Replaced(nil)...)
			continue
		}
		encoded, err := l.encode(value)
		if err != nil {
			return nil, err
		}
		if !bytes.HasSuffix(l.item(i), []byte("\n")) {
			encoded = withoutFinalNewline(encoded, document.Newline(l.text), []any{value})
		}
		splices = append(splices, l.items[i].Replaced(encoded)...)
	}
	if gone > 0 && gone == len(l.items) {
		colon := l.key + bytes.IndexByte(l.text[l.key:], ':') + 1
		splices = append(splices, document.Replace(colon, colon, " []")...)
	}
	return splices, nil
}

// encode writes an item with its dash, indented as the others are.
func (l *yamlList) encode(value map[string]any) ([]byte, error) {
	encoded, err := encodeYAML(value, "\n")
	if err != nil {
		return nil, err
	}
	blanks := strings.Repeat(" ", l.column)
	text := document.Indented(string(encoded), blanks+"  ", document.Newline(l.text))
	return []byte(blanks + "- " + text[len(blanks)+2:]), nil
}

func (l *yamlList) append(values []map[string]any) ([]document.Splice, error) {
	place, added, err := l.end()
	if err != nil {
		return nil, err
	}
	for _, value := range values {
		encoded, err := l.encode(value)
		if err != nil {
			return nil, err
		}
		added = append(added, encoded...)
	}
	return place.Replaced(added), nil
}

// end is what new items take the place of, and the line break before them.
func (l *yamlList) end() (place document.Span, lead []byte, err error) {
	newline := document.Newline(l.text)
	if len(l.items) > 0 {
		end := l.items[len(l.items)-1].End
		if !bytes.HasSuffix(l.text[:end], []byte("\n")) {
			lead = []byte(newline)
		}
		return document.Between(end, end), lead, nil
	}
	brackets := l.text[l.value:]
	end := bytes.IndexByte(brackets, ']') + 1
	if end == 0 || brackets[0] != '[' || len(bytes.TrimSpace(brackets[1:end-1])) > 0 {
		return document.Span{}, nil, ErrUnsafe
	}
	end += l.value
	place = document.Between(
		len(bytes.TrimRight(l.text[:l.value], " \t")),
		min(document.LineBehind(l.text, end), len(l.text)),
	)
	if rest := bytes.TrimSpace(l.text[end:place.End]); len(rest) > 0 {
		return document.Span{}, nil, ErrUnsafe
	}
	return place, []byte(newline), nil
}

// encodeYAML writes an object as kubectl prints it, with a final line break.
func encodeYAML(object map[string]any, newline string) ([]byte, error) {
	text, err := yamlout.Marshal(object)
	if err != nil {
		return nil, err
	}
	if newline != "\n" {
		// A carriage return inside a string is escaped, so all of these are
		// layout.
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(newline))
	}
	return text, nil
}

// replaceYAML replaces the body of a document with an object.
func replaceYAML(text []byte, doc document.Part, object map[string]any) ([]document.Splice, error) {
	newline := document.Newline(text[doc.Start:])
	encoded, err := encodeYAML(object, newline)
	if err != nil {
		return nil, err
	}
	place, written := doc.Span, encoded
	if doc.Start > 0 && text[doc.Start-1] != '\n' {
		written = append([]byte(newline), encoded...)
	}
	if !bytes.HasSuffix(text[:doc.End], []byte("\n")) {
		written = withoutFinalNewline(written, newline, object)
	}
	if bytes.HasSuffix(encoded, []byte(newline+newline)) {
		// The object ends with a block scalar that keeps its last lines: blank
		// lines behind it would become a part of it.
		place.End += blankLines(text[doc.End:doc.SectionEnd])
	}
	return place.Replaced(written), nil
}

// withoutFinalNewline keeps a file's missing last line break missing, unless
// the value would be another without it.
func withoutFinalNewline(encoded []byte, newline string, object any) []byte {
	trimmed := bytes.TrimSuffix(encoded, []byte(newline))
	if value, err := document.Value(trimmed, false); err != nil || !reflect.DeepEqual(value, object) {
		return encoded
	}
	return trimmed
}

// blankLines reports how many bytes of blank lines a text begins with.
func blankLines(text []byte) int {
	blank := 0
	for blank < len(text) {
		next := document.LineBehind(text, blank)
		if len(bytes.TrimSpace(text[blank:next])) > 0 {
			break
		}
		blank = next
	}
	return blank
}

// removeDocument is what goes with a document: a JSON value with the blanks behind
// it, or everything from the separator above it to the one below.
func removeDocument(text []byte, doc document.Part) document.Span {
	if doc.Alone {
		return document.Between(doc.Separator, doc.SectionEnd)
	}
	end := doc.End
	for end < doc.SectionEnd && bytes.IndexByte([]byte(" \t\r\n"), text[end]) >= 0 {
		end++
	}
	return document.Between(doc.Start, end)
}
