// Package jsontree reads JSON into the trees that the API machinery works on
// (maps, lists, strings, booleans, null, int64 and float64), compares a text with
// a tree without reading it into one, finds and replaces parts of a text by
// their path, and drops the white space of a text. It stands in for libraries where
// most of a large run is spent, and for nothing but speed.
//
// The laws, each of them fuzzed: Decode gives what
// k8s.io/apimachinery/pkg/util/json.Unmarshal gives, errors included (what is seldom,
// or wrong, is handed on to it); Equal is true only where the tree of the text would
// be deeply equal to the other one; Texts and AppendCompact do to a valid text what
// encoding/json does.
//
// It is 2.5 to 10 times as fast as they are (BenchmarkLibrary); without it, a run of 5,000
// small Deployments that changes nothing takes 1.3 times as long.
//
//	decode.go   trees, by the tokens of document/scan; texts that come over and over
//	equal.go    comparing, and having trees share their memory
//	texts.go    parts of a text, and a text without its white space
package jsontree

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/document/scan"
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

// maxDepth bounds the nesting that is read here; encoding/json judges the rest.
const maxDepth = 500

// decoder builds trees.
type decoder struct {
	*scan.Scanner
	text  []byte
	words words
	// repeated is true once a key came twice in an object, and hollow once a list was empty.
	repeated, hollow bool
	// notes is true where the texts below keys fieldsV1 are asked for: they are owned.
	notes bool
	owned [][]byte
	// items are those of the lists that are open, innermost last.
	items []any
}

var decoders = sync.Pool{New: func() any { return &decoder{Scanner: scan.Bytes(nil, maxDepth)} }}

func (d *decoder) read(text []byte) (Reading, bool) {
	d.Reset(text)
	d.text, d.repeated, d.hollow = text, false, false
	v := d.value()
	object, ok := v.(map[string]any)
	ok = d.Done() && ok
	r := Reading{Object: object, Distinct: !d.repeated, Filled: !d.hollow, Owned: d.owned}
	d.Reset(nil)
	clear(d.items)
	d.text, d.owned, d.items = nil, nil, d.items[:0]
	return r, ok
}

func (d *decoder) value() any {
	switch c := d.Next(); c {
	case '{':
		return d.members()
	case '[':
		return d.elements()
	case '"':
		return d.word(d.Text()).leaf
	case 't', 'f', 'n':
		return constant(d.Scanner, c)
	}
	return number(d.Scanner)
}

func (d *decoder) members() map[string]any {
	object := map[string]any{}
	for more := d.Begin('}'); more; more = d.More('}') {
		key := d.word(d.Key()).text
		members := len(object)
		if d.notes && key == fieldsKey {
			object[key] = d.fields()
		} else {
			object[key] = d.value()
		}
		d.repeated = d.repeated || len(object) == members
	}
	return object
}

// fieldsKey is the key of what a field manager owns.
const fieldsKey = "fieldsV1"

// fields reads what a field manager owns, and notes its text.
func (d *decoder) fields() any {
	d.Next()
	from, at := d.Offset(), len(d.owned)
	d.owned = append(d.owned, nil)
	tree := d.value()
	d.owned = d.owned[:at+1]
	d.owned[at] = d.text[from:d.Offset()]
	return tree
}

func (d *decoder) elements() []any {
	first := len(d.items)
	for more := d.Begin(']'); more; more = d.More(']') {
		d.items = append(d.items, d.value())
	}
	d.hollow = d.hollow || len(d.items) == first
	list := make([]any, len(d.items)-first)
	copy(list, d.items[first:])
	clear(d.items[first:])
	d.items = d.items[:first]
	return list
}

// constant passes true, false or null, which begins with c, and gives it.
func constant(s *scan.Scanner, c byte) any {
	s.Skip()
	if c == 'n' {
		return nil
	}
	return c == 't'
}

// number passes a number, and gives its value: an int64 where it is an integer
// that fits, or else a float64.
func number(s *scan.Scanner) any {
	text := s.Word()
	if s.Err() != nil {
		return nil
	}
	if n, ok := small(text); ok {
		return n
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		s.Fail(err)
	}
	return f
}

// small reads an integer of up to 18 digits.
func small(text []byte) (int64, bool) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// words are the keys and strings that were read last. Objects of one kind repeat them;
// each is in memory once for many trees.
type words [1 << 11]word

// word is a text, as a string and as a leaf of a tree.
type word struct {
	text string
	leaf any
}

// maxWord is how long the texts are that are kept. Longer ones seldom come again.
const maxWord = 64

var seed = maphash.MakeSeed()

func (d *decoder) word(text []byte) word {
	if len(text) > maxWord {
		long := string(text)
		return word{long, long}
	}
	slot := &d.words[maphash.Bytes(seed, text)%uint64(len(d.words))]
	if slot.text != string(text) || slot.leaf == nil {
		slot.text = string(text)
		slot.leaf = slot.text
	}
	return *slot
}
