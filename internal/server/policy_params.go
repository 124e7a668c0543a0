package server

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// addParams adds to a hook where its parameters are looked up; false where that
// cannot be known, as nothing given defines their kind.
func (s *policies[P, B, E]) addParams(r *policyRequest, p *boundPolicy[P, B, E], hook *generic.PolicyHook[P, B, E]) bool {
	paramKind := p.accessor.GetParamKind()
	if paramKind == nil {
		return true
	}
	kind := schema.FromAPIVersionAndKind(paramKind.APIVersion, paramKind.Kind)
	resource := s.served.Resource(kind)
	if !resource.Known && legacyscheme.Scheme.IsGroupRegistered(kind.Group) {
		// No definition adds to the server's own groups.
		hook.ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
		return true
	}
	if !resource.Known {
		r.record.note(fmt.Sprintf("%s takes parameters of the kind %s, which nothing given defines: it was not run.", s.label(p), kind.GroupKind()))
		return false
	}
	hook.ParamInformer = s.given.paramInformer(kind, kind.GroupVersion().WithResource(resource.Resource))
	hook.ParamScope = meta.RESTScopeRoot
	if resource.Namespaced {
		hook.ParamScope = meta.RESTScopeNamespace
	}
	if s.misses(p, hook, r.GetNamespace()) {
		r.record.note(fmt.Sprintf("%s takes parameters of the kind %s, and none that a binding refers to was given: taken as there being none.", s.label(p), kind.GroupKind()))
	}
	return true
}

// misses reports whether a binding refers to parameters and none of them was given.
func (s *policies[P, B, E]) misses(p *boundPolicy[P, B, E], hook *generic.PolicyHook[P, B, E], namespace string) bool {
	return slices.ContainsFunc(hook.Bindings, func(b B) bool {
		ref := s.binding(b).GetParamRef()
		if ref == nil {
			return false
		}
		sought := *ref
		sought.ParameterNotFoundAction = nil
		// An error is a reference that no object can meet.
		found, err := generic.CollectParams(p.accessor.GetParamKind(), hook.ParamInformer, hook.ParamScope, &sought, namespace, nil, nil)
		return err == nil && len(found) == 0
	})
}

// paramInformer holds the given objects of a kind that may be a parameter: at
// the type that a server's own informers have, else as trees.
func (g *givenObjects) paramInformer(kind schema.GroupVersionKind, resource schema.GroupVersionResource) informers.GenericInformer {
	filled := g.filledFor(kind, resource)
	return paramInformer{informer: filled, lister: cache.NewGenericLister(filled.indexer, resource.GroupResource())}
}

func (g *givenObjects) filledFor(kind schema.GroupVersionKind, resource schema.GroupVersionResource) *filledInformer {
	factory := g.informers.(filledInformers)
	if typed, err := factory.SharedInformerFactory.ForResource(resource); err == nil {
		return g.keep(typed.Informer(), func() *filledInformer { return newFilledInformer(g, typed.Informer(), kind) })
	}
	return g.keep(kind, func() *filledInformer {
		indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		informer := cache.NewSharedIndexInformer(&cache.ListWatch{}, &unstructured.Unstructured{}, 0, indexers)
		filled := newFilledInformer(g, informer, kind)
		filled.indexer.decode = decodeTree
		return filled
	})
}

// decodeTree reads an object of any kind at a version, into which it is not
// converted: the versions of most custom resources differ in nothing else.
func decodeTree(text []byte, version schema.GroupVersion) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	object.SetAPIVersion(version.String())
	return object, nil
}

type paramInformer struct {
	informer cache.SharedIndexInformer
	lister   cache.GenericLister
}

func (i paramInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i paramInformer) Lister() cache.GenericLister         { return i.lister }
