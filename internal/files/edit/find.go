package edit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A location is where a path leads in a document.
type location struct {
	// nodes are the values on the way, from the root to the deepest that is
	// there; entries are the positions taken in all but the last.
	nodes   []*node
	entries []int
	// place is the same way in the tree, values that tree's value at its end.
	place place
	value any
	// missing is the rest of the path that the document does not have.
	missing fieldpath.Path
}

func (l *location) last() *node { return l.nodes[len(l.nodes)-1] }

// entry is the field or item that leads to the last node.
func (l *location) entry() (parent *node, index int) {
	return l.nodes[len(l.nodes)-2], l.entries[len(l.entries)-1]
}

// parent is the location one step up.
func (l *location) parent() *location {
	n := len(l.entries)
	return &location{nodes: l.nodes[:n], entries: l.entries[:n-1], place: l.place[:n-1]}
}

// prune steps up while the location is the only entry of its parent, and
// reports whether the parent has to stay, empty.
func (l *location) prune(parents EmptyParents) bool {
	for {
		parent, _ := l.entry()
		if !parent.only() {
			return false
		}
		up := l.parent()
		if parents == KeepEmptyParents || len(up.entries) == 0 || isRequired(up.place) {
			return true
		}
		*l = *up
	}
}

// find follows a path as far as the document goes. Its errors are about what
// cannot be followed.
func (d *Doc) find(path fieldpath.Path) (*location, error) {
	l := &location{nodes: []*node{d.root}, value: d.tree}
	for i, element := range path {
		here := l.last()
		switch {
		case here.kind == alias:
			return nil, d.refuse(path, ThroughAlias, here.start)
		case !here.sound():
			return nil, d.refuse(path, OddLayout, here.start)
		}
		index, reason := d.step(l, path[:i], element)
		switch {
		case reason == NotFound:
			l.missing = path[i:]
			return l, nil
		case reason != "":
			return nil, d.refuse(path, reason, here.start)
		}
		step := any(index)
		if here.kind == mapping {
			step = here.entries[index].key
		}
		inner, found := child(l.value, step)
		if !found {
			return nil, d.refuse(path, OddLayout, here.entries[index].start)
		}
		l.nodes = append(l.nodes, here.entries[index].value)
		l.entries = append(l.entries, index)
		l.place = append(l.place, step)
		l.value = inner
	}
	if !l.last().sound() {
		return nil, d.refuse(path, OddLayout, l.last().start)
	}
	return l, nil
}

// step finds the entry of one path element.
func (d *Doc) step(l *location, list fieldpath.Path, element fieldpath.PathElement) (int, Reason) {
	here := l.last()
	absent := l.value == nil && here.kind == scalar
	switch {
	case element.FieldName != nil:
		if here.kind != mapping {
			return 0, notFoundIf(absent)
		}
		return fieldIndex(here, *element.FieldName)
	case here.kind != sequence:
		return 0, notFoundIf(absent)
	case element.Index != nil:
		if *element.Index < 0 || *element.Index >= len(here.entries) {
			return 0, NotFound
		}
		return *element.Index, ""
	}
	items, _ := l.value.([]any)
	if len(items) != len(here.entries) {
		return 0, OddLayout
	}
	return only(d.shapeAt(list).Places(items, element))
}

// notFoundIf distinguishes a missing value from one of another kind.
func notFoundIf(absent bool) Reason {
	if absent {
		return NotFound
	}
	return WrongKind
}

func fieldIndex(n *node, name string) (int, Reason) {
	found, merged := -1, false
	for i, e := range n.entries {
		merged = merged || e.merge
		if e.key != name || e.merge {
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

// only is the one place that there is to be.
func only(places []int) (int, Reason) {
	switch len(places) {
	case 0:
		return 0, NotFound
	case 1:
		return places[0], ""
	}
	return 0, Ambiguous
}
