package server

import (
	"bytes"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// definitions are those of the custom kinds. One that more gives costs nothing
// until its kind is asked about. It is safe for concurrent use.
type definitions struct {
	more func(schema.GroupKind) [][]byte

	mu sync.Mutex
	// byKind has nil for a kind that nothing defines.
	byKind map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition
	// asked are the kinds that more was asked about.
	asked map[schema.GroupKind]bool
}

func newDefinitions(crds [][]byte, more func(schema.GroupKind) [][]byte) (*definitions, error) {
	d := &definitions{more: more, byKind: map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{}, asked: map[schema.GroupKind]bool{}}
	for _, raw := range crds {
		crd, err := decodeDefinition(raw)
		if err != nil {
			return nil, err
		}
		d.byKind[definedBy(crd)] = crd
	}
	return d, nil
}

func definedBy(crd *apiextensionsv1.CustomResourceDefinition) schema.GroupKind {
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// of gives the definition of a kind.
func (d *definitions) of(kind schema.GroupKind) (*apiextensionsv1.CustomResourceDefinition, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.more != nil && !d.asked[kind] {
		d.asked[kind] = true
		for _, raw := range d.more(kind) {
			if !mayDefine(raw, kind) {
				continue
			}
			if crd, err := decodeDefinition(raw); err == nil && definedBy(crd) == kind {
				d.byKind[kind] = crd
			}
		}
	}
	crd, ok := d.byKind[kind]
	return crd, ok
}

// set has a definition count for its kind, whatever more gives.
func (d *definitions) set(crd *apiextensionsv1.CustomResourceDefinition) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kind := definedBy(crd)
	d.byKind[kind], d.asked[kind] = crd, true
}

// mayDefine reports whether a definition may be that of a kind, by its names alone.
func mayDefine(raw []byte, kind schema.GroupKind) bool {
	return maySay(raw, kind.Group, "spec", "group") && maySay(raw, kind.Kind, "spec", "names", "kind")
}

// maySay is false where another text than the wanted one stands at a path.
func maySay(raw []byte, want string, path ...string) bool {
	texts, ok := jsontree.Texts(raw, path...)
	return !ok || len(texts) != 1 || bytes.IndexByte(texts[0], '\\') >= 0 || string(texts[0]) == `"`+want+`"`
}
