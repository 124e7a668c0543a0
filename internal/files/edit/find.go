package edit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// A location is where a path leads in a document.
type location struct {
	// nodes are the values on the way, from the root to the deepest that is
	// there; entries are the positions taken in all but the last.
	nodes   []*document.Node
	entries []int
	// place is the same way in the tree, values that tree's value at its end.
	place place
	value any
	// missing is the rest of the path that the document does not have.
	missing fieldpath.Path
}

func (l *location) last() *document.Node { return l.nodes[len(l.nodes)-1] }

// entry is the field or item that leads to the last node.
func (l *location) entry() (parent *document.Node, index int) {
	return l.nodes[len(l.nodes)-2], l.entries[len(l.entries)-1]
}

// parent is the location one step up.
func (l *location) parent() *location {
	n := len(l.entries)
	return &location{nodes: l.nodes[:n], entries: l.entries[:n-1], place: l.place[:n-1]}
}

// prune steps up while the location is the only entry of its parent, and
// reports whether the parent has to stay, empty.
func (l *location) prune() bool {
	for {
		parent, _ := l.entry()
		if len(parent.Entries) != 1 {
			return false
		}
		up := l.parent()
		if len(up.entries) == 0 || isRequired(up.place) {
			return true
		}
		*l = *up
	}
}

// find follows a path as far as the document goes. Its errors are about what
// cannot be followed.
func (d *Doc) find(path fieldpath.Path) (*location, error) {
	l := &location{nodes: []*document.Node{d.root}, value: d.tree}
	for i, element := range path {
		here := l.last()
		switch {
		case here.Kind == document.Alias:
			return nil, d.refuse(path, ThroughAlias, here.Start)
		case !here.Sound():
			return nil, d.refuse(path, OddLayout, here.Start)
		}
		index, reason := d.step(l, path[:i], element)
		switch {
		case reason == NotFound:
			l.missing = path[i:]
			return l, nil
		case reason != "":
			return nil, d.refuse(path, reason, here.Start)
		}
		step := any(index)
		if here.Kind == document.Mapping {
			step = here.Entries[index].Key
		}
		inner, found := child(l.value, step)
		if !found {
			return nil, d.refuse(path, OddLayout, here.Entries[index].Start)
		}
		l.nodes = append(l.nodes, here.Entries[index].Value)
		l.entries = append(l.entries, index)
		l.place = append(l.place, step)
		l.value = inner
	}
	if !l.last().Sound() {
		return nil, d.refuse(path, OddLayout, l.last().Start)
	}
	return l, nil
}

// step finds the entry of one path element.
func (d *Doc) step(l *location, list fieldpath.Path, element fieldpath.PathElement) (int, Reason) {
	here := l.last()
	other := WrongKind
	if l.value == nil && here.Kind == document.Scalar {
		other = NotFound
	}
	switch {
	case element.FieldName != nil && here.Kind == document.Mapping:
		return fieldIndex(here, *element.FieldName)
	case element.FieldName != nil, here.Kind != document.Sequence:
		return 0, other
	case element.Index != nil:
		if *element.Index < 0 || *element.Index >= len(here.Entries) {
			return 0, NotFound
		}
		return *element.Index, ""
	}
	items, _ := l.value.([]any)
	if len(items) != len(here.Entries) {
		return 0, OddLayout
	}
	switch places := d.shapeAt(list).Places(items, element); len(places) {
	case 0:
		return 0, NotFound
	case 1:
		return places[0], ""
	}
	return 0, Ambiguous
}

func fieldIndex(n *document.Node, name string) (int, Reason) {
	found, merged := -1, false
	for i, e := range n.Entries {
		merged = merged || e.Merge
		if e.Key != name || e.Merge {
			continue
		}
		if found >= 0 {
			return 0, DuplicateKey
		}
		found = i
	}
	switch {
	case found >= 0:
		return found, ""
	case merged:
		return 0, MergeKey
	}
	return 0, NotFound
}

// shapeAt is the shape of what a path leads to.
func (d *Doc) shapeAt(path fieldpath.Path) managedfields.Shape {
	if len(path) < len(d.place) {
		return managedfields.Shape{}
	}
	shape := d.shape
	for _, element := range path[len(d.place):] {
		shape = shape.Child(element)
	}
	return shape
}

func isRequired(at place) bool {
	switch {
	case len(at) == 1:
		return at[0] == "apiVersion" || at[0] == "kind" || at[0] == "metadata"
	case len(at) == 2:
		return at[0] == "metadata" && at[1] == "name"
	}
	return false
}

func (d *Doc) refuse(path fieldpath.Path, reason Reason, offset int) error {
	return &RefusedError{Path: path, Reason: reason, Line: d.lines.Line(offset)}
}
