package server

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
)

// customResources serves the kinds that CustomResourceDefinitions define, and
// those that nobody defines.
type customResources struct {
	*definitions
	allow authorizer.Authorizer
	admit admission.Interface
	// lacks are kinds that nothing defines for certain.
	lacks sets.Set[schema.GroupKind]

	mu      sync.Mutex
	serving map[string]*customServing
}

func newCustomResources(
	crds [][]byte, more func(schema.GroupKind) [][]byte, admit admission.Interface, allow authorizer.Authorizer,
) *customResources {
	return &customResources{
		definitions: newDefinitions(crds, more),
		allow:       allow,
		admit:       admit,
		lacks:       sets.New[schema.GroupKind](),
		serving:     map[string]*customServing{},
	}
}

// redefine replaces the definition of a kind.
func (c *customResources) redefine(raw []byte) error {
	crd, err := decodeDefinition(raw)
	if err != nil {
		return err
	}
	c.set(crd)
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.serving, func(key string, _ *customServing) bool { return strings.HasPrefix(key, crd.Name+" ") })
	return nil
}

// resource reports how a custom kind is served. For a kind that nobody defines
// it guesses the resource's name as the API machinery does.
func (c *customResources) resource(kind schema.GroupVersionKind) api.Resource {
	crd, ok := c.of(kind.GroupKind())
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
	if v := servedVersion(crd, kind.Version); v != nil && r.Unestablished == "" {
		r.Known = true
		r.Subresources = subresourcesOf(v)
	}
	return r
}

// typeOf gives the merge type of a custom kind.
func (c *customResources) typeOf(kind schema.GroupVersionKind) api.Type {
	crd, defined := c.of(kind.GroupKind())
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

// mayServe reports whether a kind is defined, or may be by a definition that was not
// given.
func (c *customResources) mayServe(kind schema.GroupVersionKind) bool {
	_, defined := c.of(kind.GroupKind())
	return defined || definable(kind) && !c.lacks.Has(kind.GroupKind())
}

// route finds what answers a call for a custom kind.
func (c *customResources) route(call api.Request) (target, error) {
	crd, defined := c.of(call.Kind.GroupKind())
	if !defined {
		crd = undefined(call)
	}
	t := target{encode: encodeUnstructured}
	t.gvr = schema.GroupVersionResource{Group: crd.Spec.Group, Version: call.Kind.Version, Resource: crd.Spec.Names.Plural}
	handler, err := c.servingOf(crd, call.Kind.Version).handler()
	if err != nil {
		return target{}, fmt.Errorf("serve %s: %w", crd.Name, err)
	}
	t.handler = handler
	return t, nil
}

// servingOf gives what serves a definition, made at first use.
func (c *customResources) servingOf(crd *apiextensionsv1.CustomResourceDefinition, version string) *customServing {
	crd = servedAt(crd, version)
	key := crd.Name + " " + string(crd.UID) + " " + version
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.serving[key]
	if !ok {
		s = newCustomServing(crd, version, c.admit, c.allow)
		c.serving[key] = s
	}
	return s
}

func servedVersion(crd *apiextensionsv1.CustomResourceDefinition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
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
