package owners

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
)

// DocumentKind is that of the document of a run.
const DocumentKind = "Owners"

// Answer is what a run found out: objects, and which of their fields are asked
// for.
type Answer struct {
	Objects []*Object
	Filter  Filter
	report.Ending
}

// Managers are the field managers of all objects, in their order, each once.
func (a Answer) Managers() []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range a.Objects {
		for _, name := range o.Managers() {
			if !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// Document is the ownership of objects as other programs read it. Keys may be
// added; none is renamed or retyped without a new API version.
type Document struct {
	report.Head
	Objects []ObjectDocument `json:"objects"`
	report.Ending
}

// ObjectDocument is one object. Its lists are never null.
type ObjectDocument struct {
	Target report.Target `json:"target"`
	Source report.Source `json:"source"`
	// Tracked is false for an object without managed fields entries.
	Tracked bool   `json:"tracked"`
	Counts  Counts `json:"counts"`
	// Managers are the readable entries, in their order.
	Managers []ManagerDocument `json:"managers"`
	// Unreadable are the others.
	Unreadable []UnreadableDocument `json:"unreadable"`
	// Fields are the ends, and the maps and items that are claimed
	// themselves, in the order of the object; then the stale claims.
	Fields []FieldDocument `json:"fields"`
}

// ManagerDocument is an entry with its numbers.
type ManagerDocument struct {
	report.Writer
	Fields int      `json:"fields"`
	Shared int      `json:"shared"`
	Stale  int      `json:"stale"`
	Roots  []string `json:"roots"`
}

// UnreadableDocument is an entry that cannot be read.
type UnreadableDocument struct {
	// Index counts from 0 in metadata.managedFields; -1 stands for all.
	Index   int    `json:"index"`
	Manager string `json:"manager,omitempty"`
	Error   string `json:"error"`
}

// FieldDocument is one field with its owners.
type FieldDocument struct {
	Field string `json:"field"`
	State State  `json:"state"`
	// Value is absent for maps and items whose fields have owners of their
	// own, and for stale claims. Of repeated items it is the list of them.
	Value    *any            `json:"value,omitempty"`
	Shared   bool            `json:"shared"`
	Repeated bool            `json:"repeated,omitempty"`
	Managers []OwnerDocument `json:"managers"`
}

// OwnerDocument is a claim.
type OwnerDocument struct {
	report.Writer
	// Inside is true when only paths inside the field are claimed.
	Inside bool `json:"inside,omitempty"`
}

// Document is that of what is asked for.
func (a Answer) Document() Document {
	run := report.Run{Ending: a.Ending}
	d := Document{Head: run.Head(DocumentKind), Objects: []ObjectDocument{}, Ending: a.Ending}
	for _, o := range a.Objects {
		d.Objects = append(d.Objects, o.Select(a.Filter).document())
	}
	return d
}

func (o *Object) document() ObjectDocument {
	d := ObjectDocument{
		Target: o.Target, Source: o.Source,
		Tracked: len(o.Entries) > 0, Counts: o.Counts,
		Managers: []ManagerDocument{}, Unreadable: []UnreadableDocument{}, Fields: []FieldDocument{},
	}
	for _, s := range o.Summaries() {
		d.Managers = append(d.Managers, ManagerDocument{
			Writer: report.WriterOf(o.Entries[s.Entry]), Fields: s.Fields, Shared: s.Shared, Stale: s.Stale,
			Roots: append([]string{}, s.Roots...),
		})
	}
	if o.Err != nil {
		d.Unreadable = append(d.Unreadable, UnreadableDocument{Index: -1, Error: o.Err.Error()})
	}
	for _, e := range o.Entries {
		if e.Err != nil {
			d.Unreadable = append(d.Unreadable, UnreadableDocument{e.Index, e.Manager, e.Err.Error()})
		}
	}
	for _, f := range o.Rows() {
		d.Fields = append(d.Fields, o.field(f))
	}
	return d
}

func (o *Object) field(f *Field) FieldDocument {
	d := FieldDocument{
		Field: f.Name, State: f.State, Shared: o.Shared(f),
		Repeated: f.Repeated, Managers: []OwnerDocument{},
	}
	if f.End && f.State != Stale {
		d.Value = &f.Value
	}
	for _, c := range f.Claims {
		d.Managers = append(d.Managers, OwnerDocument{report.WriterOf(o.Entries[c.Entry]), c.Inside})
	}
	return d
}

// Rows are the selected fields as a list: ends that the server tracks, and
// maps and items that are claimed themselves, in the order of the object;
// then the stale claims. Repeated items are one row, with the list of them as
// value.
func (o *Object) Rows() []*Field {
	var out []*Field
	first := map[string]*Field{}
	o.Root.Each(func(f *Field) {
		row := first[f.Name]
		switch {
		case f.Context || f.State == Inner || f.State == Untracked:
		case !f.Repeated:
			out = append(out, f)
		case row != nil:
			row.Value = append(row.Value.([]any), f.Value)
		default:
			whole := *f
			whole.Value = []any{f.Value}
			first[f.Name] = &whole
			out = append(out, &whole)
		}
	})
	return append(out, o.Stale...)
}

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
			for _, root := range t.roots {
				t.summary.Roots = append(t.summary.Roots, root.String())
			}
			out = append(out, t.summary)
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
	// Metadata itself is no root: two paths in it must share a key of it too.
	depth := 1
	if len(path) > 1 && path[0].FieldName != nil && *path[0].FieldName == "metadata" {
		depth = 2
	}
	for i, root := range t.roots {
		n := 0
		for n < len(root) && n < len(path) && root[n].Equals(path[n]) {
			n++
		}
		if n >= depth {
			t.roots[i] = root[:n]
			return
		}
	}
	t.roots = append(t.roots, path)
}
