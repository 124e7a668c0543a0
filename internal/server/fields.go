package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

var _ api.Fields = (*Server)(nil)

// published are the facts of each release, decoded when they are first asked for.
var published = func() map[string]func() (mergeschema.Facts, error) {
	table := map[string]func() (mergeschema.Facts, error){}
	for _, r := range mergeschema.Releases() {
		table[r.Name()] = sync.OnceValues(func() (mergeschema.Facts, error) { return mergeschema.OpenFacts(r.Name()) })
	}
	return table
}()

// Fields gives the fields of a kind: of a built-in one from its release and the server's
// own code, of a custom one from its definition.
func (s *Server) Fields(kind schema.GroupVersionKind) (api.KindFields, error) {
	facts, err := published[s.release.Name()]()
	if err != nil {
		return nil, err
	}
	t := s.Types(kind)
	if t.Deduced {
		return nil, fmt.Errorf("no definition of %s is given", kind.GroupKind())
	}
	k := kindFields{merge: t.ParseableType, facts: facts, resets: s.resets(kind)}
	if k.resets == nil {
		return nil, fmt.Errorf("%s is not served", kind)
	}
	if crd, ok := s.custom.Of(kind.GroupKind()); ok {
		if v := custom.ServedVersion(crd, kind.Version); v.Schema != nil {
			k.definition = v.Schema.OpenAPIV3Schema
		}
		return k, nil
	}
	r, err := s.catalog.find(kind)
	if err != nil {
		return nil, err
	}
	k.tried = tryFields(r.endpoints[""].scope, t.ParseableType, facts)
	return k, nil
}

// ResetsField implements api.Fields.
func (s *Server) ResetsField(kind schema.GroupVersionKind, name string) bool {
	resets := s.resets(kind)
	return resets != nil && resets([]string{name})
}

// resets reports which fields the strategy of a kind lets no manager own; nil for a kind
// that is not served.
func (s *Server) resets(kind schema.GroupVersionKind) func(path []string) bool {
	if crd, ok := s.custom.Of(kind.GroupKind()); ok {
		v := custom.ServedVersion(crd, kind.Version)
		if v == nil {
			return nil
		}
		apart := v.Subresources != nil && v.Subresources.Status != nil
		return func(path []string) bool { return apart && path[0] == "status" }
	}
	r, err := s.catalog.find(kind)
	if err != nil || r == nil {
		return nil
	}
	filter, ok := r.endpoints[""].resets[fieldpath.APIVersion(kind.GroupVersion().String())]
	return func(path []string) bool {
		var at fieldpath.Path
		for _, name := range path {
			if name == api.Each {
				break
			}
			at = append(at, fieldpath.FieldNameElement(name))
		}
		return ok && filter.Filter(fieldpath.NewSet(at)).Empty()
	}
}

type kindFields struct {
	merge typed.ParseableType
	facts mergeschema.Facts
	// definition is nil for built-in kinds and without a schema; tried is empty for custom kinds.
	definition *apiextensionsv1.JSONSchemaProps
	tried      trial
	resets     func(path []string) bool
}

// Field implements api.KindFields.
func (k kindFields) Field(path []string) api.Field {
	fact := k.factOf(path)
	f := api.Field{
		Type: fact.Type, Format: fact.Format, ListType: fact.ListType, MapType: fact.MapType, Required: fact.Required,
		PatchKey: fact.PatchKey, PatchStrategy: fact.PatchStrategy,
	}
	at := strings.Join(path, ".")
	if v, ok := k.tried.defaults[at]; ok {
		f.Default, f.HasDefault = v, true
	}
	f.Zero = k.tried.zeros[at]
	addDefined(&f, k.definition, path)
	f.Reset = len(path) > 0 && k.resets(path)
	return f
}

// factOf is what is published of a field, and where it says nothing, of the type that
// the field is of.
func (k kindFields) factOf(path []string) mergeschema.Fact {
	owner, ref := "", k.merge.TypeRef
	for _, name := range path {
		owner = typeName(ref)
		atom, ok := k.merge.Schema.Resolve(ref)
		if !ok {
			return mergeschema.Fact{}
		}
		if ref, ok = below(atom, name); !ok {
			return mergeschema.Fact{}
		}
	}
	var fact mergeschema.Fact
	if len(path) > 0 && path[len(path)-1] != api.Each {
		fact = k.facts.Of(owner, path[len(path)-1])
	}
	own := k.facts.Of(typeName(ref), "")
	for _, or := range []struct{ to, of *string }{
		{&fact.Type, &own.Type}, {&fact.Format, &own.Format}, {&fact.MapType, &own.MapType}, {&fact.ListType, &own.ListType},
	} {
		if *or.to == "" {
			*or.to = *or.of
		}
	}
	return fact
}

// typeName is the name of the type that is referred to; empty for one without.
func typeName(ref smdschema.TypeRef) string {
	if ref.NamedType == nil {
		return ""
	}
	return *ref.NamedType
}

// below is the type of a field, or of the items or values.
func below(atom smdschema.Atom, name string) (smdschema.TypeRef, bool) {
	switch {
	case name == api.Each && atom.List != nil:
		return atom.List.ElementType, true
	case name == api.Each && atom.Map != nil:
		return atom.Map.ElementType, true
	case atom.Map != nil:
		i := slices.IndexFunc(atom.Map.Fields, func(f smdschema.StructField) bool { return f.Name == name })
		if i < 0 {
			return smdschema.TypeRef{}, false
		}
		return atom.Map.Fields[i].Type, true
	}
	return smdschema.TypeRef{}, false
}

// addDefined notes what the schema of a definition says of a field. A custom resource is
// stored as it is written.
func addDefined(f *api.Field, props *apiextensionsv1.JSONSchemaProps, path []string) {
	required := false
	for _, name := range path {
		if props == nil {
			return
		}
		required = slices.Contains(props.Required, name)
		props = propsBelow(props, name)
	}
	if props == nil {
		return
	}
	f.Zero, f.Required = api.KeptZero, required || f.Required
	if props.Type == "integer" || props.Type == "number" {
		f.Type = props.Type
	}
	if f.Format = props.Format; props.XIntOrString {
		f.Format = "int-or-string"
	}
	f.Pattern = props.Pattern
	set(&f.ListType, props.XListType)
	set(&f.MapType, props.XMapType)
	if props.Default == nil {
		return
	}
	f.HasDefault = true
	if err := kjson.Unmarshal(props.Default.Raw, &f.Default); err != nil {
		f.Default = json.RawMessage(props.Default.Raw)
	}
}

func set(to, from *string) {
	if from != nil {
		*to = *from
	}
}

// propsBelow is the schema of a field, or of the items or values; nil without one.
func propsBelow(props *apiextensionsv1.JSONSchemaProps, name string) *apiextensionsv1.JSONSchemaProps {
	switch {
	case name == api.Each && props.Items != nil:
		return props.Items.Schema
	case name == api.Each && props.AdditionalProperties != nil:
		return props.AdditionalProperties.Schema
	}
	if child, ok := props.Properties[name]; ok {
		return &child
	}
	return nil
}

// Published is what a release of Kubernetes publishes of its built-in kinds. Unlike a
// Server, there can be several releases in a process. It does not know what the code of a
// server does beyond that, such as unpublished defaults.
type Published struct {
	release mergeschema.Release
	schemas *mergeschema.Set
	facts   mergeschema.Facts
}

var _ api.Fields = (*Published)(nil)

// NewPublished is that of a version as people write it; an error names those there are.
func NewPublished(version string) (*Published, error) {
	r, err := releaseOf(version)
	if err != nil {
		return nil, err
	}
	p := &Published{release: r}
	if p.schemas, err = mergeschema.Open(r.Name()); err != nil {
		return nil, err
	}
	p.facts, err = published[r.Name()]()
	return p, err
}

// Version is the release, as "v1.36.3".
func (p *Published) Version() string { return p.release.String() }

// Name is the minor version, as "1.36".
func (p *Published) Name() string { return p.release.Name() }

// notStored are kinds that are answers, or the bodies of requests, and nothing that is
// kept.
var notStored = []string{
	"Scale", "Eviction", "Binding", "TokenRequest", "TokenReview", "DeleteOptions", "WatchEvent",
	"Status", "ComponentStatus",
}

// Kinds are those of the release, whether a server serves them unasked or not.
func (p *Published) Kinds() []schema.GroupVersionKind {
	out := slices.DeleteFunc(p.schemas.Kinds(), func(kind schema.GroupVersionKind) bool {
		return slices.Contains(notStored, kind.Kind) || strings.HasSuffix(kind.Kind, "Review") ||
			strings.HasSuffix(kind.Kind, "List") ||
			strings.HasSuffix(kind.Kind, "Options")
	})
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// Types gives the merge type of a kind.
func (p *Published) Types(kind schema.GroupVersionKind) api.Type {
	t, ok := p.schemas.Type(kind)
	return api.Type{ParseableType: t, Deduced: !ok}
}

// Resource says of every kind of the release that it is known, and no more.
func (p *Published) Resource(kind schema.GroupVersionKind) api.Resource {
	_, ok := p.schemas.Type(kind)
	return api.Resource{Known: ok}
}

// ResetsField reports false: that is not published.
func (p *Published) ResetsField(schema.GroupVersionKind, string) bool { return false }

// Fields gives what is published of a kind's fields.
func (p *Published) Fields(kind schema.GroupVersionKind) (api.KindFields, error) {
	t, ok := p.schemas.Type(kind)
	if !ok {
		return nil, fmt.Errorf("%s has no %s", p.release, kind)
	}
	return kindFields{merge: t, facts: p.facts, resets: func([]string) bool { return false }}, nil
}
