package given

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	admissioninformers "k8s.io/client-go/informers/admissionregistration"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	networkinginformers "k8s.io/client-go/informers/networking"
	nodeinformers "k8s.io/client-go/informers/node"
	policyinformers "k8s.io/client-go/informers/policy"
	schedulinginformers "k8s.io/client-go/informers/scheduling"
	storageinformers "k8s.io/client-go/informers/storage"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	schedulingapiv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// filledInformers are informers that hold the given objects. They are never started.
//
// A group that plug-ins look up needs its method here: the embedded factory's
// would give informers that stay empty.
type filledInformers struct {
	informers.SharedInformerFactory
	given *Objects
}

func (f filledInformers) Admissionregistration() admissioninformers.Interface {
	return admissioninformers.New(f, "", nil)
}

func (f filledInformers) Core() coreinformers.Interface { return coreinformers.New(f, "", nil) }
func (f filledInformers) Networking() networkinginformers.Interface {
	return networkinginformers.New(f, "", nil)
}
func (f filledInformers) Node() nodeinformers.Interface     { return nodeinformers.New(f, "", nil) }
func (f filledInformers) Policy() policyinformers.Interface { return policyinformers.New(f, "", nil) }
func (f filledInformers) Scheduling() schedulinginformers.Interface {
	return schedulinginformers.New(f, "", nil)
}
func (f filledInformers) Storage() storageinformers.Interface {
	return storageinformers.New(f, "", nil)
}

// Start starts nothing.
func (filledInformers) Start(<-chan struct{}) {}

// InformerFor gives the one informer of a built-in type.
func (f filledInformers) InformerFor(
	obj runtime.Object,
	newFunc internalinterfaces.NewInformerFunc,
) cache.SharedIndexInformer {
	// Every type of an informer is of the scheme.
	kinds, _, _ := legacyscheme.Scheme.ObjectKinds(obj)
	return f.given.keep(kinds[0], func() *filledInformer {
		return newFilledInformer(f.given, f.SharedInformerFactory.InformerFor(obj, newFunc), kinds[0])
	})
}

// keep gives the one informer of a kind, made at first use. Upstream's informers are no
// keys: they come in a new wrapper each time.
func (g *Objects) keep(kind schema.GroupVersionKind, make func() *filledInformer) *filledInformer {
	g.mu.Lock()
	defer g.mu.Unlock()
	filled, ok := g.filled[kind]
	if !ok {
		filled = make()
		g.filled[kind] = filled
	}
	return filled
}

// filledInformer is an informer that has always synced.
type filledInformer struct {
	cache.SharedIndexInformer
	indexer *filledIndexer
}

func newFilledInformer(g *Objects, informer cache.SharedIndexInformer, kind schema.GroupVersionKind) *filledInformer {
	indexer := &filledIndexer{Indexer: informer.GetIndexer(), given: g, kind: kind, decode: decodeStored}
	if kind.Kind == "PriorityClass" {
		for _, class := range schedulingapiv1.SystemPriorityClasses() {
			class = class.DeepCopy()
			legacyscheme.Scheme.Default(class)
			_ = indexer.Indexer.Add(class)
		}
	}
	return &filledInformer{SharedIndexInformer: informer, indexer: indexer}
}

func (i *filledInformer) GetIndexer() cache.Indexer      { return i.indexer }
func (i *filledInformer) GetStore() cache.Store          { return i.indexer }
func (i *filledInformer) HasSynced() bool                { return true }
func (i *filledInformer) Run(<-chan struct{})            {}
func (i *filledInformer) RunWithContext(context.Context) {}

// filledIndexer takes over what became known of a kind before every look.
type filledIndexer struct {
	cache.Indexer
	given *Objects
	kind  schema.GroupVersionKind
	// decode reads an object at a version.
	decode func([]byte, schema.GroupVersion) (runtime.Object, error)

	mu    sync.Mutex
	taken int
	// unread counts what cannot be read.
	unread atomic.Int64
}

// fill takes over what it has not yet. What cannot be read is as if it were not given:
// where it is to be written itself, the server's answer says what is wrong with it.
func (x *filledIndexer) fill() cache.Indexer {
	x.mu.Lock()
	defer x.mu.Unlock()
	changes := x.given.since(x.kind.GroupKind(), x.taken)
	x.taken += len(changes)
	for _, c := range changes {
		if c.text == nil {
			if obj, found, _ := x.Indexer.GetByKey(cache.ObjectName{Namespace: c.namespace, Name: c.name}.String()); found {
				_ = x.Indexer.Delete(obj)
			}
			continue
		}
		obj, err := x.read(c.text)
		if err != nil {
			x.unread.Add(1)
			continue
		}
		// It has metadata, and a key by that.
		_ = x.Indexer.Add(obj)
	}
	return x.Indexer
}

func (x *filledIndexer) read(text []byte) (runtime.Object, error) {
	if x.given.Check != nil {
		if err := x.given.Check(x.kind, text); err != nil {
			return nil, err
		}
	}
	return x.decode(text, x.kind.GroupVersion())
}

// decodeStored reads an object of a built-in kind, written at whatever version,
// as a server has it stored: with defaults.
func decodeStored(text []byte, version schema.GroupVersion) (runtime.Object, error) {
	obj, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(obj)
	if kind.GroupVersion() != version {
		internal, err := legacyscheme.Scheme.ConvertToVersion(obj, runtime.InternalGroupVersioner)
		if err != nil {
			return nil, err
		}
		if obj, err = legacyscheme.Scheme.ConvertToVersion(internal, version); err != nil {
			return nil, err
		}
	}
	_, err = meta.Accessor(obj)
	return obj, err
}

func (x *filledIndexer) List() []any                            { return sorted(x.fill().List()) }
func (x *filledIndexer) ListKeys() []string                     { return x.fill().ListKeys() }
func (x *filledIndexer) Get(obj any) (any, bool, error)         { return x.fill().Get(obj) }
func (x *filledIndexer) GetByKey(key string) (any, bool, error) { return x.fill().GetByKey(key) }
func (x *filledIndexer) Index(name string, obj any) ([]any, error) {
	found, err := x.fill().Index(name, obj)
	return sorted(found), err
}
func (x *filledIndexer) IndexKeys(name, value string) ([]string, error) {
	return x.fill().IndexKeys(name, value)
}
func (x *filledIndexer) ListIndexFuncValues(name string) []string {
	return x.fill().ListIndexFuncValues(name)
}
func (x *filledIndexer) ByIndex(name, value string) ([]any, error) {
	found, err := x.fill().ByIndex(name, value)
	return sorted(found), err
}

// sorted puts objects in the order of their keys. A server has them in any; here
// the answers to equal requests are equal.
func sorted(objects []any) []any {
	key := func(object any) string {
		key, _ := cache.MetaNamespaceKeyFunc(object)
		return key
	}
	slices.SortFunc(objects, func(a, b any) int { return strings.Compare(key(a), key(b)) })
	return objects
}

// ParamInformer holds the given objects of a kind that may be a parameter: at
// the type that a server's own informers have, else as trees.
func (g *Objects) ParamInformer(
	kind schema.GroupVersionKind,
	resource schema.GroupVersionResource,
) informers.GenericInformer {
	filled := g.keep(kind, func() *filledInformer {
		if typed, err := g.Informers.(filledInformers).SharedInformerFactory.ForResource(resource); err == nil {
			return newFilledInformer(g, typed.Informer(), kind)
		}
		indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		tree := newFilledInformer(
			g,
			cache.NewSharedIndexInformer(&cache.ListWatch{}, &unstructured.Unstructured{}, 0, indexers),
			kind,
		)
		tree.indexer.decode = decodeTree
		return tree
	})
	return paramInformer{informer: filled, lister: cache.NewGenericLister(filled.indexer, resource.GroupResource())}
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
