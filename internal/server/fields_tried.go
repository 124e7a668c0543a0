package server

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// trial is how the server's own decoding and defaulting treat the fields of a kind, by path
// with dots.
type trial struct {
	defaults map[string]any
	zeros    map[string]api.Zero
}

// tryFields decodes and defaults samples of a kind. What a sample with all structures and
// one item in each list gains is a default; a sample with sparse items shows the defaults
// of what is otherwise empty; and one of zero values shows which of them are stored.
func tryFields(scope *handlers.RequestScope, t typed.ParseableType, facts mergeschema.Facts) trial {
	out := trial{defaults: map[string]any{}, zeros: map[string]api.Zero{}}
	for _, s := range []sample{{}, {sparse: true}} {
		s.schema, s.facts = t.Schema, facts
		written := map[string]bool{}
		s.visit(t, scope, asWritten, func(path []string, sent, stored any) {
			if sent == nil && stored != nil {
				written[strings.Join(path, ".")] = true
			}
		})
		s.visit(t, scope, storedAs, func(path []string, sent, stored any) {
			at := strings.Join(path, ".")
			switch {
			case sent != nil || stored == nil:
			case written[at]:
				out.zeros[at] = api.WrittenZero
			case out.defaults[at] == nil:
				out.defaults[at] = stored
			}
		})
	}
	for depth := range deepestLists {
		s := sample{schema: t.Schema, facts: facts, zeros: true, empty: depth + 1}
		s.visit(t, scope, storedAs, func(path []string, sent, stored any) {
			at := strings.Join(path, ".")
			if sent == nil || out.zeros[at] != "" || !isZero(sent) {
				return
			}
			out.zeros[at] = api.DroppedZero
			if reflect.DeepEqual(sent, stored) {
				out.zeros[at] = api.KeptZero
			}
		})
	}
	return out
}

// asWritten decodes an object and writes it again without defaults: what it has besides is
// always written.
func asWritten(scope *handlers.RequestScope, object map[string]any) (map[string]any, error) {
	into, err := scope.Creater.New(scope.Kind)
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, into); err != nil {
		return nil, err
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(into)
}

// compareSample visits what a sample and what is stored of it have, with nil for what
// one of them lacks. What is below of something that was not sent is left out.
func compareSample(sent, stored any, path []string, visit func(path []string, sent, stored any)) {
	if len(path) > 0 {
		visit(path, sent, stored)
	}
	switch sent := sent.(type) {
	case map[string]any:
		stored, _ := stored.(map[string]any)
		names := map[string]bool{}
		for name := range sent {
			names[name] = true
		}
		for name := range stored {
			names[name] = true
		}
		for name := range names {
			compareSample(sent[name], stored[name], append(slices.Clone(path), name), visit)
		}
	case []any:
		stored, _ := stored.([]any)
		if len(sent) > 0 && len(stored) > 0 {
			compareSample(sent[0], stored[0], append(slices.Clone(path), api.Each), visit)
		}
	}
}

// deepestLists is how many lists of objects are in each other at most.
const deepestLists = 6

// sample makes an object of a type.
type sample struct {
	schema *smdschema.Schema
	facts  mergeschema.Facts
	// sparse items have only what is required.
	sparse bool
	// zeros has each scalar with its zero value, and lists and maps of scalars empty;
	// those of objects are empty where so many lists and maps are in each other.
	zeros bool
	empty int
}

// visit compares the sample with the stored result. What the server's code cannot
// decode reports nothing.
func (s sample) visit(
	t typed.ParseableType,
	scope *handlers.RequestScope,
	becomes func(*handlers.RequestScope, map[string]any) (map[string]any, error),
	each func(path []string, sent, stored any),
) {
	made, ok := s.of(t.TypeRef, nil).(map[string]any)
	if !ok {
		return
	}
	made["apiVersion"], made["kind"] = scope.Kind.ToAPIVersionAndKind()
	stored, err := api.Guarded(func() (map[string]any, error) { return becomes(scope, made) })
	if err == nil {
		compareSample(made, stored, nil, each)
	}
}

// of makes a value; nil for none. A type that is in itself is made once.
func (s sample) of(ref smdschema.TypeRef, in []string) any {
	name := typeName(ref)
	atom, ok := s.schema.Resolve(ref)
	if !ok || name != "" && slices.Contains(in, name) {
		return nil
	}
	in = append(slices.Clone(in), name)
	switch {
	case s.zeros && atom.Scalar != nil:
		return zeroOf(name, *atom.Scalar)
	case atom.Scalar != nil:
		return nil
	case atom.Map != nil && len(atom.Map.Fields) > 0:
		return s.fields(atom.Map, name, in, false)
	case atom.List != nil:
		return s.list(atom.List, in)
	case atom.Map != nil:
		return s.values(atom.Map, in)
	}
	return nil
}

func (s sample) fields(m *smdschema.Map, name string, in []string, bare bool) any {
	out := map[string]any{}
	for _, f := range m.Fields {
		if bare && !s.facts.Of(name, f.Name).Required {
			continue
		}
		if len(in) == 1 && (f.Name == "apiVersion" || f.Name == "kind") {
			continue
		}
		if v := s.of(f.Type, in); v != nil {
			out[f.Name] = v
		}
	}
	return out
}

// values is a map with one value, where that is an object.
func (s sample) values(m *smdschema.Map, in []string) any {
	s.empty--
	v, isObject := s.of(m.ElementType, in).(map[string]any)
	switch {
	case s.zeros && (s.empty == 0 || !isObject):
		return map[string]any{}
	case isObject:
		return map[string]any{api.Each: v}
	}
	return nil
}

// list is a list with one item, where that is an object.
func (s sample) list(l *smdschema.List, in []string) any {
	s.empty--
	atom, ok := s.schema.Resolve(l.ElementType)
	name := typeName(l.ElementType)
	isObject := ok && atom.Map != nil && len(atom.Map.Fields) > 0 && (name == "" || !slices.Contains(in, name))
	switch {
	case s.zeros && (s.empty == 0 || !isObject):
		return []any{}
	case isObject:
		return []any{s.fields(atom.Map, name, append(slices.Clone(in), name), s.sparse)}
	}
	return nil
}

// zeroOf is the zero value of a scalar; nil where a server reads none.
func zeroOf(typeName string, kind smdschema.Scalar) any {
	_, short, _ := strings.Cut(typeName, "io.k8s.apimachinery.pkg.")
	switch short {
	case "apis.meta.v1.Time", "apis.meta.v1.MicroTime", "apis.meta.v1.FieldsV1":
		return nil
	case "api.resource.Quantity":
		return "0"
	case "apis.meta.v1.Duration":
		return "0s"
	case "util.intstr.IntOrString":
		return int64(0)
	}
	switch kind {
	case smdschema.Numeric:
		return int64(0)
	case smdschema.Boolean:
		return false
	case smdschema.String:
		return ""
	}
	return nil
}

func isZero(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	case string:
		return v == "" || v == "0" || v == "0s"
	}
	return v == int64(0) || v == false
}
