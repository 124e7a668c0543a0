package managedfields

import (
	"cmp"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Leaf is one field of an object at the end of a path: a scalar, an empty or an atomic map
// or list. Value is shared with the object; of repeated items it is the list of them.
type Leaf struct {
	Path  fieldpath.Path
	Value any
}

// Composite reports whether a value is a map or a list.
func Composite(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// Leaves are the fields of an object of this shape, in path order:
// map keys sorted, list items in their order. metadata.managedFields is not
// among them.
func (s Shape) Leaves(object map[string]any) []Leaf {
	var out []Leaf
	s.walk(object, nil, func(l Leaf) { out = append(out, l) })
	return out
}

// Unowned are the leaves that no entry owns, neither by their path nor as part of a parent
// owned as one field. They do not include what the server never tracks.
func (o Owners) Unowned(object map[string]any, shape Shape) []Leaf {
	covering := o.Covering()
	return slices.DeleteFunc(shape.Leaves(object), func(l Leaf) bool {
		return Untracked(l.Path) || len(covering(l.Path)) > 0
	})
}

// Untracked reports whether the server never tracks the path.
func Untracked(path fieldpath.Path) bool { return Identity.Has(path) }

// Identity are the paths that the server never tracks (apimachinery,
// managedfields/internal/stripmeta.go).
var Identity = func() *fieldpath.Set {
	set := fieldpath.NewSet(
		fieldpath.MakePathOrDie("apiVersion"),
		fieldpath.MakePathOrDie("kind"),
		fieldpath.MakePathOrDie("metadata"),
	)
	for _, key := range []string{
		"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields",
		"resourceVersion",
	} {
		set.Insert(fieldpath.MakePathOrDie("metadata", key))
	}
	return set
}()

// Covering gives the entries with sets that cover a path, sorted by index. It goes through
// all entries once for many paths.
func (o Owners) Covering() func(fieldpath.Path) []Entry {
	leaves := slices.Clone(o.Entries)
	for i := range leaves {
		leaves[i].Set = leaves[i].Set.Leaves()
	}
	at, above := o.Index(), Owners{Entries: leaves}.Index()
	return func(path fieldpath.Path) []Entry {
		out := at(path)
		for i := 1; i < len(path); i++ {
			out = append(out, above(path[:i])...)
		}
		slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(a.Index, b.Index) })
		return out
	}
}

// Covers reports whether set has path, or a parent of path without anything
// below: what an atomic map or list is owned by.
func Covers(set *fieldpath.Set, path fieldpath.Path) bool {
	for i, pe := range path {
		child, below := set.Children.Get(pe)
		if set.Members.Has(pe) && (i == len(path)-1 || !below) {
			return true
		}
		if !below {
			return false
		}
		set = child
	}
	return false
}

// Begin visits the path elements that a set begins with, in their order.
func Begin(set *fieldpath.Set, visit func(fieldpath.PathElement)) {
	var seen fieldpath.PathElementSet
	set.Members.Iterate(seen.Insert)
	set.Children.Iterate(seen.Insert)
	seen.Iterate(visit)
}

// Below is what a set has below a path; empty for nothing.
func Below(set *fieldpath.Set, path fieldpath.Path) *fieldpath.Set {
	for _, pe := range path {
		child, ok := set.Children.Get(pe)
		if !ok {
			return fieldpath.NewSet()
		}
		set = child
	}
	return set
}

func (s Shape) walk(v any, path fieldpath.Path, visit func(Leaf)) {
	switch t := v.(type) {
	case map[string]any:
		if len(t) > 0 && !s.AtomicMap() {
			s.walkMap(t, path, visit)
			return
		}
	case []any:
		if len(t) > 0 && s.Associative() {
			s.walkList(t, path, visit)
			return
		}
	}
	visit(Leaf{Path: path.Copy(), Value: v})
}

func (s Shape) walkMap(m map[string]any, path fieldpath.Path, visit func(Leaf)) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if key == "managedFields" && len(path) == 1 && path[0].FieldName != nil && *path[0].FieldName == "metadata" {
			continue
		}
		s.Field(key).walk(m[key], append(path, fieldpath.FieldNameElement(key)), visit)
	}
}

func (s Shape) walkList(list []any, path fieldpath.Path, visit func(Leaf)) {
	groups, ok := s.Group(list)
	if !ok {
		visit(Leaf{Path: path.Copy(), Value: list})
		return
	}
	for _, g := range groups {
		at := append(path, g.Element)
		if len(g.Items) > 1 {
			visit(Leaf{Path: at.Copy(), Value: g.Items})
			continue
		}
		s.Item().walk(g.Items[0], at, visit)
	}
}

// Group is the items of an associative list under one path element: one, or
// several where the key is repeated.
type Group struct {
	Element fieldpath.PathElement
	// Name is the element as text.
	Name  string
	Items []any
}

// Group cuts a list by path element, in the order of first items. It is false
// where an item has none, or the list is atomic: such a list is one field.
func (s Shape) Group(list []any) ([]Group, bool) {
	var out []Group
	at := map[string]int{}
	for _, item := range list {
		pe, ok := s.Element(item)
		if !ok {
			return nil, false
		}
		name := pe.String()
		if i, seen := at[name]; seen {
			out[i].Items = append(out[i].Items, item)
			continue
		}
		at[name] = len(out)
		out = append(out, Group{Element: pe, Name: name, Items: []any{item}})
	}
	return out, true
}

// Paths are all paths of an object of this shape, in walking order: leaves,
// and the maps and items that they are in. The object itself is none.
func (s Shape) Paths(object map[string]any) []fieldpath.Path {
	var out []fieldpath.Path
	seen := fieldpath.NewSet()
	for _, l := range s.Leaves(object) {
		for n := 1; n <= len(l.Path); n++ {
			if p := l.Path[:n]; !seen.Has(p) {
				seen.Insert(p)
				out = append(out, p)
			}
		}
	}
	return out
}
