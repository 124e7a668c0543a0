package owners

import (
	"cmp"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// thread is the part of one entry's set that is below a field. An entry may
// have several where keys of two claims mean one item.
type thread struct {
	entry int
	// path is the claimed path, which may spell an item's key in another way
	// than the object does.
	path fieldpath.Path
	set  *fieldpath.Set
}

// walker builds the tree, and collects the claims that have no value.
type walker struct {
	stale map[string]*Field
}

// fill completes a field whose path and claims are set already.
func (w *walker) fill(f *Field, v any, shape managedfields.Shape, threads []thread) {
	switch v := v.(type) {
	case map[string]any:
		if f.Repeated || len(f.Path) > 0 && oneField(f, v, shape, threads) {
			w.whole(f, v, len(v), threads)
			return
		}
		w.fillMap(f, v, shape, threads)
	case []any:
		cut, ok := cutList(v, shape, threads)
		if f.Repeated || len(v) == 0 || !ok {
			w.whole(f, v, len(v), threads)
			return
		}
		w.fillList(f, v, shape, threads, cut)
	default:
		f.End, f.Value = true, v
		w.missing(threads)
		f.settle()
	}
}

// oneField reports whether a map is owned as a whole. Where no type says so, it
// is when it is claimed and nothing in it is; metadata is the same in all
// kinds, and has no such maps.
func oneField(f *Field, m map[string]any, shape managedfields.Shape, threads []thread) bool {
	if len(m) == 0 || shape.AtomicMap() {
		return true
	}
	if shape != (managedfields.Shape{}) || f.Item {
		return false
	}
	return len(f.Claims) > 0 && len(threads) == 0 && *f.Path[0].FieldName != "metadata"
}

// whole makes the field an end. Claims below it are claims inside it, but for
// an empty value, in which there is nothing.
func (w *walker) whole(f *Field, v any, contents int, threads []thread) {
	f.End, f.Value = true, v
	if f.Whole = contents > 0; !f.Whole {
		w.missing(threads)
		f.settle()
		return
	}
	has := make(map[int]bool, len(f.Claims))
	for _, c := range f.Claims {
		has[c.Entry] = true
	}
	for _, t := range threads {
		if !has[t.entry] {
			has[t.entry] = true
			f.Claims = append(f.Claims, Claim{Entry: t.entry, Inside: true})
		}
	}
	f.settle()
}

func (w *walker) fillMap(f *Field, m map[string]any, shape managedfields.Shape, threads []thread) {
	w.missing(threads, func(pe fieldpath.PathElement) bool {
		if pe.FieldName == nil {
			return false
		}
		_, ok := m[*pe.FieldName]
		return ok
	})
	of := claimsOf(threads)
	for _, key := range keysOf(f, m) {
		if key == "managedFields" && f.Name == ".metadata" {
			continue
		}
		pe := fieldpath.FieldNameElement(key)
		w.below(f, &Field{}, m[key], pe, []fieldpath.PathElement{pe}, shape.Field(key), of)
	}
	if len(f.Fields) == 0 && len(f.Path) > 0 {
		// Metadata that has nothing but managed fields.
		f.End, f.Value = true, map[string]any{}
	}
	f.settle()
}

// keysOf sorts the keys of a map; those that identify an item come first.
func keysOf(f *Field, m map[string]any) []string {
	var first []string
	if f.Item {
		if keys := f.Path[len(f.Path)-1].Key; keys != nil {
			for _, key := range *keys {
				if _, ok := m[key.Name]; ok {
					first = append(first, key.Name)
				}
			}
		}
	}
	rest := make([]string, 0, len(m))
	for key := range m {
		if !slices.Contains(first, key) {
			rest = append(rest, key)
		}
	}
	slices.Sort(rest)
	return append(first, rest...)
}

func (w *walker) fillList(f *Field, list []any, shape managedfields.Shape, threads []thread, items []item) {
	f.list = true
	claimed := map[string]bool{}
	for _, it := range items {
		for _, pe := range it.claimed {
			claimed[pe.String()] = true
		}
	}
	w.missing(threads, func(pe fieldpath.PathElement) bool { return claimed[pe.String()] })
	of := claimsOf(threads)
	for i, it := range items {
		w.below(f, &Field{Item: true, Repeated: it.repeated}, list[i], it.element, it.claimed, shape.Item(), of)
	}
	f.settle()
}

// below adds a field under its parent: pe is its place in the object, claimed
// are the path elements by which entries mean it.
func (w *walker) below(
	parent, f *Field, v any, pe fieldpath.PathElement, claimed []fieldpath.PathElement,
	shape managedfields.Shape, of claims,
) {
	f.Path = append(parent.Path.Copy(), pe)
	f.Name = f.Path.String()
	var next []thread
	owns := map[int]bool{}
	for _, c := range of.on(claimed) {
		if c.member && !owns[c.entry] {
			owns[c.entry] = true
			f.Claims = append(f.Claims, Claim{Entry: c.entry})
		}
		if c.child != nil {
			next = append(next, thread{entry: c.entry, path: append(c.path.Copy(), c.element), set: c.child})
		}
	}
	w.fill(f, v, shape, next)
	parent.Fields = append(parent.Fields, f)
}

// A claim is what one of several threads has of one path element.
type claim struct {
	thread
	// order is that of the thread.
	order   int
	element fieldpath.PathElement
	member  bool
	child   *fieldpath.Set
}

// claims are those of all threads, sorted by element, then thread: an object may have
// as many entries as fields.
type claims []claim

func claimsOf(threads []thread) claims {
	var all claims
	for i, t := range threads {
		t.set.Members.Iterate(func(pe fieldpath.PathElement) {
			all = append(all, claim{thread: t, order: i, element: pe, member: true})
		})
		t.set.Children.Iterate(func(pe fieldpath.PathElement) {
			child, _ := t.set.Children.Get(pe)
			all = append(all, claim{thread: t, order: i, element: pe, child: child})
		})
	}
	slices.SortStableFunc(all, func(a, b claim) int { return cmp.Or(a.element.Compare(b.element), a.order-b.order) })
	return all
}

// on are the claims on any of some elements, by thread.
func (c claims) on(elements []fieldpath.PathElement) claims {
	var out claims
	for _, pe := range elements {
		at, _ := slices.BinarySearchFunc(c, pe, func(c claim, pe fieldpath.PathElement) int { return c.element.Compare(pe) })
		for ; at < len(c) && c[at].element.Equals(pe); at++ {
			out = append(out, c[at])
		}
	}
	if len(elements) > 1 {
		slices.SortStableFunc(out, func(a, b claim) int { return a.order - b.order })
	}
	return out
}

// settle derives the state from the claims.
func (f *Field) settle() {
	slices.SortFunc(f.Claims, func(a, b Claim) int { return a.Entry - b.Entry })
	switch {
	case len(f.Claims) > 0:
		f.State = Owned
	case !f.End:
		f.State = Inner
	case len(f.Path) <= 2 && managedfields.Untracked(f.Path):
		f.State = Untracked
	default:
		f.State = Unowned
	}
}

// missing keeps the claims of threads whose next path element the object does
// not have. Without has, it has none of them.
func (w *walker) missing(threads []thread, has ...func(fieldpath.PathElement) bool) {
	known := func(pe fieldpath.PathElement) bool { return len(has) > 0 && has[0](pe) }
	for _, t := range threads {
		t.set.Members.Iterate(func(pe fieldpath.PathElement) {
			if !known(pe) {
				w.addStale(append(t.path.Copy(), pe), t.entry)
			}
		})
		t.set.Children.Iterate(func(pe fieldpath.PathElement) {
			if known(pe) {
				return
			}
			child, _ := t.set.Children.Get(pe)
			prefix := append(t.path.Copy(), pe)
			child.Iterate(func(p fieldpath.Path) {
				w.addStale(append(prefix.Copy(), p...), t.entry)
			})
		})
	}
}

func (w *walker) addStale(path fieldpath.Path, entry int) {
	name := path.String()
	f, ok := w.stale[name]
	if !ok {
		f = &Field{Path: path, Name: name, End: true, State: Stale}
		w.stale[name] = f
	}
	if claim := (Claim{Entry: entry}); !slices.Contains(f.Claims, claim) {
		f.Claims = append(f.Claims, claim)
	}
}

func (w *walker) staleFields() []*Field {
	var out []*Field
	for _, name := range slices.Sorted(maps.Keys(w.stale)) {
		f := w.stale[name]
		slices.SortFunc(f.Claims, func(a, b Claim) int { return a.Entry - b.Entry })
		out = append(out, f)
	}
	return out
}
