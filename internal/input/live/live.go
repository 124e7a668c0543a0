// Package live holds the live objects of a run: read from files and dumps of
// any size, one object at a time, and indexed by group, kind, namespace and
// name. Only the wanted ones are kept; the others are counted.
package live

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/packed"
)

// Options says which live objects are kept.
type Options struct {
	// Once: no object may be there twice. Without it, copies that say the same are one
	// object, as where two dumps overlap.
	Once bool
	// Input says how files are read; its Want is set by Load.
	Input manifest.Options
	// KeyOf gives the key of an identity; nil means KeyOf of this package.
	// Namespace defaulting belongs here.
	KeyOf func(manifest.Identity) Key
	// Want reports whether a manifest names the object; nil keeps all.
	Want func(Key) bool
	// Match reports whether a document is wanted by what it says; nil wants all.
	// It does not affect what is kept.
	Match func(manifest.Document) bool
	// Wrong says why no cluster has an object of an identity, which may be meant for one
	// that is wanted or kept; nil for all others. Such an input is a problem, as is one
	// without a name.
	Wrong func(manifest.Identity) error
	// Keep reports which objects are kept besides (CustomResourceDefinitions,
	// PriorityClasses); nil means none. They do not count as unmatched.
	Keep func(manifest.Identity) bool
	// Defer reports which of the objects that are kept and not wanted are read when
	// somebody asks for what they say, and not before; nil means none.
	Defer func(manifest.Identity) bool
	// Light reports which of the objects that are kept are held as wanted ones are, by
	// HoldBytes: only their Decode says what they have. Nil means none.
	Light func(manifest.Identity) bool
	// Spare reports which objects are held though they are neither wanted nor kept: see
	// Index.Spare. They count as unmatched. Nil means none.
	Spare func(manifest.Identity) bool
	// Later reports which objects have no key yet, since what defines their kind
	// may come after them; nil means none. They wait for Settle.
	Later func(manifest.Identity) bool
	// HoldBytes is how much is held as it is: the JSON of objects that are wanted or kept
	// light. What comes after is held packed (internal/packed). Of wanted objects and
	// light ones nothing but the JSON is held.
	// Objects that are wanted and kept, and not light, count but are never packed, since
	// those who ask for what is kept read its text; others that are kept stay as they are.
	// 0 means that all documents stay as they are.
	HoldBytes int
	// Amend, when not nil, gives each object that is wanted or kept as it is to be.
	Amend func(manifest.Document) manifest.Document
	// OnUnmatched, when not nil, is given each object that is neither wanted
	// nor kept, in the order of the input.
	OnUnmatched func(manifest.Identity, Key)
}

// Index is what was read.
type Index struct {
	opts      Options
	objects   map[Key]*Object
	others    map[Key]*Object // kept and spare ones
	refused   map[Key]error
	kept      []*Object
	spare     []*Object
	waiting   []manifest.Document
	unmatched int
	held      int
	numbered  int
	store     packed.Store
	buffer    []byte // of bare, used again and again
}

// New gives an empty index.
func New(opts Options) *Index {
	return &Index{
		opts:    opts.withDefaults(),
		objects: map[Key]*Object{},
		others:  map[Key]*Object{},
		refused: map[Key]error{},
	}
}

// withDefaults are the options with what their nil functions mean.
func (o Options) withDefaults() Options {
	for _, f := range []*func(manifest.Identity) bool{&o.Keep, &o.Defer, &o.Light, &o.Spare, &o.Later} {
		if *f == nil {
			*f = func(manifest.Identity) bool { return false }
		}
	}
	if o.KeyOf == nil {
		o.KeyOf = KeyOf
	}
	if o.Want == nil {
		o.Want = func(Key) bool { return true }
	}
	if o.Match == nil {
		o.Match = func(manifest.Document) bool { return true }
	}
	if o.Wrong == nil {
		o.Wrong = func(manifest.Identity) error { return nil }
	}
	if o.Amend == nil {
		o.Amend = func(d manifest.Document) manifest.Document { return d }
	}
	if o.OnUnmatched == nil {
		o.OnUnmatched = func(manifest.Identity, Key) {}
	}
	return o
}

// Load reads the live objects of paths. Problems are in the order of the
// input, duplicates among them; the index has everything that could be read.
func Load(paths []string, opts Options) (*Index, []error) {
	x := New(opts)
	input := opts.Input
	input.Want, input.OnSkip, input.Defer = x.wanted, x.skip, x.defers
	var problems []error
	for document, err := range manifest.Read(paths, input) {
		if err == nil {
			err = x.put(document)
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	return x, problems
}

// Add puts a document that was read elsewhere into the index, if it is wanted
// or kept. The error is that of Load.
func (x *Index) Add(d manifest.Document) error {
	if !x.wanted(d.Identity) {
		x.skip(d.Identity)
		return nil
	}
	return x.put(d)
}

// Settle ends the reading: it gives their keys to the objects that wait. What
// is added later is kept, whatever it is. The errors are those of Load.
func (x *Index) Settle(keyOf func(manifest.Identity) Key) []error {
	waiting := x.waiting
	x.opts.KeyOf, x.opts.Later, x.waiting = keyOf, func(manifest.Identity) bool { return false }, nil
	var problems []error
	for _, d := range waiting {
		if err := x.Add(d); err != nil {
			problems = append(problems, err)
		}
	}
	x.opts = Options{KeyOf: keyOf, Match: x.opts.Match, Amend: x.opts.Amend}.withDefaults()
	return problems
}

// wanted reports whether a document is read, and put into the index.
func (x *Index) wanted(id manifest.Identity) bool {
	o := x.opts
	return o.Later(id) || id.Name == "" || o.Wrong(id) != nil || o.Want(o.KeyOf(id)) || o.Keep(id) || o.Spare(id)
}

// defers reports whether an object is kept only, and may be read later.
func (x *Index) defers(id manifest.Identity) bool {
	return x.opts.Defer(id) && !x.opts.Later(id) && !x.opts.Want(x.opts.KeyOf(id))
}

// skip counts an object that is not wanted.
func (x *Index) skip(id manifest.Identity) {
	x.unmatched++
	x.opts.OnUnmatched(id, x.opts.KeyOf(id))
}

// put has an object wait for its key, or puts it into the index.
func (x *Index) put(d manifest.Document) error {
	if x.opts.Later(d.Identity) {
		x.waiting = append(x.waiting, d)
		return nil
	}
	err := x.opts.Wrong(d.Identity)
	if d.Name == "" {
		err = errors.New(d.Nameless())
	}
	if err != nil {
		return &manifest.Problem{Source: d.Source, Item: d.Item, Op: "read", Err: err}
	}
	d = x.opts.Amend(d)
	x.numbered++
	o := &Object{Document: d, Key: x.opts.KeyOf(d.Identity), ManagedFields: d.HasManagedFields(), number: x.numbered}
	if first := cmp.Or(x.objects[o.Key], x.others[o.Key]); first != nil {
		if !x.opts.Once && x.refused[o.Key] == nil && x.isCopy(first, o) {
			return nil
		}
		return x.refuse(o.Key, &DuplicateError{Key: o.Key, First: first.Source, Second: d.Source})
	}
	if owned := entriesBytes(d); owned > maxStored {
		err := fmt.Errorf(
			"%s has managed fields entries of %d bytes, and no API server can store an object of more than %d",
			o.Key, owned, maxStored,
		)
		return x.refuse(o.Key, &manifest.Problem{Source: d.Source, Item: d.Item, Op: "read", Err: err})
	}
	x.index(o)
	return nil
}

// index puts an object to those that are wanted, kept or spare, and holds of it what its
// place there needs.
func (x *Index) index(o *Object) {
	kept, matches, wanted := x.opts.Keep(o.Identity), x.opts.Match(o.Document), x.opts.Want(o.Key)
	switch {
	case kept:
		x.others[o.Key] = o
		x.kept = append(x.kept, o)
	case !wanted:
		x.others[o.Key] = o
		x.spare = append(x.spare, o)
		x.skip(o.Identity)
		x.hold(o)
		return
	}
	if matches && wanted {
		x.objects[o.Key] = o
	}
	light := !kept || x.opts.Light(o.Identity)
	switch {
	case x.opts.HoldBytes == 0, o.Deferred():
	case light && (matches || kept):
		x.hold(o)
	case x.objects[o.Key] == o:
		o.Document = x.bare(o.Document)
		x.held += len(o.Raw)
	}
}

// isCopy reports whether an object is the first one of its key, which is there already. It may be
// at another API version, or the only one with its managed fields, which then counts.
func (x *Index) isCopy(first, o *Object) bool {
	if bytes.Equal(first.JSON(), o.JSON()) {
		return true
	}
	one, err := first.Decode()
	other, otherErr := o.Decode()
	switch {
	case err != nil || otherErr != nil || !reflect.DeepEqual(one, other) && !sameState(one, other):
		return false
	case o.ManagedFields && !first.ManagedFields:
		if x.opts.HoldBytes > 0 {
			o.Document = x.bare(o.Document)
		}
		first.Document, first.ManagedFields, first.packed = o.Document, true, packed.JSON{}
	}
	return true
}

func (x *Index) refuse(key Key, err error) error {
	x.refused[key] = err
	return err
}

// hold keeps of an object what is needed to answer for it, packed once there is much.
func (x *Index) hold(o *Object) {
	d := x.bare(o.Document)
	if x.held += len(d.Raw); x.held > x.opts.HoldBytes {
		o.packed, d.Raw = x.store.Put(d.Raw, manifest.PlaceOf(d.Identity)), nil
	}
	o.Document = d
}

// bare is a document with nothing but its JSON, and none of the white space that kubectl
// indents that by: all who look into the text pass it faster.
func (x *Index) bare(d manifest.Document) manifest.Document {
	text := d.JSON()
	if d.Format == manifest.JSON {
		x.buffer = jsontree.AppendCompact(x.buffer[:0], text)
		text = bytes.Clone(x.buffer)
	}
	return d.Replaced(text)
}

// Get gives the live object of a key: nil without an error when there is none, a
// *DuplicateError when there are two, a *manifest.Problem when it is none that a server
// could have.
func (x *Index) Get(key Key) (*Object, error) {
	if err := x.refused[key]; err != nil {
		return nil, err
	}
	return x.objects[key], nil
}

// Objects gives the wanted objects, sorted by key.
func (x *Index) Objects() []*Object {
	texts := make(map[*Object]string, len(x.objects))
	for key, o := range x.objects {
		texts[o] = key.String()
	}
	return slices.SortedFunc(maps.Keys(texts), func(a, b *Object) int {
		return strings.Compare(texts[a], texts[b])
	})
}

// All gives the wanted objects, in no order.
func (x *Index) All() iter.Seq[*Object] { return maps.Values(x.objects) }

// Kept gives what Options.Keep asked for, in the order of the input.
func (x *Index) Kept() []*Object { return x.kept }

// Spare gives what Options.Spare asked for, in the order of the input.
func (x *Index) Spare() []*Object { return x.spare }

// Hold takes the spare objects of another reading of the same inputs for its own.
func (x *Index) Hold(again *Index) { x.spare = again.spare }

// For is the index for other manifests, of the same objects: which of them are wanted is for
// the caller to say; the others are spare.
func (x *Index) For(want func(Key) bool) *Index {
	out := New(Options{KeyOf: x.opts.KeyOf, Match: x.opts.Match, Amend: x.opts.Amend})
	out.refused, out.kept = x.refused, x.kept
	for _, o := range x.kept {
		out.others[o.Key] = o
		if want(o.Key) {
			out.objects[o.Key] = o
		}
	}
	for _, o := range slices.Concat(slices.Collect(x.All()), x.spare) {
		switch {
		case out.others[o.Key] != nil:
		case want(o.Key):
			out.objects[o.Key] = o
		default:
			out.others[o.Key] = o
			out.spare = append(out.spare, o)
			out.unmatched++
		}
	}
	slices.SortFunc(out.spare, func(a, b *Object) int { return cmp.Compare(a.number, b.number) })
	return out
}

// Unmatched counts the objects that were neither wanted nor kept.
func (x *Index) Unmatched() int { return x.unmatched }
