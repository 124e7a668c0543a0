// Package owners says, field by field, who owns a live object: the data behind
// every view of its ownership.
//
// The pipeline: New walks the object and its managed fields entries together
// (walk.go; items.go finds the item that a path element means), and gives a
// tree of fields with the entries that claim each, and the claims that no
// value stands for. Select prunes it by a filter, Summaries counts
// it by entry, DocumentOf makes the JSON document of it.
//
// The law: every path of every readable entry is a claim of exactly the fields
// that it names, or a stale claim; and a field has no other claims. Owning a
// map or an item is not owning what is in it, as in the server.
package owners

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Object is the ownership of one live object.
type Object struct {
	Target report.Target
	Source report.Source
	// Entries are the managed fields entries in their order, the unreadable
	// ones (with Err) included. Empty means that the object came without.
	Entries []managedfields.Entry
	// Err says that metadata.managedFields is no list at all.
	Err error
	// Root is the object itself, without metadata.managedFields.
	Root *Field
	// Stale are the claimed paths that the object does not have, sorted.
	Stale []*Field
	// Counts are those of the whole object, whatever was selected since.
	Counts Counts
	// Deduced is true when the kind's merge type is not known: then lists are
	// cut as the entries cut them.
	Deduced bool
}

// Counts are numbers of fields at the end of a path: scalars, and maps and
// lists that are one field. Repeated items count once.
type Counts struct {
	Owned   int `json:"owned"`
	Shared  int `json:"shared"`
	Unowned int `json:"unowned"`
	Stale   int `json:"stale"`
}

// New attributes the fields of an object to the entries of its managed
// fields. The zero shape stands for a kind whose merge type is not known. The
// object is shared, and must not change afterwards; nil has no fields.
func New(target report.Target, source report.Source, object map[string]any, shape managedfields.Shape) *Object {
	owners := managedfields.Of(object)
	w := &walker{stale: map[string]*Field{}}
	o := &Object{
		Target: target, Source: source,
		Entries: owners.Entries, Err: owners.Err,
		Deduced: shape == managedfields.Shape{},
	}
	var threads []thread
	for i, e := range o.Entries {
		if e.Err == nil {
			threads = append(threads, thread{entry: i, set: e.Set})
		}
	}
	o.Root = &Field{}
	w.fill(o.Root, object, shape, threads)
	o.Stale = w.staleFields()
	o.count()
	return o
}

// Writer is the identity of the entry that a claim is of.
func (o *Object) Writer(c Claim) managedfields.Writer { return o.Entries[c.Entry].Writer }

// Shared reports whether the field has claims of several roles. Entries of one
// role at several API versions are one owner.
func (o *Object) Shared(f *Field) bool {
	for _, c := range f.Claims {
		if o.Writer(c).Role != o.Writer(f.Claims[0]).Role {
			return true
		}
	}
	return false
}

func (o *Object) count() {
	seen := fieldpath.NewSet()
	o.Root.Each(func(f *Field) {
		if !f.End || f.Repeated && seen.Has(f.Path) {
			return
		}
		if f.Repeated {
			seen.Insert(f.Path)
		}
		switch f.State {
		case Owned:
			o.Counts.Owned++
			if o.Shared(f) {
				o.Counts.Shared++
			}
		case Unowned:
			o.Counts.Unowned++
		}
	})
	o.Counts.Stale = len(o.Stale)
}
