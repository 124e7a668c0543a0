package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
)

// lookedUp are the kinds that the server's code looks up while it answers for
// an object of another one.
var lookedUp = map[schema.GroupKind]bool{
	{Kind: "LimitRange"}:     true,
	{Kind: "Namespace"}:      true,
	{Kind: "Node"}:           true,
	{Kind: "Pod"}:            true,
	{Kind: "ResourceQuota"}:  true,
	{Kind: "ServiceAccount"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: true,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:                                true,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                                      true,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                                    true,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:                               true,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                                   true,
}

// lookers are, for some kinds, all kinds whose answers may depend on them.
var lookers = map[schema.GroupKind][]schema.GroupKind{
	{Kind: "LimitRange"}:     {{Kind: "Pod"}, {Kind: "PersistentVolumeClaim"}},
	{Kind: "Node"}:           {{Kind: "Pod"}},
	{Kind: "Pod"}:            {{Kind: "Namespace"}},
	{Kind: "ServiceAccount"}: {{Kind: "Pod"}},
	{Group: "networking.k8s.io", Kind: "IngressClass"}:  {{Group: "networking.k8s.io", Kind: "Ingress"}},
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:        {{Kind: "Pod"}},
	{Group: "policy", Kind: "PodDisruptionBudget"}:      {{Kind: "Pod"}, {Group: "policy", Kind: "Eviction"}},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}: {{Kind: "Pod"}, {Group: "scheduling.k8s.io", Kind: "PriorityClass"}},
	{Group: "storage.k8s.io", Kind: "StorageClass"}:     {{Kind: "PersistentVolumeClaim"}},
}

// LooksUpFor is LooksUp where only objects of some kinds are to be answered for.
func LooksUpFor(kind schema.GroupKind, answered map[schema.GroupKind]bool) bool {
	few, ok := lookers[kind]
	if !ok {
		return LooksUp(kind)
	}
	return slices.ContainsFunc(few, func(k schema.GroupKind) bool { return answered[k] })
}

// LookedUpFor are the kinds that LooksUpFor reports, sorted.
func LookedUpFor(answered map[schema.GroupKind]bool) []schema.GroupKind {
	var out []schema.GroupKind
	for kind := range lookedUp {
		if LooksUpFor(kind, answered) {
			out = append(out, kind)
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// LooksUp reports whether answers for other objects may depend on objects of a
// kind: a server that is to answer for all needs them among Options.Objects.
func LooksUp(kind schema.GroupKind) bool { return lookedUp[kind] }

// givenObjects are the cluster's other objects, as far as they were among the
// user's files: what admission plug-ins look up. Plug-ins see them through
// informers, into which they are decoded when somebody first looks.
type givenObjects struct {
	informers informers.SharedInformerFactory
	// namespaces says that the cluster's Namespaces are given: one that is not
	// among them does not exist.
	namespaces bool
	// exist are namespaces that exist, given or not; lacks are some that do not.
	exist, lacks sets.Set[string]
	// dumped are the kinds of the objects that were given at first: the others of a kind
	// were then given too. What a run writes later shows nothing of its kind.
	dumped sets.Set[schema.GroupKind]
	listed sets.Set[Listed]
	// lookedFor says where objects were looked for.
	lookedFor string
	// check reports what no server is done with reading; nil checks nothing.
	check func(kind schema.GroupVersionKind, texts ...[]byte) error
	// disguise is that of Options.
	disguise Disguise

	mu      sync.RWMutex
	changes map[schema.GroupKind][]change
	filled  map[any]*filledInformer
}

// change is what became known of one object: its JSON, or that it is gone.
type change struct {
	text            []byte
	namespace, name string
}

// newGivenObjects takes the objects as JSON, of whatever kinds, and the names of
// namespaces that exist besides. Of two objects of one name the later counts.
func newGivenObjects(texts [][]byte, namespaces ...string) *givenObjects {
	g := &givenObjects{exist: ownNamespaces.Clone().Insert(namespaces...), lacks: sets.New[string](), changes: map[schema.GroupKind][]change{}, filled: map[any]*filledInformer{}}
	g.informers = filledInformers{SharedInformerFactory: informers.NewSharedInformerFactory(nil, 0), given: g}
	for _, text := range texts {
		g.add(text)
	}
	g.dumped = sets.KeySet(g.changes)
	g.namespaces = g.dumped.Has(schema.GroupKind{Kind: "Namespace"})
	return g
}

// knows reports whether anything became known of a kind.
func (g *givenObjects) knows(kind schema.GroupKind) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.changes[kind]) > 0
}

// lists reports whether all objects of a kind in a namespace are known.
func (g *givenObjects) lists(kind schema.GroupKind, namespace string) bool {
	return g.listed.HasAny(Listed{Kind: kind}, Listed{kind, namespace})
}

// tells reports whether the inputs say which objects of a kind the cluster has.
func (g *givenObjects) tells(kind schema.GroupKind) bool {
	if g.dumped.Has(kind) {
		return true
	}
	for l := range g.listed {
		if l.Kind == kind {
			return true
		}
	}
	return false
}

// add stores an object, and replaces what was known about it.
func (g *givenObjects) add(text []byte) { g.change(kindOf(text), change{text: text}) }

// remove forgets an object.
func (g *givenObjects) remove(kind schema.GroupKind, namespace, name string) {
	g.change(kind, change{namespace: namespace, name: name})
}

func (g *givenObjects) change(kind schema.GroupKind, c change) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes[kind] = append(g.changes[kind], c)
}

// known counts what became known of a kind: 0 where nothing of it was given.
func (g *givenObjects) known(kind schema.GroupKind) int { return len(g.since(kind, 0)) }

// unread counts the objects of a kind that could not be read, as far as somebody
// has looked.
func (g *givenObjects) unread(kind schema.GroupKind) int {
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
func (g *givenObjects) since(kind schema.GroupKind, n int) []change {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.changes[kind][n:]
}

// kindOf reads the kind of an object, and no more of it than that takes; it is
// empty for what has none.
func kindOf(text []byte) schema.GroupKind {
	var apiVersion, kind string
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return schema.GroupKind{}
	}
	for decoder.More() && (apiVersion == "" || kind == "") {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value any = &json.RawMessage{}
		switch key {
		case "apiVersion":
			value = &apiVersion
		case "kind":
			value = &kind
		}
		if decoder.Decode(value) != nil {
			break
		}
	}
	return schema.FromAPIVersionAndKind(apiVersion, kind).GroupKind()
}
