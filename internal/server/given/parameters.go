package given

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// ParamInformer holds the given objects of a kind that may be a parameter: at
// the type that a server's own informers have, else as trees.
func (g *Objects) ParamInformer(kind schema.GroupVersionKind, resource schema.GroupVersionResource) informers.GenericInformer {
	filled := g.filledFor(kind, resource)
	return paramInformer{informer: filled, lister: cache.NewGenericLister(filled.indexer, resource.GroupResource())}
}

func (g *Objects) filledFor(kind schema.GroupVersionKind, resource schema.GroupVersionResource) *filledInformer {
	factory := g.Informers.(filledInformers)
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

func (i paramInformer) Lister() cache.GenericLister { return i.lister }
