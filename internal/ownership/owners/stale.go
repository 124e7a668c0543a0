package owners

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

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
