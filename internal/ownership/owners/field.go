package owners

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

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
