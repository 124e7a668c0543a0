package jsontree

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/json"
)

// Decode reads an object. Every call gives a new map; strings may be shared
// between calls.
func Decode(text []byte) (map[string]any, error) {
	r, err := decode(text, false)
	return r.Object, err
}

// Reading is an object with what is known of its text.
type Reading struct {
	// Object is the tree.
	Object map[string]any
	// Distinct: surely no object in the text repeats a key. In a tree the last of them
	// counts; where the text is read into Go types, the maps and structs of all of them
	// are merged.
	Distinct bool
	// Filled: surely no list in the text is empty.
	Filled bool
	// Owned are the texts below keys fieldsV1, in their order; none where the text is not
	// read here. They are slices of the text, which stays in memory with them. What is
	// below such a key has no part in it.
	Owned [][]byte
}

// Read is Decode, and also returns what is known about the text.
func Read(text []byte) (Reading, error) { return decode(text, true) }

func decode(text []byte, notes bool) (Reading, error) {
	d := decoders.Get().(*decoder)
	d.notes = notes
	r, ok := d.read(text)
	decoders.Put(d)
	if ok {
		return r, nil
	}
	r = Reading{}
	err := json.Unmarshal(text, &r.Object)
	return r, err
}

// decoder builds trees.
type decoder struct {
	scanner
	words words
	// repeated is true once a key came twice in an object, and hollow once a list was empty.
	repeated, hollow bool
	// notes is true where the texts below keys fieldsV1 are asked for: they are owned.
	notes bool
	owned [][]byte
	// items are those of the lists that are open, innermost last.
	items []any
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func (d *decoder) read(text []byte) (Reading, bool) {
	d.scanner = scanner{text: text, scratch: d.scratch}
	d.repeated, d.hollow, d.owned = false, false, nil
	if d.next() != '{' {
		return Reading{}, false
	}
	v := d.value()
	if d.next() != 0 || d.at < len(text) {
		d.fail()
	}
	object, _ := v.(map[string]any)
	r := Reading{Object: object, Distinct: !d.repeated, Filled: !d.hollow, Owned: d.owned}
	failed := d.failed
	d.text, d.owned = nil, nil
	return r, !failed
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
		if d.notes && key == fieldsKey {
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
	d.hollow = d.hollow || len(d.items) == first
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
