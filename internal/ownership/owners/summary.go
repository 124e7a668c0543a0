package owners

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

// Summary is what one entry claims, in numbers.
type Summary struct {
	// Entry is the index in Object.Entries.
	Entry int
	// Fields counts the leaves that the entry claims; Shared of them have
	// other owners too. Stale counts claims without a value.
	Fields, Shared, Stale int
	// Roots are the shortest paths that hold all claims, in the order of the
	// object: one below each key of the object and of its metadata.
	Roots []string
}

// Summaries counts the selected fields by entry, in the order of the entries.
// Entries that cannot be read have none; those that claim nothing of what is
// selected have zeros.
func (o *Object) Summaries() []Summary {
	at := map[int]*tally{}
	var out []Summary
	for i, e := range o.Entries {
		if e.Err == nil {
			at[i] = &tally{summary: Summary{Entry: i}}
		}
	}
	seen := fieldpath.NewSet()
	o.Root.Each(func(f *Field) {
		if f.Context || f.Repeated && seen.Has(f.Path) {
			return
		}
		if f.Repeated {
			seen.Insert(f.Path)
		}
		for _, c := range f.Claims {
			at[c.Entry].add(f, o.Shared(f))
		}
	})
	for _, f := range o.Stale {
		for _, c := range f.Claims {
			at[c.Entry].summary.Stale++
			at[c.Entry].root(f.Path)
		}
	}
	for i := range o.Entries {
		if t, ok := at[i]; ok {
			out = append(out, t.done())
		}
	}
	return out
}

// tally counts for one entry.
type tally struct {
	summary Summary
	roots   []fieldpath.Path
}

func (t *tally) add(f *Field, shared bool) {
	t.root(f.Path)
	if !f.End {
		return
	}
	t.summary.Fields++
	if shared {
		t.summary.Shared++
	}
}

// root shortens the root under the same key to what it has in common with the
// path.
func (t *tally) root(path fieldpath.Path) {
	for i, root := range t.roots {
		if n := common(root, path); n >= groupDepth(path) {
			t.roots[i] = root[:n]
			return
		}
	}
	t.roots = append(t.roots, path)
}

// groupDepth is how many path elements two paths must share to have a root in
// common: metadata itself is nobody's.
func groupDepth(path fieldpath.Path) int {
	if len(path) > 1 && path[0].FieldName != nil && *path[0].FieldName == "metadata" {
		return 2
	}
	return 1
}

func common(a, b fieldpath.Path) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Equals(b[n]) {
		n++
	}
	return n
}

func (t *tally) done() Summary {
	for _, root := range t.roots {
		t.summary.Roots = append(t.summary.Roots, root.String())
	}
	return t.summary
}
