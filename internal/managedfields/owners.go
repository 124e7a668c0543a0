// Package managedfields answers who owns which field of an object, since when.
//
// It reads metadata.managedFields into field sets (Of), and asks them: the
// owners of a path, every owned path, what is owned though absent, what is
// present though unowned. Values are found in plain JSON trees by field path
// (Lookup), and a Shape says how a kind's merge type cuts an object into
// fields.
//
// It is a leaf: structured-merge-diff's vocabulary and JSON trees
// (map[string]any, []any, scalars) are all that it knows.
package managedfields

import (
	"cmp"
	"errors"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var errNotList = errors.New("metadata.managedFields is not a list")

// Owners are the managed fields entries of one object. The zero value owns nothing.
type Owners struct {
	// Entries are in the order of metadata.managedFields, the unreadable ones included.
	Entries []Entry
	// Err says that metadata.managedFields itself is not a list.
	Err error
}

// Owned is one owned path and the entries that own it, sorted by writer.
type Owned struct {
	Path fieldpath.Path
	// Field is Path as the server writes it in conflict causes.
	Field string
	By    []Entry
}

// Of reads the managed fields entries of an object. It never fails: what cannot be read is
// kept with its error, and the others are read. Nil has no owners.
func Of(object map[string]any) Owners {
	return read(object, func(_ Writer, fields any) (*fieldpath.Set, error) { return FromFields(fields) })
}

// OfRoles is Of for the entries of some roles: those of others are left out.
func OfRoles(object map[string]any, of func(Role) bool) Owners {
	o := read(object, func(by Writer, fields any) (*fieldpath.Set, error) {
		if !of(by.Role) {
			return nil, nil
		}
		return FromFields(fields)
	})
	o.Entries = slices.DeleteFunc(o.Entries, func(e Entry) bool { return !of(e.Role) })
	return o
}

func read(object map[string]any, setOf func(by Writer, fields any) (*fieldpath.Set, error)) Owners {
	metadata, _ := object["metadata"].(map[string]any)
	switch list := metadata["managedFields"].(type) {
	case nil:
		return Owners{}
	case []any:
		o := Owners{Entries: make([]Entry, len(list))}
		for i, v := range list {
			o.Entries[i] = decode(i, v, setOf)
		}
		return o
	default:
		return Owners{Err: errNotList}
	}
}

// After is Of for the next state of an object: entries that still have the same fields
// share their set, which is not read again. A server has one entry of each writer; of
// several the last counts.
func (o Owners) After(before, object map[string]any) Owners {
	type known struct {
		fields any
		set    *fieldpath.Set
	}
	metadata, _ := before["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	of := make(map[Writer]known, len(o.Entries))
	for _, e := range o.Entries {
		if e.Err == nil && e.Index < len(list) {
			entry, _ := list[e.Index].(map[string]any)
			of[e.Writer] = known{entry["fieldsV1"], e.Set}
		}
	}
	return read(object, func(by Writer, fields any) (*fieldpath.Set, error) {
		if k := of[by]; sameFields(k.fields, fields) {
			return k.set, nil
		}
		return FromFields(fields)
	})
}

// Listed gives the roles of the managed fields entries of an object, in their order,
// without reading what they own: those that cannot be read are among them.
func Listed(object map[string]any) []Role {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	var roles []Role
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			r := reader{from: m}
			roles = append(
				roles,
				Role{Manager: r.text("manager"), Operation: r.text("operation"), Subresource: r.text("subresource")},
			)
		}
	}
	return roles
}

// Readable are the entries without error, in their order.
func (o Owners) Readable() []Entry {
	return slices.DeleteFunc(slices.Clone(o.Entries), func(e Entry) bool { return e.Err != nil })
}

// Broken are the entries with an error, in their order.
func (o Owners) Broken() []Entry {
	return slices.DeleteFunc(slices.Clone(o.Entries), func(e Entry) bool { return e.Err == nil })
}

// Set is the union of all entries; empty, never nil, when there is none.
func (o Owners) Set() *fieldpath.Set {
	sets := make([]*fieldpath.Set, len(o.Entries))
	for i, e := range o.Entries {
		sets[i] = e.Set
	}
	return Union(sets...)
}

// Union is what any of the sets has; empty, never nil, without sets. It joins halves:
// joining one after the other would be quadratic.
func Union(sets ...*fieldpath.Set) *fieldpath.Set {
	switch half := len(sets) / 2; len(sets) {
	case 0:
		return fieldpath.NewSet()
	case 1:
		return sets[0]
	default:
		return Union(sets[:half]...).Union(Union(sets[half:]...))
	}
}

// Roles gives what each role owns, over all API versions.
func (o Owners) Roles() map[Role]*fieldpath.Set {
	sets := map[Role][]*fieldpath.Set{}
	for _, e := range o.Readable() {
		sets[e.Role] = append(sets[e.Role], e.Set)
	}
	out := make(map[Role]*fieldpath.Set, len(sets))
	for role, of := range sets {
		out[role] = Union(of...)
	}
	return out
}

// At are the entries that own exactly this path, sorted by writer. Owning a
// parent is not owning the path.
func (o Owners) At(path fieldpath.Path) []Entry {
	out := slices.DeleteFunc(o.Readable(), func(e Entry) bool { return !e.Set.Has(path) })
	slices.SortStableFunc(out, func(a, b Entry) int { return a.Writer.Compare(b.Writer) })
	return out
}

// Index is At for many paths: all entries are gone through once.
func (o Owners) Index() func(fieldpath.Path) []Entry {
	claims := o.claims()
	byPath := func(a, b claim) int { return a.path.Compare(b.path) }
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Or(byPath(a, b), a.by.Writer.Compare(b.by.Writer)) })
	return func(path fieldpath.Path) []Entry {
		var out []Entry
		at, _ := slices.BinarySearchFunc(claims, claim{path: path}, byPath)
		for ; at < len(claims) && claims[at].path.Equals(path); at++ {
			out = append(out, claims[at].by)
		}
		return out
	}
}

// Field are the owned paths that the server writes as field; several, as
// .metadata.labels.a.b is the label "a.b" or a field below the label "a".
func (o Owners) Field(field string) []Owned {
	return slices.DeleteFunc(o.Paths(), func(p Owned) bool { return p.Field != field })
}

// Paths are all owned paths, sorted by field, then path.
func (o Owners) Paths() []Owned {
	var out []Owned
	for _, claim := range o.claims() {
		if n := len(out); n > 0 && out[n-1].Field == claim.field && out[n-1].Path.Equals(claim.path) {
			out[n-1].By = append(out[n-1].By, claim.by)
			continue
		}
		out = append(out, Owned{Path: claim.path, Field: claim.field, By: []Entry{claim.by}})
	}
	return out
}

// Shared are the paths with more than one role, sorted by field.
func (o Owners) Shared() []Owned {
	return slices.DeleteFunc(o.Paths(), func(p Owned) bool {
		return !slices.ContainsFunc(p.By, func(e Entry) bool { return e.Role != p.By[0].Role })
	})
}

// Stale are the paths that are owned though the object does not have them,
// sorted by field. Entries at another API version than the object's may be
// reported stale where the versions differ in form.
func (o Owners) Stale(object map[string]any, shape Shape) []Owned {
	var find Finder
	return slices.DeleteFunc(o.Paths(), func(p Owned) bool { return find.Has(shape, object, p.Path) })
}

type claim struct {
	path  fieldpath.Path
	field string
	by    Entry
}

// claims are the claims of all entries, sorted by field, path, writer, entry.
func (o Owners) claims() []claim {
	var out []claim
	for _, e := range o.Entries {
		e.Set.Iterate(func(p fieldpath.Path) {
			path := p.Copy()
			out = append(out, claim{path: path, field: path.String(), by: e})
		})
	}
	slices.SortStableFunc(out, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(a.field, b.field),
			a.path.Compare(b.path),
			a.by.Writer.Compare(b.by.Writer),
		)
	})
	return out
}

// Share counts the fields of a set, and those of them that an entry's set owns.
func Share(entry, of *fieldpath.Set) (owned, all int) {
	of.Leaves().Iterate(func(p fieldpath.Path) {
		all++
		if Covers(entry, p) {
			owned++
		}
	})
	return owned, all
}
