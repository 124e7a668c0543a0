package fastapply

import (
	"maps"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// prune takes out of the merged object what the manager applied last, applies no more, and
// nobody owns, as Updater.prune does where all entries are at one version (merge/update.go):
// what the last set has is removed with all below it; what somebody owns is added back to
// that; and then what the last set has not. Fields that the schema declares are in a set as
// soon as something below them is (fieldpath's EnsureNamedFieldsAreMembers). It is false where
// the others would lose something, or a map or list be left empty.
func (a *apply) prune() bool {
	o := a.overlay
	if !o.drops {
		return true
	}
	last, whole := a.last.claims()
	if !whole || a.last.size < 0 || !a.filled || o.hollow {
		// A list that is empty is in no set, and removing leaves null in place of a map or list
		// that becomes empty.
		return false
	}
	own, whole := claimsOf(fieldpath.NewSet(o.owned...))
	if !whole {
		return false
	}
	at := place{last: last, owners: []*claims{own}, first: true, back: true}
	for i, entry := range a.before {
		if a.isOwn(entry) {
			continue
		}
		owner, whole := a.sets[i].claims()
		if !whole {
			return false
		}
		at.owners = append(at.owners, owner)
	}
	pruned, ok := at.fields(a.kind.root.known(), o.merged)
	if ok && !jsontree.Same(pruned, o.merged) {
		o.merged, o.pruned = pruned, true
	}
	return ok
}

// place is one of the object, as prune walks it.
type place struct {
	// last is what was applied last here and below, and owners is what is owned now; nil for
	// nothing.
	last   *claims
	owners []*claims
	// first: it is not removed at first. back: it is not, or is added back for an owner.
	first, back bool
}

// into is a place further down, and whether what is there goes. A field may be declared.
func (p place) into(declared bool, below func(*claims) *claims) (next place, gone, ok bool) {
	next = place{last: below(p.last), owners: make([]*claims, 0, len(p.owners))}
	owned := false
	for _, owner := range p.owners {
		if claims := below(owner); claims != nil {
			next.owners = append(next.owners, claims)
			owned = owned || declared || claims.member
		}
	}
	applied := next.last != nil && (declared || next.last.member)
	next.first = p.first && !applied
	next.back = p.back && (next.first || owned)
	gone = applied && !next.back
	return next, gone, !gone || len(next.owners) == 0
}

// fields is a map without what goes; the map itself where nothing does. Like all of these
// methods, it is false where upstream may leave something else.
func (p place) fields(t *mergeType, object map[string]any) (map[string]any, bool) {
	out := object
	for key, value := range object {
		if p.last.field(key) == nil {
			continue
		}
		field, declared := t.field(key)
		next, gone, ok := p.into(declared, func(c *claims) *claims { return c.field(key) })
		kept := value
		if ok && !gone {
			kept, ok = next.value(field, value)
		}
		if !ok {
			return nil, false
		}
		if !gone && !replaced(kept, value) {
			continue
		}
		if jsontree.Same(out, object) {
			out = maps.Clone(object)
		}
		if out[key] = kept; gone {
			delete(out, key)
		}
	}
	return out, len(out) > 0 || len(object) == 0
}

func (p place) items(list *mergeType, items []any) ([]any, bool) {
	if !(conformance{}).different(list, items) {
		return nil, false
	}
	out := make([]any, 0, len(items))
	changed := false
	for _, item := range items {
		// All have one, or they could not be told apart.
		e, _ := elementOf(list, item)
		kept := item
		if p.last.item(list, e) != nil {
			next, gone, ok := p.into(false, func(c *claims) *claims { return c.item(list, e) })
			if ok && !gone {
				kept, ok = next.value(list.item(), item)
			}
			if !ok {
				return nil, false
			}
			if changed = changed || gone || replaced(kept, item); gone {
				continue
			}
		}
		out = append(out, kept)
	}
	if !changed {
		return items, true
	}
	return out, len(out) > 0
}

func (p place) value(t *mergeType, value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		if t.Map == nil {
			return nil, false
		}
		if t.Map.ElementRelationship == smdschema.Atomic {
			return value, true
		}
		return p.fields(t, value)
	case []any:
		if t.List == nil {
			return nil, false
		}
		if t.List.ElementRelationship != smdschema.Associative {
			return value, true
		}
		return p.items(t, value)
	}
	return value, true
}

// replaced reports whether a map or list is another one; other values are never replaced.
func replaced(now, before any) bool {
	switch before := before.(type) {
	case map[string]any:
		return !jsontree.Same(now, before)
	case []any:
		return len(before) > 0 && !jsontree.Same(now, before)
	}
	return false
}
