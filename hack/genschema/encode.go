package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// encodeTypes writes types and the kinds that they describe. Equal input gives
// equal bytes, whatever the order of the types and of their fields, which
// upstream's converter leaves to chance. It fails where a kind or a
// reference names a type that is not there, and for unions, which no
// Kubernetes definition has.
func encodeTypes(types []smd.TypeDef, kinds map[schema.GroupVersionKind]string) ([]byte, error) {
	types = slices.Clone(types)
	slices.SortFunc(types, func(a, b smd.TypeDef) int { return strings.Compare(a.Name, b.Name) })
	e := encoder{index: map[string]uint64{}, types: map[string]uint64{}}
	for i, t := range types {
		e.types[t.Name] = uint64(i)
	}
	var heads, atoms []byte
	for _, t := range types {
		atom := e.atom(nil, t.Atom)
		heads = binary.AppendUvarint(heads, e.text(t.Name))
		heads = binary.AppendUvarint(heads, uint64(len(atom)))
		atoms = append(atoms, atom...)
	}
	table, err := e.kinds(kinds)
	if err != nil {
		return nil, err
	}
	out := []byte(mergeschema.Magic)
	out = binary.AppendUvarint(out, uint64(len(e.strings)))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	out = binary.AppendUvarint(out, uint64(len(types)))
	out = append(append(out, heads...), atoms...)
	return append(out, table...), e.err
}

// encoder numbers strings as they are met.
type encoder struct {
	strings []string
	index   map[string]uint64
	types   map[string]uint64
	err     error
}

func (e *encoder) kinds(kinds map[schema.GroupVersionKind]string) ([]byte, error) {
	sorted := make([]schema.GroupVersionKind, 0, len(kinds))
	for k := range kinds {
		sorted = append(sorted, k)
	}
	slices.SortFunc(sorted, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	out := binary.AppendUvarint(nil, uint64(len(sorted)))
	for _, k := range sorted {
		index, ok := e.types[kinds[k]]
		if !ok {
			return nil, fmt.Errorf("kind %s: no type %q", k, kinds[k])
		}
		for _, s := range []string{k.Group, k.Version, k.Kind} {
			out = binary.AppendUvarint(out, e.text(s))
		}
		out = binary.AppendUvarint(out, index)
	}
	return out, nil
}

func (e *encoder) text(s string) uint64 {
	i, ok := e.index[s]
	if !ok {
		i = uint64(len(e.strings))
		e.index[s] = i
		e.strings = append(e.strings, s)
	}
	return i
}

func (e *encoder) atom(out []byte, a smd.Atom) []byte {
	var flags byte
	if a.Scalar != nil {
		flags |= mergeschema.HasScalar
	}
	if a.List != nil {
		flags |= mergeschema.HasList
	}
	if a.Map != nil {
		flags |= mergeschema.HasMap
	}
	out = append(out, flags)
	if a.Scalar != nil {
		out = binary.AppendUvarint(out, e.text(string(*a.Scalar)))
	}
	if a.List != nil {
		out = e.list(out, a.List)
	}
	if a.Map != nil {
		out = e.object(out, a.Map)
	}
	return out
}

func (e *encoder) list(out []byte, l *smd.List) []byte {
	out = e.reference(out, l.ElementType)
	out = binary.AppendUvarint(out, e.text(string(l.ElementRelationship)))
	out = binary.AppendUvarint(out, uint64(len(l.Keys)))
	for _, key := range l.Keys {
		out = binary.AppendUvarint(out, e.text(key))
	}
	return out
}

func (e *encoder) object(out []byte, m *smd.Map) []byte {
	if len(m.Unions) > 0 {
		e.err = fmt.Errorf("a type has unions, which the format does not hold")
	}
	fields := slices.Clone(m.Fields)
	slices.SortFunc(fields, func(a, b smd.StructField) int { return strings.Compare(a.Name, b.Name) })
	out = binary.AppendUvarint(out, uint64(len(fields)))
	for _, f := range fields {
		out = binary.AppendUvarint(out, e.text(f.Name))
		out = e.reference(out, f.Type)
		out = e.value(out, f.Default)
	}
	out = e.reference(out, m.ElementType)
	return binary.AppendUvarint(out, e.text(string(m.ElementRelationship)))
}

func (e *encoder) reference(out []byte, r smd.TypeRef) []byte {
	var flags byte
	if r.NamedType != nil {
		flags |= mergeschema.IsNamed
	}
	if r.ElementRelationship != nil {
		flags |= mergeschema.HasRelationship
	}
	if r.Nullable {
		flags |= mergeschema.IsNullable
	}
	out = append(out, flags)
	if r.NamedType != nil {
		index, ok := e.types[*r.NamedType]
		if !ok {
			e.err = fmt.Errorf("no type %q", *r.NamedType)
		}
		out = binary.AppendUvarint(out, index)
	} else {
		out = e.atom(out, r.Inlined)
	}
	if r.ElementRelationship != nil {
		out = binary.AppendUvarint(out, e.text(string(*r.ElementRelationship)))
	}
	return out
}

// value writes a default as JSON; none as the empty string.
func (e *encoder) value(out []byte, v any) []byte {
	if v == nil {
		return binary.AppendUvarint(out, e.text(""))
	}
	text, err := json.Marshal(v)
	if err != nil {
		e.err = fmt.Errorf("default %v: %w", v, err)
	}
	return binary.AppendUvarint(out, e.text(string(text)))
}

// factsOf reads what definitions say beyond merge types.
func factsOf(definitions map[string]*spec.Schema) mergeschema.Facts {
	facts := mergeschema.Facts{}
	for name, definition := range definitions {
		fields := map[string]mergeschema.Fact{}
		add := func(field string, fact mergeschema.Fact) {
			if fact != (mergeschema.Fact{}) {
				fields[field] = fact
			}
		}
		add("", factOf(definition))
		for field, property := range definition.Properties {
			fact := factOf(&property)
			fact.Required = slices.Contains(definition.Required, field)
			add(field, fact)
		}
		if len(fields) > 0 {
			facts[name] = fields
		}
	}
	return facts
}

func factOf(s *spec.Schema) mergeschema.Fact {
	fact := mergeschema.Fact{
		Format:        s.Format,
		ListType:      extension(s, "x-kubernetes-list-type"),
		MapType:       extension(s, "x-kubernetes-map-type"),
		PatchKey:      extension(s, "x-kubernetes-patch-merge-key"),
		PatchStrategy: extension(s, "x-kubernetes-patch-strategy"),
	}
	for _, numeric := range []string{"integer", "number"} {
		if s.Type.Contains(numeric) {
			fact.Type = numeric
		}
	}
	return fact
}

func extension(s *spec.Schema, name string) string {
	text, _ := s.Extensions.GetString(name)
	return text
}

// encodeFacts writes facts. Equal facts give equal bytes.
func encodeFacts(facts mergeschema.Facts) ([]byte, error) {
	text, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := packed.Write(text); err != nil {
		return nil, err
	}
	err = packed.Close()
	return out.Bytes(), err
}
