package engine

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/apicall"
	"github.com/ssactl/ssactl/internal/ownership"
)

// fieldOwners tells every owned path with its owners.
func fieldOwners(o ownership.Owners) []FieldOwners {
	out := []FieldOwners{}
	for _, p := range o.Paths() {
		f := FieldOwners{Field: p.Field}
		for _, e := range p.By {
			f.Managers = append(f.Managers, writerOf(e))
		}
		out = append(out, f)
	}
	return out
}

// transfers compares what each role owns before and after the write. API
// versions and times do not count: an entry that only moves to another
// version wins and loses nothing but the paths that differ there.
//
//	before  after           the field       told
//	-       a               stays           a Acquired
//	b       a, b            stays           a Shared
//	a       -               stays           a Relinquished, if a made the write
//	b       a               stays           a Acquired, b Overridden
//	a       -               is gone         a Removed
func (s *simulation) transfers(after ownership.Owners, stored map[string]any) []Transfer {
	out := []Transfer{}
	was, is := s.before.Roles(), after.Roles()
	for role := range union(was, is) {
		had, has := orEmpty(was[role]), orEmpty(is[role])
		has.Difference(had).Iterate(func(p fieldpath.Path) {
			out = append(out, transfer(role, p, gain(is, role, p)))
		})
		had.Difference(has).Iterate(func(p fieldpath.Path) {
			out = append(out, transfer(role, p, s.loss(role, p, stored)))
		})
	}
	slices.SortFunc(out, func(a, b Transfer) int {
		return cmp.Or(
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(a.Subresource, b.Subresource),
			cmp.Compare(a.Kind, b.Kind),
		)
	})
	return out
}

func transfer(r ownership.Role, p fieldpath.Path, kind TransferKind) Transfer {
	return Transfer{Field: p.String(), Manager: r.Manager, Operation: r.Operation, Subresource: r.Subresource, Kind: kind}
}

func gain(is map[ownership.Role]*fieldpath.Set, role ownership.Role, p fieldpath.Path) TransferKind {
	for other, set := range is {
		if other != role && set.Has(p) {
			return Shared
		}
	}
	return Acquired
}

func (s *simulation) loss(role ownership.Role, p fieldpath.Path, stored map[string]any) TransferKind {
	switch {
	case !s.find.Has(s.shape, stored, p):
		return TransferRemoved
	case role == s.write.role():
		return Relinquished
	default:
		return Overridden
	}
}

// role is the one under which the server records this write.
func (w Write) role() ownership.Role {
	r := ownership.Role{Manager: w.manager(), Operation: ownership.Update, Subresource: w.Subresource}
	if w.Verb == apicall.Apply {
		r.Operation = ownership.Apply
	}
	return r
}

func union(a, b map[ownership.Role]*fieldpath.Set) map[ownership.Role]bool {
	out := map[ownership.Role]bool{}
	for r := range a {
		out[r] = true
	}
	for r := range b {
		out[r] = true
	}
	return out
}

func orEmpty(s *fieldpath.Set) *fieldpath.Set {
	if s == nil {
		return fieldpath.NewSet()
	}
	return s
}
