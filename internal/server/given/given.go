// Package given has the other objects of a cluster, as far as they were among the
// inputs: what admission looks up.
//
//	given.go      what is known of each kind, and which namespaces exist
//	informers.go  the informers through which the server's code sees it
//	ready.go      whether it suffices for a request
package given

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Objects are the cluster's other objects that the inputs have, for admission plug-ins to
// look up. Plug-ins see them through informers, which decode them at the first look.
type Objects struct {
	Informers informers.SharedInformerFactory
	// namespaces says that the cluster's Namespaces are given: one that is not
	// among them does not exist.
	namespaces bool
	// exist are namespaces that exist, given or not; lacks are some that do not.
	exist, Lacks sets.Set[string]
	// Dumped are the kinds of the objects that were given at first: the others of a kind
	// were then given too. What a run writes later shows nothing of its kind.
	Dumped sets.Set[schema.GroupKind]
	Listed sets.Set[api.Listed]
	// LookedFor says where objects were looked for.
	LookedFor string
	// Check reports what no server is done with reading; nil checks nothing.
	Check func(kind schema.GroupVersionKind, texts ...[]byte) error
	// Disguise is that of Options.
	Disguise api.Disguise

	mu      sync.RWMutex
	changes map[schema.GroupKind][]change
	filled  map[schema.GroupVersionKind]*filledInformer
}

// change is what became known of one object: its JSON, or that it is gone.
type change struct {
	text            []byte
	namespace, name string
}

// New takes the objects as JSON, of whatever kinds, and the names of
// namespaces that exist besides. Of two objects of one name the later counts.
func New(texts [][]byte, namespaces ...string) *Objects {
	g := &Objects{
		exist:   OwnNamespaces.Clone().Insert(namespaces...),
		Lacks:   sets.New[string](),
		changes: map[schema.GroupKind][]change{},
		filled:  map[schema.GroupVersionKind]*filledInformer{},
	}
	g.Informers = filledInformers{SharedInformerFactory: informers.NewSharedInformerFactory(nil, 0), given: g}
	for _, text := range texts {
		g.Add(text)
	}
	g.Dumped = sets.KeySet(g.changes)
	g.namespaces = g.Dumped.Has(schema.GroupKind{Kind: "Namespace"})
	return g
}

// Knows reports whether anything became known of a kind.
func (g *Objects) Knows(kind schema.GroupKind) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.changes[kind]) > 0
}

// Lists reports whether all objects of a kind in a namespace are known.
func (g *Objects) Lists(kind schema.GroupKind, namespace string) bool {
	return g.Listed.HasAny(api.Listed{Kind: kind}, api.Listed{Kind: kind, Namespace: namespace})
}

// Tells reports whether the inputs say which objects of a kind the cluster has.
func (g *Objects) Tells(kind schema.GroupKind) bool {
	if g.Dumped.Has(kind) {
		return true
	}
	for l := range g.Listed {
		if l.Kind == kind {
			return true
		}
	}
	return false
}

// Add stores an object, and replaces what was known about it. One without a kind is of the
// empty one.
func (g *Objects) Add(text []byte) {
	apiVersion, _ := jsontree.Name(text, "apiVersion")
	kind, _ := jsontree.Name(text, "kind")
	g.change(schema.FromAPIVersionAndKind(apiVersion, kind).GroupKind(), change{text: text})
}

// Remove forgets an object.
func (g *Objects) Remove(kind schema.GroupKind, namespace, name string) {
	g.change(kind, change{namespace: namespace, name: name})
}

func (g *Objects) change(kind schema.GroupKind, c change) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes[kind] = append(g.changes[kind], c)
}

// Known counts what became known of a kind: 0 where nothing of it was given.
func (g *Objects) Known(kind schema.GroupKind) int { return len(g.since(kind, 0)) }

// Unread counts the objects of a kind that could not be read so far.
func (g *Objects) Unread(kind schema.GroupKind) int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	n := 0
	for _, informer := range g.filled {
		if informer.indexer.kind.GroupKind() == kind {
			n += int(informer.indexer.unread.Load())
		}
	}
	return n
}

// since gives what became known of a kind after its first n changes.
func (g *Objects) since(kind schema.GroupKind, n int) []change {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.changes[kind][n:]
}

// Namespaces that every server makes for itself. The immortal ones may not be
// deleted (apiserver, pkg/server/plugins.go).
var (
	ImmortalNamespaces = sets.New("default", "kube-system", "kube-public")
	OwnNamespaces      = ImmortalNamespaces.Clone().Insert("kube-node-lease")
)

// InNamespace reports whether a request is about an object in a namespace.
// Requests about a Namespace carry its own name as theirs.
func InNamespace(a admission.Attributes) bool {
	return a.GetNamespace() != "" && a.GetResource().GroupResource() != corev1.Resource("namespaces")
}

// JudgesNamespace reports whether it is known if the namespace of a request exists: it is
// given, or the others of the cluster are given and nothing shows that it exists, such as a
// live object in it.
func (g *Objects) JudgesNamespace(a admission.Attributes) bool {
	switch {
	case a.GetOperation() == admission.Delete || !InNamespace(a) || g.KnowsNamespace(a):
		return true
	case a.GetOldObject() != nil || a.GetSubresource() != "" || g.exist.Has(a.GetNamespace()) ||
		a.GetResource().Resource == "localsubjectaccessreviews":
		return false
	}
	return g.namespaces || g.Lacks.Has(a.GetNamespace())
}
