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

// State says what stands behind a field.
type State string

// The states of a field.
const (
	// Owned: at least one entry claims the field.
	Owned State = "Owned"
	// Unowned: a value that no entry claims, as those that the server fills
	// in by default.
	Unowned State = "Unowned"
	// Untracked: the server never tracks the field, such as metadata.name.
	Untracked State = "Untracked"
	// Inner: a map or list whose fields have owners, and itself has none.
	Inner State = "Inner"
	// Stale: claimed, though the object does not have it.
	Stale State = "Stale"
)

// Claim is what one entry claims of a field.
type Claim struct {
	// Entry is the index in Object.Entries.
	Entry int
	// Inside is true when the entry does not claim the field itself, which
	// is one as a whole (atomic, or repeated items), but paths inside it.
	Inside bool
}

// Field is a value of the object with its claims, or a stale claim.
type Field struct {
	// Path is where it is; empty for the object itself. Items that are
	// repeated have the same path.
	Path fieldpath.Path
	// Name is Path as the API server writes it in conflict causes.
	Name string
	// Item is true for the item of a list.
	Item bool
	// End is true when nothing below has claims of its own: scalars, empty
	// maps and lists, atomic ones, repeated items. Value is what stands there.
	End   bool
	Value any
	// Whole is true for an End that is a map or list with contents: they
	// are owned together.
	Whole bool
	// Repeated is true for each of the items that have one key.
	Repeated bool
	State    State
	// Claims are in the order of the entries.
	Claims []Claim
	// Fields are those below: of a map sorted by key, in an item of a keyed
	// list the keys first; of a list in its order.
	Fields []*Field
	// Context is true when a filter did not ask for the field, but for one
	// below.
	Context bool
	// list tells a list from a map where End is false.
	list bool
}

// List reports whether the field is a list whose items are fields.
func (f *Field) List() bool { return f.list }

// Key is the map key under which the field stands; empty for items and for
// the object itself.
func (f *Field) Key() string {
	if len(f.Path) == 0 {
		return ""
	}
	if name := f.Path[len(f.Path)-1].FieldName; name != nil && !f.Item {
		return *name
	}
	return ""
}

// Each visits the field and all below, parents first, in their order.
func (f *Field) Each(visit func(*Field)) {
	visit(f)
	for _, below := range f.Fields {
		below.Each(visit)
	}
}
