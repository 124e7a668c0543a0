package audit

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// absence collects owned paths that an object does not have, only the
// uppermost of each branch; those under a Secret's stringData apart.
type absence struct {
	secret        bool
	missing, data *fieldpath.Set
}

// find compares a set with the values at its place: several where items with
// one key are repeated.
func (a absence) find(set *fieldpath.Set, values []any, shape managedfields.Shape, at fieldpath.Path) {
	children := childrenOf(values, shape)
	each(set, func(pe fieldpath.PathElement) {
		path := append(at.Copy(), pe)
		if found := children(pe); len(found) > 0 {
			a.find(below(set, pe), found, shape.Child(pe), path)
			return
		}
		if !a.secret || !pathStarts(path, "stringData") {
			a.missing.Insert(path)
			return
		}
		a.data.Insert(path)
		below(set, pe).Leaves().Iterate(func(p fieldpath.Path) { a.data.Insert(append(path.Copy(), p...)) })
	})
}

// each visits the path elements that a set begins with.
func each(set *fieldpath.Set, visit func(fieldpath.PathElement)) {
	var seen fieldpath.PathElementSet
	set.Members.Iterate(seen.Insert)
	set.Children.Iterate(seen.Insert)
	seen.Iterate(visit)
}

// childrenOf gives a look-up of what path elements select in values. The items
// of a keyed list are looked up in an index, as there may be many.
func childrenOf(values []any, shape managedfields.Shape) func(fieldpath.PathElement) []any {
	index := map[string][]any{}
	for _, v := range values {
		list, ok := v.([]any)
		if !ok {
			continue
		}
		groups, _ := shape.Group(list)
		for _, g := range groups {
			index[g.Element.String()] = append(index[g.Element.String()], g.Items...)
		}
	}
	return func(pe fieldpath.PathElement) []any {
		if found := index[pe.String()]; len(found) > 0 {
			return found
		}
		var out []any
		for _, v := range values {
			out = append(out, shape.Lookup(v, fieldpath.Path{pe})...)
		}
		return out
	}
}
