package schema

import (
	"encoding/binary"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

const magic = "ssactl-schema-1\n"

// The flags of an atom.
const (
	hasScalar = 1 << iota
	hasList
	hasMap
)

// The flags of a type reference.
const (
	isNamed = 1 << iota
	hasRelationship
	isNullable
)

var errDamaged = errors.New("damaged merge schema")

// maxDepth bounds the nesting of inlined atoms; real ones nest twice.
const maxDepth = 32

// blob is a file with the places of what it holds.
type blob struct {
	strings []string
	names   []string // of the types
	atoms   [][]byte
	kinds   map[schema.GroupVersionKind]int
}

// index finds strings, types and kinds, and decodes no type.
func index(data []byte) (*blob, error) {
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not start with %q", errDamaged, magic)
	}
	r := &reader{data: data[len(magic):]}
	b := &blob{kinds: map[schema.GroupVersionKind]int{}}
	r.strings = make([]string, 0, r.count())
	for range cap(r.strings) {
		r.strings = append(r.strings, string(r.bytes(r.number())))
	}
	b.strings = r.strings
	sizes := make([]uint64, r.count())
	b.names = make([]string, len(sizes))
	for i := range sizes {
		b.names[i], sizes[i] = r.text(), r.number()
	}
	b.atoms = make([][]byte, len(sizes))
	for i, size := range sizes {
		b.atoms[i] = r.bytes(size)
	}
	for range r.count() {
		kind := schema.GroupVersionKind{Group: r.text(), Version: r.text(), Kind: r.text()}
		b.kinds[kind] = r.below(len(b.names))
	}
	if r.err == nil && len(r.data) > 0 {
		r.fail("bytes behind the end")
	}
	return b, r.err
}

// closure decodes a type and those that it refers to, in the order in which
// they are met.
func (b *blob) closure(root int) ([]smd.TypeDef, error) {
	var types []smd.TypeDef
	seen := map[int]bool{root: true}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		r := &reader{data: b.atoms[queue[0]], strings: b.strings, names: b.names}
		atom := r.atom(0)
		if r.err == nil && len(r.data) > 0 {
			r.fail("bytes behind the end of a type")
		}
		if r.err != nil {
			return nil, r.err
		}
		types = append(types, smd.TypeDef{Name: b.names[queue[0]], Atom: atom})
		for _, i := range r.references {
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return types, nil
}

// reader reads numbers and what they stand for. The first error stays; from
// then on everything reads as zero.
type reader struct {
	data       []byte
	strings    []string
	names      []string
	references []int
	err        error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", errDamaged, what)
	}
	r.data = nil
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.fail("a number is cut")
		return 0
	}
	r.data = r.data[size:]
	return n
}

// count reads how many things follow; each takes a byte at least.
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.fail("a count is too large")
		return 0
	}
	return int(n)
}

func (r *reader) below(limit int) int {
	n := r.number()
	if n >= uint64(limit) {
		r.fail("an index is too large")
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.fail("a text is cut")
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) flags() byte {
	b := r.bytes(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (r *reader) text() string {
	i := r.below(len(r.strings))
	if r.err != nil {
		return ""
	}
	return r.strings[i]
}

func (r *reader) atom(depth int) smd.Atom {
	if depth > maxDepth {
		r.fail("atoms nest too deep")
		return smd.Atom{}
	}
	var a smd.Atom
	flags := r.flags()
	if flags&hasScalar != 0 {
		s := smd.Scalar(r.text())
		a.Scalar = &s
	}
	if flags&hasList != 0 {
		a.List = r.list(depth)
	}
	if flags&hasMap != 0 {
		a.Map = r.object(depth)
	}
	return a
}

func (r *reader) list(depth int) *smd.List {
	l := &smd.List{ElementType: r.reference(depth)}
	l.ElementRelationship = smd.ElementRelationship(r.text())
	for range r.count() {
		l.Keys = append(l.Keys, r.text())
	}
	return l
}

func (r *reader) object(depth int) *smd.Map {
	m := &smd.Map{}
	n := r.count()
	if n > 0 {
		m.Fields = make([]smd.StructField, 0, n)
	}
	for range n {
		f := smd.StructField{Name: r.text(), Type: r.reference(depth)}
		f.Default = r.value()
		m.Fields = append(m.Fields, f)
	}
	m.ElementType = r.reference(depth)
	m.ElementRelationship = smd.ElementRelationship(r.text())
	return m
}

func (r *reader) reference(depth int) smd.TypeRef {
	flags := r.flags()
	ref := smd.TypeRef{Nullable: flags&isNullable != 0}
	if flags&isNamed != 0 {
		i := r.below(len(r.names))
		if r.err != nil {
			return ref
		}
		r.references = append(r.references, i)
		ref.NamedType = &r.names[i]
	} else {
		ref.Inlined = r.atom(depth + 1)
	}
	if flags&hasRelationship != 0 {
		relationship := smd.ElementRelationship(r.text())
		ref.ElementRelationship = &relationship
	}
	return ref
}

func (r *reader) value() any {
	text := r.text()
	if text == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		r.fail("a default is no JSON")
	}
	return v
}
