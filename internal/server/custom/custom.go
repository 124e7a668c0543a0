package custom

import (
	"encoding/json"
	"fmt"
	"maps"
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

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
)

// Resources serves the kinds that CustomResourceDefinitions define, and undefined ones.
type Resources struct {
	*definitions
	allow authorizer.Authorizer
	admit admission.Interface
	// Lacks are kinds that nothing defines for certain.
	Lacks sets.Set[schema.GroupKind]

	mu      sync.Mutex
	serving map[string]*served
}

// New makes the resources of a cluster. Of several definitions of a kind the last of crds counts;
// more gives others.
func New(
	crds [][]byte, more func(schema.GroupKind) [][]byte, admit admission.Interface, allow authorizer.Authorizer,
) *Resources {
	return &Resources{
		definitions: newDefinitions(crds, more),
		allow:       allow,
		admit:       admit,
		Lacks:       sets.New[schema.GroupKind](),
		serving:     map[string]*served{},
	}
}

// Redefine replaces the definition of a kind.
func (c *Resources) Redefine(raw []byte) error {
	crd, err := decodeDefinition(raw)
	if err != nil {
		return err
	}
	c.set(crd)
	c.mu.Lock()
	defer c.mu.Unlock()
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
	t := exchange.Target{Encode: encodeUnstructured}
	t.GVR = schema.GroupVersionResource{Group: crd.Spec.Group, Version: call.Kind.Version, Resource: crd.Spec.Names.Plural}
	handler, err := c.servingOf(crd, call.Kind.Version).handler()
	if err != nil {
		return exchange.Target{}, fmt.Errorf("serve %s: %w", crd.Name, err)
	}
	t.Handler = handler
	return t, nil
}

// servingOf gives what serves a definition, made at first use.
func (c *Resources) servingOf(crd *apiextensionsv1.CustomResourceDefinition, version string) *served {
	crd = servedAt(crd, version)
	key := crd.Name + " " + string(crd.UID) + " " + version
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.serving[key]
	if !ok {
		s = newServed(crd, version, c.admit, c.allow)
		c.serving[key] = s
	}
	return s
}

// ServedVersion finds a version that a definition serves; nil where it serves none of the name.
func ServedVersion(crd *apiextensionsv1.CustomResourceDefinition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
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

func encodeUnstructured(obj runtime.Object) ([]byte, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("custom resource is a %T", obj)
	}
	return json.Marshal(u.Object)
}
