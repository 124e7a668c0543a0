package compare

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// moves are the fields with other owners than before, sorted by field.
func moves(q Request, before, after managedfields.Owners) []Move {
	var out []Move
	var find managedfields.Finder
	was, is := before.Paths(), after.Paths()
	for len(was)+len(is) > 0 {
		a, b := head(was, is)
		was, is = was[len(a):], is[len(b):]
		path := slices.Concat(a, b)[0].Path
		if !q.Status && len(path) > 0 && path[0].FieldName != nil && *path[0].FieldName == "status" {
			continue
		}
		m, moved := move(a, b)
		switch {
		case !moved:
			continue
		case m.Kind == Claimed && !find.Has(q.Shape, q.Before.Object, path):
			m.Kind = Came // with the field
		case m.Kind == Unowned && !find.Has(q.Shape, q.After.Object, path):
			m.Kind = Gone
		}
		m.Field = path.String()
		out = append(out, m)
	}
	return out
}

// head takes what both lists say first of one path: one element of each, or of
// the list that has it.
func head(was, is []managedfields.Owned) (a, b []managedfields.Owned) {
	switch {
	case len(was) == 0:
		return nil, is[:1]
	case len(is) == 0:
		return was[:1], nil
	}
	switch cmp.Or(cmp.Compare(was[0].Field, is[0].Field), was[0].Path.Compare(is[0].Path)) {
	case -1:
		return was[:1], nil
	case 1:
		return nil, is[:1]
	}
	return was[:1], is[:1]
}

// move compares the owners of one path; either list may be empty.
func move(a, b []managedfields.Owned) (Move, bool) {
	was, is := ownersOf(a), ownersOf(b)
	m := Move{From: without(was, is), To: without(is, was)}
	switch stayed := len(was) - len(m.From); {
	case len(m.From)+len(m.To) == 0:
		return m, false
	case len(was) == 0:
		m.Kind = Claimed
	case len(is) == 0:
		m.Kind = Unowned
	case len(m.To) == 0:
		m.Kind = Left
	case stayed > 0 && len(m.From) == 0:
		m.Kind = Joined
	default:
		m.Kind = Taken
	}
	return m, true
}

// ownersOf are the entries that own a path, one for each role.
func ownersOf(owned []managedfields.Owned) []managedfields.Entry {
	if len(owned) == 0 {
		return nil
	}
	return slices.CompactFunc(slices.Clone(owned[0].By), sameRole)
}

func sameRole(a, b managedfields.Entry) bool { return a.Role == b.Role }

// without are the writers of a whose role is not among those of b.
func without(a, b []managedfields.Entry) []report.Writer {
	var out []report.Writer
	for _, e := range a {
		if !slices.ContainsFunc(b, func(o managedfields.Entry) bool { return sameRole(e, o) }) {
			out = append(out, report.WriterOf(e))
		}
	}
	return out
}

// entries are those that only one side has, by role: an entry that moved to
// another API version is neither lost nor won.
func entries(before, after managedfields.Owners) []Entry {
	out := append(only(before, after, EntryRemoved), only(after, before, EntryAdded)...)
	slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(a.Manager, b.Manager) })
	return out
}

func only(a, b managedfields.Owners, kind EntryKind) []Entry {
	there := b.Roles()
	var out []Entry
	for _, e := range a.Readable() {
		if _, has := there[e.Role]; !has {
			out = append(out, Entry{Writer: report.WriterOf(e), Kind: kind, Fields: e.Set.Size()})
		}
	}
	return out
}

// wrote are the entries of after that own a path, or what it is in, and were
// written since before.
func wrote(path fieldpath.Path, before, after managedfields.Owners) []report.Writer {
	var out []report.Writer
	for _, e := range after.Readable() {
		asBefore := func(b managedfields.Entry) bool {
			return sameRole(e, b) && e.Time != nil && b.Time != nil && e.Time.Equal(*b.Time)
		}
		if managedfields.Covers(e.Set, path) && !slices.ContainsFunc(before.Entries, asBefore) {
			out = append(out, report.WriterOf(e))
		}
	}
	return out
}
