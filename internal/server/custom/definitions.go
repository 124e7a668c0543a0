package custom

import (
	"maps"
	"slices"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// definitions are those of the custom kinds. One costs nothing until its kind is asked
// about: those that cannot be read define nothing. It is safe for concurrent use.
type definitions struct {
	more func(schema.GroupKind) [][]byte

	mu    sync.Mutex
	given []*definition
	// byKind has nil for a kind that nothing defines.
	byKind map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition
	// asked are the kinds that are in byKind if anything defines them.
	asked map[schema.GroupKind]bool
}

// definition is one that was given, read and looked at once at most.
type definition struct {
	read        func() (*apiextensionsv1.CustomResourceDefinition, error)
	group, kind func() (name string, certain bool)
}

func newDefinition(raw []byte) *definition {
	return &definition{
		read: sync.OnceValues(func() (*apiextensionsv1.CustomResourceDefinition, error) {
			return decodeDefinition(raw)
		}),
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

func newDefinitions(crds [][]byte, more func(schema.GroupKind) [][]byte) *definitions {
	d := &definitions{more: more, byKind: map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{}, asked: map[schema.GroupKind]bool{}}
	for _, raw := range crds {
		d.given = append(d.given, newDefinition(raw))
	}
	return d
}

func definedBy(crd *apiextensionsv1.CustomResourceDefinition) schema.GroupKind {
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// Of gives the definition of a kind: of several the last counts.
func (d *definitions) Of(kind schema.GroupKind) (*apiextensionsv1.CustomResourceDefinition, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.asked[kind] {
		d.asked[kind] = true
		for _, given := range d.thatMayDefine(kind) {
			if crd, err := given.read(); err == nil && definedBy(crd) == kind {
				d.byKind[kind] = crd
			}
		}
	}
	crd, ok := d.byKind[kind]
	return crd, ok
}

// thatMayDefine are the definitions that may be of a kind, by their names alone.
func (d *definitions) thatMayDefine(kind schema.GroupKind) []*definition {
	all := slices.Clone(d.given)
	if d.more != nil {
		for _, raw := range d.more(kind) {
			all = append(all, newDefinition(raw))
		}
	}
	return slices.DeleteFunc(all, func(given *definition) bool { return !given.mayBeOf(kind) })
}

// All are the definitions of all kinds that were given or asked about.
func (d *definitions) All() map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition {
	for _, given := range d.given {
		if crd, err := given.read(); err == nil {
			d.Of(definedBy(crd))
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.byKind)
}

// set has a definition count for its kind, whatever else defines it.
func (d *definitions) set(crd *apiextensionsv1.CustomResourceDefinition) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kind := definedBy(crd)
	d.byKind[kind], d.asked[kind] = crd, true
}
