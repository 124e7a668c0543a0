package owners

import (
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
			w.whole(f, v, threads)
			return
		}
		w.fillMap(f, v, shape, threads)
	case []any:
		cut, ok := cutList(v, shape, threads)
		if f.Repeated || len(v) == 0 || !ok {
			w.whole(f, v, threads)
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
func (w *walker) whole(f *Field, v any, threads []thread) {
	f.End, f.Value = true, v
	f.Whole = !empty(v)
	if !f.Whole {
		w.missing(threads)
		f.settle()
		return
	}
	for _, t := range threads {
		if !slices.ContainsFunc(f.Claims, func(c Claim) bool { return c.Entry == t.entry }) {
			f.Claims = append(f.Claims, Claim{Entry: t.entry, Inside: true})
		}
	}
	f.settle()
}

func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func (w *walker) fillMap(f *Field, m map[string]any, shape managedfields.Shape, threads []thread) {
	w.missing(threads, func(pe fieldpath.PathElement) bool {
		if pe.FieldName == nil {
			return false
		}
		_, ok := m[*pe.FieldName]
		return ok
	})
	for _, key := range keysOf(f, m) {
		if key == "managedFields" && f.Name == ".metadata" {
			continue
		}
		pe := fieldpath.FieldNameElement(key)
		w.below(f, &Field{}, m[key], pe, []fieldpath.PathElement{pe}, shape.Field(key), threads)
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
	for i, it := range items {
		w.below(f, &Field{Item: true, Repeated: it.repeated}, list[i], it.element, it.claimed, shape.Item(), threads)
	}
	f.settle()
}

// below adds a field under its parent: pe is its place in the object, claimed
// are the path elements by which entries mean it.
func (w *walker) below(
	parent, f *Field, v any, pe fieldpath.PathElement, claimed []fieldpath.PathElement,
	shape managedfields.Shape, threads []thread,
) {
	f.Path = append(parent.Path.Copy(), pe)
	f.Name = f.Path.String()
	var next []thread
	for _, t := range threads {
		for _, c := range claimed {
			if t.set.Members.Has(c) && !slices.Contains(f.Claims, Claim{Entry: t.entry}) {
				f.Claims = append(f.Claims, Claim{Entry: t.entry})
			}
			if child, ok := t.set.Children.Get(c); ok {
				next = append(next, thread{entry: t.entry, path: append(t.path.Copy(), c), set: child})
			}
		}
	}
	w.fill(f, v, shape, next)
	parent.Fields = append(parent.Fields, f)
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
