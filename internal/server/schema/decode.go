// Package schema holds the merge schemas of all built-in kinds, embedded, a
// file a Kubernetes minor version, and decodes them a kind at a time.
//
// A server makes these schemas from its OpenAPI definitions when it starts,
// which takes some 100 ms. Here opening a version takes microseconds, since
// nothing is decoded before it is asked for.
//
// # The format
//
// A file is a sequence of numbers (unsigned varints) and bytes:
//
//	magic    "ssactl-schema-1\n"
//	strings  count, then each as length and bytes; all else names strings by
//	         their index
//	types    count, then for each its name and the length of its atom, then
//	         the atoms one behind the other
//	kinds    count, then for each group, version, kind, and the index of its
//	         type
//
// An atom starts with a byte of flags (scalar, list, map) and holds what
// structured-merge-diff's schema.Atom holds, in the order of its fields. A
// type reference is either an index of a type or an atom of its own. Generated
// by hack/genschema; see its README.
//
// The package imports structured-merge-diff and apimachinery only.
package schema

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Magic is how a file starts.
const Magic = "ssactl-schema-1\n"

// The flags of an atom.
const (
	HasScalar = 1 << iota
	HasList
	HasMap
)

// The flags of a type reference.
const (
	IsNamed = 1 << iota
	HasRelationship
	IsNullable
)

// blob is a file with the places of what it holds.
type blob struct {
	strings []string
	names   []string // of the types
	atoms   [][]byte
	kinds   map[schema.GroupVersionKind]int
}

// index finds strings, types and kinds, and decodes no type. Like all that reads the data,
// it panics where that is damaged: the data is embedded, and tests decode all of it.
func index(data []byte) (*blob, error) {
	rest, ok := bytes.CutPrefix(data, []byte(Magic))
	if !ok {
		return nil, fmt.Errorf("merge schemas do not start with %q", Magic)
	}
	r := &reader{data: rest}
	b := &blob{kinds: map[schema.GroupVersionKind]int{}}
	r.strings = make([]string, 0, r.number())
	for range cap(r.strings) {
		r.strings = append(r.strings, string(r.bytes(r.number())))
	}
	b.strings = r.strings
	sizes := make([]int, r.number())
	b.names = make([]string, len(sizes))
	for i := range sizes {
		b.names[i], sizes[i] = r.text(), r.number()
	}
	b.atoms = make([][]byte, len(sizes))
	for i, size := range sizes {
		b.atoms[i] = r.bytes(size)
	}
	for range r.number() {
		kind := schema.GroupVersionKind{Group: r.text(), Version: r.text(), Kind: r.text()}
		b.kinds[kind] = r.number()
	}
	return b, nil
}

// closure decodes a type and those that it refers to, in the order in which they are met.
func (b *blob) closure(root int) []smd.TypeDef {
	var types []smd.TypeDef
	seen := map[int]bool{root: true}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		r := &reader{data: b.atoms[queue[0]], strings: b.strings, names: b.names}
		types = append(types, smd.TypeDef{Name: b.names[queue[0]], Atom: r.atom()})
		for _, i := range r.references {
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return types
}

// reader reads numbers and what they stand for.
type reader struct {
	data       []byte
	strings    []string
	names      []string
	references []int
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.data)
	r.data = r.data[size:]
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) flags() byte { return r.bytes(1)[0] }

func (r *reader) text() string { return r.strings[r.number()] }

func (r *reader) atom() smd.Atom {
	var a smd.Atom
	flags := r.flags()
	if flags&HasScalar != 0 {
		s := smd.Scalar(r.text())
		a.Scalar = &s
	}
	if flags&HasList != 0 {
		a.List = r.list()
	}
	if flags&HasMap != 0 {
		a.Map = r.object()
	}
	return a
}

func (r *reader) list() *smd.List {
	l := &smd.List{ElementType: r.reference()}
	l.ElementRelationship = smd.ElementRelationship(r.text())
	for range r.number() {
		l.Keys = append(l.Keys, r.text())
	}
	return l
}

func (r *reader) object() *smd.Map {
	m := &smd.Map{}
	if n := r.number(); n > 0 {
		m.Fields = make([]smd.StructField, n)
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		f.Name, f.Type, f.Default = r.text(), r.reference(), r.value()
	}
	m.ElementType = r.reference()
	m.ElementRelationship = smd.ElementRelationship(r.text())
	return m
}

func (r *reader) reference() smd.TypeRef {
	flags := r.flags()
	ref := smd.TypeRef{Nullable: flags&IsNullable != 0}
	if flags&IsNamed != 0 {
		i := r.number()
		r.references = append(r.references, i)
		ref.NamedType = &r.names[i]
	} else {
		ref.Inlined = r.atom()
	}
	if flags&HasRelationship != 0 {
		relationship := smd.ElementRelationship(r.text())
		ref.ElementRelationship = &relationship
	}
	return ref
}

// value reads a default, which is JSON; the empty text is none.
func (r *reader) value() (v any) {
	if text := r.text(); text != "" {
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			panic(err)
		}
	}
	return v
}
