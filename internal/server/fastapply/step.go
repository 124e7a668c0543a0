package fastapply

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// step is one on the way from an object to a field: into a field of a map, or into an
// item of a list. Most ways are gone without anybody asking for their path.
type step struct {
	// above is nil of the fields of the object itself.
	above *step
	name  string
	// list is that of an item; nil of fields.
	list    *mergeType
	element element
	// claims are what is claimed here and below; nil for nothing.
	claims *claims
	// number is another one for each step of an overlay.
	number int
}

// path is the way to a step.
func (s *step) path() fieldpath.Path {
	var path fieldpath.Path
	for ; s != nil; s = s.above {
		if s.list != nil {
			path = append(path, s.element.path(s.list))
			continue
		}
		name := s.name
		path = append(path, fieldpath.PathElement{FieldName: &name})
	}
	slices.Reverse(path)
	return path
}

// untracked are the fields that nobody owns. It follows
// managedfields/internal/stripmeta.go, as far as a configuration of this way can ask for
// what it strips.
func (s *step) untracked() bool {
	switch {
	case s.above == nil:
		return s.name == "apiVersion" || s.name == "kind"
	case s.above.above == nil:
		return s.above.name == "metadata" && (s.name == "name" || s.name == "namespace")
	}
	return false
}

// claims is a field set as a tree, to go down beside an object.
type claims struct {
	member bool
	fields map[string]*claims
	items  map[element]*claimedItem
}

// claimedItem is an item of a keyed list or a set, with the names of its keys.
type claimedItem struct {
	names []string
	claims
}

// claimsOf is a set as a tree. It claims less than the set where that has elements of
// other kinds.
func claimsOf(set *fieldpath.Set) *claims {
	root := &claims{}
	set.Iterate(func(path fieldpath.Path) {
		at := root
		for _, e := range path {
			if at = at.descend(e); at == nil {
				return
			}
		}
		at.member = true
	})
	return root
}

// descend is what is claimed at a path element and below, made where it is not there;
// nil where it cannot be.
func (c *claims) descend(e fieldpath.PathElement) *claims {
	if e.FieldName != nil {
		next, ok := c.fields[*e.FieldName]
		if !ok {
			if c.fields == nil {
				c.fields = map[string]*claims{}
			}
			next = &claims{}
			c.fields[*e.FieldName] = next
		}
		return next
	}
	key, names, ok := elementIn(e)
	if !ok {
		return nil
	}
	item, has := c.items[key]
	if !has {
		if c.items == nil {
			c.items = map[element]*claimedItem{}
		}
		item = &claimedItem{names: names}
		c.items[key] = item
	}
	if !slices.Equal(item.names, names) {
		return nil
	}
	return &item.claims
}

// field is what is claimed of a field.
func (c *claims) field(name string) *claims {
	if c == nil {
		return nil
	}
	return c.fields[name]
}

// item is what is claimed of an item of a list.
func (c *claims) item(list *mergeType, e element) *claims {
	if c == nil {
		return nil
	}
	if item := c.items[e]; item != nil && slices.Equal(item.names, list.keys) {
		return &item.claims
	}
	return nil
}
