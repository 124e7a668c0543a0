package policy

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Observation is who owns what in objects: by kind, and by field pattern, in which
// the items of a list are all one. The zero value has seen nothing.
type Observation struct {
	kinds map[schema.GroupKind]*observed
}

// observed is what was seen of a kind.
type observed struct {
	objects int
	root    *node
}

// node is a place in the fields of a kind.
type node struct {
	children map[step]*node
	// owners are the roles that own just this place in some object.
	owners map[managedfields.Role]bool
	// atomic: what is here is owned as a whole in some object.
	atomic bool
}

// step is a key of a map, or any item of a list.
type step struct {
	name string
	item bool
}

func newNode() *node {
	return &node{children: map[step]*node{}, owners: map[managedfields.Role]bool{}}
}

// Add records the owners in an object. Only its kind and its shape count.
func (s *Observation) Add(of Object, owners managedfields.Owners) {
	if s.kinds == nil {
		s.kinds = map[schema.GroupKind]*observed{}
	}
	o, known := s.kinds[of.Kind]
	if !known {
		o = &observed{root: newNode()}
		s.kinds[of.Kind] = o
	}
	o.objects++
	for role, set := range owners.Roles() {
		set.Leaves().Iterate(func(path fieldpath.Path) {
			n := o.root.at(path)
			n.owners[role], n.atomic = true, n.atomic || of.atomic(path)
		})
	}
}

// at is the node of a path, which is made where it is new.
func (n *node) at(path fieldpath.Path) *node {
	for _, pe := range path {
		s := step{item: true}
		if pe.FieldName != nil {
			s = step{name: *pe.FieldName}
		}
		child, known := n.children[s]
		if !known {
			child = newNode()
			n.children[s] = child
		}
		n = child
	}
	return n
}

// all are the roles that own the place, or something below.
func (n *node) all() map[managedfields.Role]bool {
	out := maps.Clone(n.owners)
	for _, child := range n.children {
		maps.Copy(out, child.all())
	}
	return out
}

// steps are those to the children, keys first, sorted.
func (n *node) steps() []step {
	return slices.SortedFunc(maps.Keys(n.children), func(a, b step) int {
		switch {
		case a.item && !b.item:
			return 1
		case b.item && !a.item:
			return -1
		}
		return cmp.Compare(a.name, b.name)
	})
}
