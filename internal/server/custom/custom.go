// Package custom serves custom resources.
//
//	custom.go      the kinds that definitions define, each read when it is first asked for
//	definition.go  one definition: read, as the server's controllers leave it, at one
//	               version; and that of a kind that none is given of
//	serving.go     the handler of a version, and its merge type
package custom

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
)

// Resources serves the kinds that CustomResourceDefinitions define, and undefined ones. A
// definition costs nothing until its kind is asked about: those that cannot be read define
// nothing. It is safe for concurrent use.
type Resources struct {
	more  func(schema.GroupKind) [][]byte
	allow authorizer.Authorizer
	admit admission.Interface
	// Lacks are kinds that nothing defines for certain.
	Lacks sets.Set[schema.GroupKind]

	mu    sync.Mutex
	given []*definition
	// byKind has the kinds that were asked about, and nil for one that nothing defines.
	byKind  map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition
	serving map[string]*served
}

// New makes the resources of a cluster. Of several definitions of a kind the last of crds counts;
// more gives others.
func New(
	crds [][]byte, more func(schema.GroupKind) [][]byte, admit admission.Interface, allow authorizer.Authorizer,
) *Resources {
	c := &Resources{
		more:    more,
		allow:   allow,
		admit:   admit,
		Lacks:   sets.New[schema.GroupKind](),
		byKind:  map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{},
		serving: map[string]*served{},
	}
	for _, raw := range crds {
		c.given = append(c.given, newDefinition(raw))
	}
	return c
}

// definition is one that was given, whose names are looked at once at most.
type definition struct {
	raw         []byte
	group, kind func() (name string, certain bool)
}

func newDefinition(raw []byte) *definition {
	return &definition{
		raw:   raw,
		group: sync.OnceValues(func() (string, bool) { return jsontree.Name(raw, "spec", "group") }),
		kind:  sync.OnceValues(func() (string, bool) { return jsontree.Name(raw, "spec", "names", "kind") }),
	}
}

// mayBeOf reports whether it may be that of a kind, by its names alone.
func (d *definition) mayBeOf(kind schema.GroupKind) bool {
	if name, certain := d.group(); certain && name != kind.Group {
		return false
	}
	name, certain := d.kind()
	return !certain || name == kind.Kind
}

// Of gives the definition of a kind: of several the last counts.
func (c *Resources) Of(kind schema.GroupKind) (*apiextensionsv1.CustomResourceDefinition, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	crd, asked := c.byKind[kind]
	if asked {
		return crd, crd != nil
	}
	all := slices.Clone(c.given)
	if c.more != nil {
		for _, raw := range c.more(kind) {
			all = append(all, newDefinition(raw))
		}
	}
	for _, given := range all {
		if !given.mayBeOf(kind) {
			continue
		}
		if read, err := decodeDefinition(given.raw); err == nil && definedBy(read) == kind {
			crd = read
		}
	}
	c.byKind[kind] = crd
	return crd, crd != nil
}

// All are the definitions of all kinds that were given or asked about.
func (c *Resources) All() map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition {
	for _, given := range c.given {
		group, certain := given.group()
		kind, alsoCertain := given.kind()
		if certain && alsoCertain {
			c.Of(schema.GroupKind{Group: group, Kind: kind})
		} else if crd, err := decodeDefinition(given.raw); err == nil {
			c.Of(definedBy(crd))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := maps.Clone(c.byKind)
	maps.DeleteFunc(
		all,
		func(_ schema.GroupKind, crd *apiextensionsv1.CustomResourceDefinition) bool { return crd == nil },
	)
	return all
}

func definedBy(crd *apiextensionsv1.CustomResourceDefinition) schema.GroupKind {
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// Redefine replaces the definition of a kind.
func (c *Resources) Redefine(raw []byte) error {
	crd, err := decodeDefinition(raw)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKind[definedBy(crd)] = crd
	maps.DeleteFunc(c.serving, func(key string, _ *served) bool { return strings.HasPrefix(key, crd.Name+" ") })
	return nil
}

// Resource reports how a custom kind is served. For an undefined kind it guesses the
// resource's name as the API machinery does.
func (c *Resources) Resource(kind schema.GroupVersionKind) api.Resource {
	crd, ok := c.Of(kind.GroupKind())
	if !ok {
		return api.Resource{Resource: guessResource(kind), Namespaced: true}
	}
	r := api.Resource{
		Custom:     true,
		Resource:   crd.Spec.Names.Plural,
		Names:      append([]string{crd.Spec.Names.Singular}, crd.Spec.Names.ShortNames...),
		Namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	r.Unestablished = unestablished(crd)
	if v := ServedVersion(crd, kind.Version); v != nil && r.Unestablished == "" {
		r.Known = true
		r.Subresources = subresourcesOf(v)
	}
	return r
}

// TypeOf gives the merge type of a custom kind.
func (c *Resources) TypeOf(kind schema.GroupVersionKind) api.Type {
	crd, defined := c.Of(kind.GroupKind())
	switch {
	case !defined && !definable(kind):
		return api.Type{ParseableType: typed.DeducedParseableType, Deduced: true}
	case !defined:
		crd = undefined(api.Request{Kind: kind})
	}
	if t, err := c.servingOf(crd, kind.Version).merge(); err == nil {
		return api.Type{ParseableType: t, Deduced: !defined}
	}
	return api.Type{ParseableType: typed.DeducedParseableType, Deduced: true}
}

// MayServe reports whether a kind is defined, or may be by a definition that was not given.
func (c *Resources) MayServe(kind schema.GroupVersionKind) bool {
	_, defined := c.Of(kind.GroupKind())
	return defined || definable(kind) && !c.Lacks.Has(kind.GroupKind())
}

// Route finds what answers a call for a custom kind.
func (c *Resources) Route(call api.Request) (exchange.Target, error) {
	crd, defined := c.Of(call.Kind.GroupKind())
	if !defined {
		crd = undefined(call)
	}
	handler, err := c.servingOf(crd, call.Kind.Version).handler()
	if err != nil {
		return exchange.Target{}, fmt.Errorf("serve %s: %w", crd.Name, err)
	}
	return exchange.Target{
		GVR: schema.GroupVersionResource{
			Group:    crd.Spec.Group,
			Version:  call.Kind.Version,
			Resource: crd.Spec.Names.Plural,
		},
		Handler: handler,
		Encode: func(obj runtime.Object) ([]byte, error) {
			u, ok := obj.(*unstructured.Unstructured)
			if !ok {
				return nil, fmt.Errorf("custom resource is a %T", obj)
			}
			return json.Marshal(u.Object)
		},
	}, nil
}

// servingOf gives what serves a definition, made at first use.
func (c *Resources) servingOf(crd *apiextensionsv1.CustomResourceDefinition, version string) *served {
	crd = servedAt(crd, version)
	key := crd.Name + " " + string(crd.UID) + " " + version
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.serving[key]
	if !ok {
		s = &served{
			handler: api.OnceGuarded(func() (http.Handler, error) { return customHandler(crd, c.admit, c.allow) }),
			merge:   api.OnceGuarded(func() (typed.ParseableType, error) { return customType(crd, version) }),
		}
		c.serving[key] = s
	}
	return s
}

// ServedVersion finds a version that a definition serves; nil where it serves none of the name.
func ServedVersion(
	crd *apiextensionsv1.CustomResourceDefinition,
	name string,
) *apiextensionsv1.CustomResourceDefinitionVersion {
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Name == name && v.Served
	})
	if i < 0 {
		return nil
	}
	return &crd.Spec.Versions[i]
}

func subresourcesOf(v *apiextensionsv1.CustomResourceDefinitionVersion) []string {
	var names []string
	if v.Subresources != nil && v.Subresources.Scale != nil {
		names = append(names, "scale")
	}
	if v.Subresources != nil && v.Subresources.Status != nil {
		names = append(names, "status")
	}
	return names
}
