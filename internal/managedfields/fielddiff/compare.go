// Package fielddiff compares two objects field by field, as people review
// them: what changed under which field path, and which list items moved.
//
// The pipeline: learn from the managed fields entries of both objects which
// lists are keyed and by what, walk both trees together, and collect a hunk
// for each map or list whose own children change.
//
// Laws: equal objects have no hunk; hunks come in the order of their paths in
// a printed object, keys sorted; an item that keeps its key and its place
// among the items that stay is not moved, and as few items as possible are.
package fielddiff

import (
	"maps"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Kind reports what happens to a field.
type Kind int

// The kinds of change.
const (
	Added Kind = iota
	Removed
	Modified
	// Moved: a list item has another place among the items that stay. Its own hunk reports
	// changes in it.
	Moved
)

// Change is one changed child of a map or list.
type Change struct {
	Kind Kind
	// Path is that of the child, in the server's terms.
	Path fieldpath.Path
	// Before and After are JSON values; nil where there is none.
	Before, After any
	// From and To are the positions of a moved item, counted from 1.
	From, To int
}

// Hunk is a map or list with its changed children.
type Hunk struct {
	// Path is empty for the object itself.
	Path fieldpath.Path
	// List is true where the children are list items.
	List bool
	// Changes are sorted by key; those of a list are in the order of the
	// items, removed ones where they were.
	Changes []Change
	// Unchanged counts the children that are the same on both sides.
	Unchanged int
}

// Compare gives the hunks from before to after. Nil is an object without fields.
func Compare(before, after map[string]any, lists Lists) []Hunk {
	c := comparison{lists: lists}
	c.maps(nil, before, after)
	return c.hunks
}

type comparison struct {
	lists Lists
	hunks []Hunk
}

func (c *comparison) maps(path fieldpath.Path, a, b map[string]any) {
	at := c.open(path)
	h := Hunk{Path: path}
	both := maps.Clone(a)
	if both == nil {
		both = map[string]any{}
	}
	maps.Copy(both, b)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		before, inA := a[key]
		after, inB := b[key]
		child := join(path, fieldpath.PathElement{FieldName: &key})
		c.child(&h, child, side{before, inA}, side{after, inB})
	}
	c.close(at, h)
}

type side struct {
	v  any
	ok bool
}

// child compares one child: it is a change of the hunk, or has hunks itself.
func (c *comparison) child(h *Hunk, path fieldpath.Path, a, b side) {
	switch {
	case !a.ok:
		h.Changes = append(h.Changes, Change{Kind: Added, Path: path, After: b.v})
	case !b.ok:
		h.Changes = append(h.Changes, Change{Kind: Removed, Path: path, Before: a.v})
	case same(a.v, b.v):
		h.Unchanged++
	case !c.descend(path, a.v, b.v):
		h.Changes = append(h.Changes, Change{Kind: Modified, Path: path, Before: a.v, After: b.v})
	}
}

// descend compares what has children on both sides.
func (c *comparison) descend(path fieldpath.Path, a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if ok = ok && len(a) > 0 && len(b) > 0; ok {
			c.maps(path, a, b)
		}
		return ok
	case []any:
		b, ok := b.([]any)
		if !ok {
			return false
		}
		k, ok := c.lists.of(path, a, b)
		if ok {
			c.items(path, k, a, b)
		}
		return ok
	}
	return false
}

// items compares keyed items and the members of a set, by what identifies
// them. Removed items are reported where they were.
func (c *comparison) items(path fieldpath.Path, k kind, a, b []any) {
	at := c.open(path)
	h := Hunk{Path: path, List: true}
	old := places(k, a)
	new := places(k, b)
	moved := movedItems(k, b, old)
	next := 0
	removedUpTo := func(limit int) {
		for ; next < limit; next++ {
			pe, _ := k.element(a[next])
			if _, stays := new[pe.String()]; !stays {
				c.child(&h, join(path, pe), side{a[next], true}, side{})
			}
		}
	}
	for i, item := range b {
		pe, _ := k.element(item)
		was, ok := old[pe.String()]
		if !ok {
			c.child(&h, join(path, pe), side{}, side{item, true})
			continue
		}
		removedUpTo(was)
		if moved[i] {
			h.Changes = append(
				h.Changes,
				Change{Kind: Moved, Path: join(path, pe), Before: a[was], After: item, From: was + 1, To: i + 1},
			)
			if same(a[was], item) {
				continue
			}
		}
		c.child(&h, join(path, pe), side{a[was], true}, side{item, true})
	}
	removedUpTo(len(a))
	c.close(at, h)
}

// open and close put a hunk before those of its children.
func (c *comparison) open(path fieldpath.Path) int {
	c.hunks = append(c.hunks, Hunk{Path: path})
	return len(c.hunks) - 1
}

func (c *comparison) close(at int, h Hunk) {
	if len(h.Changes) > 0 {
		c.hunks[at] = h
		return
	}
	c.hunks = append(c.hunks[:at], c.hunks[at+1:]...)
}

func join(path fieldpath.Path, pe fieldpath.PathElement) fieldpath.Path {
	return append(path.Copy(), pe)
}

// same compares JSON values as reflect.DeepEqual does, in a fraction of its time.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, same)
	}
	return reflect.DeepEqual(a, b)
}
