package jsontree

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/recall"
)

// Decode reads an object. Every call gives a new map; strings may be shared
// between calls.
func Decode(text []byte) (map[string]any, error) {
	object, _, err := decode(text, false)
	return object, err
}

// DecodeDistinct is Decode, and tells as well whether surely no object in the
// text repeats a key. In a tree the last of them counts; where the text is read
// into Go types, the maps and structs of all of them are merged. What is below a key
// fieldsV1 may be shared between calls: it must not be changed.
func DecodeDistinct(text []byte) (object map[string]any, distinct bool, err error) {
	return decode(text, true)
}

func decode(text []byte, shared bool) (object map[string]any, distinct bool, err error) {
	d := decoders.Get().(*decoder)
	d.shared = shared
	object, ok := d.object(text)
	distinct = ok && !d.repeated
	decoders.Put(d)
	if !ok {
		object = nil
		err = json.Unmarshal(text, &object)
	}
	return object, distinct, err
}

// decoder builds trees.
type decoder struct {
	scanner
	words words
	// repeated is true once a key came twice in an object.
	repeated bool
	// owned are the trees of what field managers own; shared is true where they may be
	// in several objects.
	owned  recall.Texts[any]
	shared bool
	// items are those of the lists that are open, innermost last.
	items []any
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func (d *decoder) object(text []byte) (map[string]any, bool) {
	d.scanner, d.repeated = scanner{text: text, scratch: d.scratch}, false
	if d.next() != '{' {
		return nil, false
	}
	v := d.value()
	if d.next() != 0 || d.at < len(text) {
		d.fail()
	}
	object, _ := v.(map[string]any)
	failed := d.failed
	d.text = nil
	return object, !failed
}

func (d *decoder) value() any {
	switch c := d.next(); c {
	case '{':
		return d.members()
	case '[':
		return d.elements()
	case '"':
		return d.leaf(d.string())
	case 't':
		d.word("true")
		return true
	case 'f':
		d.word("false")
		return false
	case 'n':
		d.word("null")
		return nil
	case 0:
		d.fail()
		return nil
	}
	return d.number()
}

func (d *decoder) members() map[string]any {
	d.enter()
	object := map[string]any{}
	for !d.failed {
		if len(object) == 0 && d.next() == '}' {
			break
		}
		key := d.name(d.string())
		d.pass(':')
		members := len(object)
		if d.shared && key == fieldsKey {
			object[key] = d.fields()
		} else {
			object[key] = d.value()
		}
		d.repeated = d.repeated || len(object) == members
		if d.next() != ',' {
			break
		}
		d.at++
		if d.next() == '}' {
			d.fail()
		}
	}
	d.pass('}')
	d.depth--
	return object
}

func (d *decoder) elements() []any {
	d.enter()
	first := len(d.items)
	for !d.failed {
		if len(d.items) == first && d.next() == ']' {
			break
		}
		d.items = append(d.items, d.value())
		if d.next() != ',' {
			break
		}
		d.at++
	}
	d.pass(']')
	d.depth--
	list := make([]any, len(d.items)-first)
	copy(list, d.items[first:])
	clear(d.items[first:])
	d.items = d.items[:first]
	return list
}

func (d *decoder) enter() {
	d.at++
	if d.depth++; d.depth > maxDepth {
		d.fail()
	}
}

func (d *decoder) name(text []byte) string {
	if len(text) > maxWord {
		return string(text)
	}
	return d.words.of(text).text
}

func (d *decoder) leaf(text []byte) any {
	if len(text) > maxWord {
		return string(text)
	}
	return d.words.of(text).leaf
}
