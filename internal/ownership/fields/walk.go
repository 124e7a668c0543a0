package fields

import (
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Unlimited is a depth that cuts nothing but recursion.
const Unlimited = -1

// Server is what is asked of the API server.
type Server interface {
	api.Fields
	Types(gvk.GroupVersionKind) api.Type
	Resource(gvk.GroupVersionKind) api.Resource
	Version() string
}

// Question is what is asked about: a field of a kind, as people type it (see Find),
// with so many levels of fields below it.
type Question struct {
	Kind  gvk.GroupVersionKind
	Field string
	Depth int
}

// Ask answers. An error means that the kind has no such field, or no definition.
func Ask(server Server, q Question) (Document, error) {
	known, err := server.Fields(q.Kind)
	if err != nil {
		return Document{}, err
	}
	t, r := server.Types(q.Kind), server.Resource(q.Kind)
	w := walker{schema: t.Schema, known: known, kind: writers.Kind{
		GroupKind: q.Kind.GroupKind(), Custom: r.Custom, Scale: slices.Contains(r.Subresources, "scale"),
	}}
	root := place{ref: t.TypeRef}
	at, err := w.find(root, q.Field)
	if err != nil {
		return Document{}, err
	}
	return Document{
		Head: report.Run{Version: server.Version()}.Head(DocumentKind),
		Of:   KindOf(q.Kind), Custom: r.Custom, Field: w.field(at, q.Depth),
	}, nil
}

// KindOf is a kind as documents have it.
func KindOf(kind gvk.GroupVersionKind) Kind {
	apiVersion, name := kind.ToAPIVersionAndKind()
	return Kind{APIVersion: apiVersion, Kind: name}
}

// walker makes fields of a merge type.
type walker struct {
	schema *smd.Schema
	known  api.KindFields
	kind   writers.Kind
}

// place is a field in a merge type.
type place struct {
	// path has api.Each for items and values.
	path []string
	ref  smd.TypeRef
	// inside is the nearest atomic field that it is part of.
	inside string
	// types are the named types that the path goes through.
	types []string
}

func (p place) String() string {
	var b strings.Builder
	for _, name := range p.path {
		if name == api.Each {
			b.WriteString("[*]")
			continue
		}
		b.WriteString("." + name)
	}
	return b.String()
}

// item is the place of the items of a list, or of the values of a map; itself for
// anything else. Fields below a list are those of its items.
func (w walker) item(p place) place {
	atom := w.atom(p)
	switch {
	case atom.Scalar != nil:
	case atom.List != nil:
		return w.below(p, api.Each, atom.List.ElementType)
	case isMap(atom):
		return w.below(p, api.Each, atom.Map.ElementType)
	}
	return p
}

func (w walker) atom(p place) smd.Atom {
	atom, _ := w.schema.Resolve(p.ref)
	return atom
}

// isMap reports whether a type is a map with any keys.
func isMap(atom smd.Atom) bool { return atom.Map != nil && len(atom.Map.Fields) == 0 }

func (w walker) below(p place, name string, ref smd.TypeRef) place {
	child := place{path: append(slices.Clone(p.path), name), ref: ref, inside: p.inside, types: p.types}
	if p.ref.NamedType != nil {
		child.types = append(slices.Clone(p.types), *p.ref.NamedType)
	}
	if p.inside == "" && len(p.path) > 0 && mergeOf(w.atom(p)) == Atomic {
		child.inside = p.String()
	}
	return child
}

// children are the fields of a place, or of its items, by name.
func (w walker) children(p place) []place {
	p = w.item(w.item(p))
	atom := w.atom(p)
	if atom.Map == nil {
		return nil
	}
	var out []place
	for _, f := range atom.Map.Fields {
		out = append(out, w.below(p, f.Name, f.Type))
	}
	slices.SortFunc(out, func(a, b place) int { return strings.Compare(a.path[len(a.path)-1], b.path[len(b.path)-1]) })
	return out
}

// recursive reports whether a place is of a type that it is in.
func (p place) recursive() bool {
	return p.ref.NamedType != nil && slices.Contains(p.types, *p.ref.NamedType)
}

// field describes a place, and what is below it as deep as is asked for.
func (w walker) field(p place, depth int) Field {
	atom, known := w.atom(p), w.known.Field(p.path)
	f := Field{
		Field: p.String(), Merge: mergeOf(atom), Inside: p.inside, Required: known.Required, Zero: string(known.Zero),
		Reset: known.Reset, PatchKey: known.PatchKey, Format: known.Format,
	}
	switch f.Type = w.typeOf(p); {
	case f.Type == "int-or-string":
		f.Merge = Scalar
	case f.Type == "any":
		// The marker that is published is of a type that allows anything.
	case atom.List != nil && known.ListType != "":
		f.Marker = "x-kubernetes-list-type: " + known.ListType
	case atom.Map != nil && known.MapType != "":
		f.Marker = "x-kubernetes-map-type: " + known.MapType
	}
	if known.HasDefault {
		f.Default = &known.Default
	}
	if item := w.item(p); len(item.path) > len(p.path) {
		f.Of = w.typeOf(item)
	}
	if f.Merge == Keyed {
		f.Keys = w.keys(p, atom.List.Keys)
	}
	f.Writers = writers.Of(w.kind, f.Field)
	children := w.children(p)
	item := w.item(w.item(p))
	switch {
	case p.recursive() || item.recursive():
		f.Recursive, f.Cut = true, len(children)
	case depth == 0:
		f.Cut = len(children)
	default:
		for _, child := range children {
			below := w.field(child, depth-1)
			// Who writes the whole is reported once.
			below.Writers = slices.DeleteFunc(
				below.Writers,
				func(by writers.Writer) bool { return slices.Contains(f.Writers, by) },
			)
			f.Fields = append(f.Fields, below)
		}
	}
	return f
}

// keys are those of a keyed list, with what the merge takes for one that an item
// lacks.
func (w walker) keys(p place, names []string) []Key {
	item := w.item(p)
	atom := w.atom(item)
	var out []Key
	for _, name := range names {
		key := Key{Name: name, Required: w.known.Field(append(slices.Clone(item.path), name)).Required}
		if atom.Map != nil {
			if f, ok := atom.Map.FindField(name); ok && f.Default != nil {
				key.Default = &f.Default
			}
		}
		out = append(out, key)
	}
	return out
}

// mergeOf is how a type merges.
func mergeOf(atom smd.Atom) Merge {
	switch {
	case atom.Scalar != nil && atom.Map == nil:
		return Scalar
	case atom.List != nil && atom.List.ElementRelationship == smd.Associative && len(atom.List.Keys) > 0:
		return Keyed
	case atom.List != nil && atom.List.ElementRelationship == smd.Associative:
		return Set
	case atom.List != nil:
		return Atomic
	case atom.Map != nil && atom.Map.ElementRelationship == smd.Atomic:
		return Atomic
	case atom.Map != nil:
		return Granular
	}
	return Scalar
}

// named are the types that servers read from a text in more than one spelling.
var named = map[string]string{
	"io.k8s.apimachinery.pkg.api.resource.Quantity":                 "quantity",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Duration":                 "duration",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Time":                     "time",
	"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":                "time",
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString":               "int-or-string",
	"io.k8s.apimachinery.pkg.runtime.RawExtension":                  "any",
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1":                 "any",
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": "any",
}

func (w walker) typeOf(p place) string {
	if p.ref.NamedType != nil && named[*p.ref.NamedType] != "" {
		return named[*p.ref.NamedType]
	}
	atom, known := w.atom(p), w.known.Field(p.path)
	switch {
	case atom.Scalar != nil && atom.Map != nil:
		return "any"
	case atom.List != nil:
		return "list"
	case isMap(atom):
		return "map"
	case atom.Map != nil:
		return "object"
	case known.Type != "":
		return known.Type
	case known.Format == "int-or-string":
		return known.Format
	case atom.Scalar != nil && *atom.Scalar == smd.Numeric:
		return "number"
	case atom.Scalar != nil && *atom.Scalar != "untyped":
		return string(*atom.Scalar)
	}
	return "any"
}
