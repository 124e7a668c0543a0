package engine

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

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
//
// A field that was never there, such as a zero value that the server drops, is gone only
// where nobody owns it any more.
func (s *simulation) transfers(stored map[string]any, force bool) []report.Transfer {
	out := []report.Transfer{}
	if sameOwners(s.write.LiveObject, stored) {
		return out
	}
	was, is := s.liveOwners().Roles(), s.owners(stored).Roles()
	both := maps.Clone(was)
	maps.Copy(both, is)
	for role := range both {
		if was[role] == is[role] {
			continue
		}
		had, has := orEmpty(was[role]), orEmpty(is[role])
		has.Difference(had).Iterate(func(p fieldpath.Path) {
			kind := report.Acquired
			if ownedByOthers(is, role, p) {
				kind = report.Shared
			}
			out = append(out, transfer(role, p, kind))
		})
		had.Difference(has).Iterate(func(p fieldpath.Path) {
			out = append(out, s.lost(role, p, stored, is, force))
		})
	}
	slices.SortFunc(out, func(a, b report.Transfer) int {
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

func transfer(r managedfields.Role, p fieldpath.Path, kind report.TransferKind) report.Transfer {
	return report.Transfer{
		Field:       p.String(),
		Manager:     r.Manager,
		Operation:   r.Operation,
		Subresource: r.Subresource,
		Kind:        kind,
	}
}

// ownedByOthers reports whether another role has a path.
func ownedByOthers(is map[managedfields.Role]*fieldpath.Set, role managedfields.Role, p fieldpath.Path) bool {
	for other, set := range is {
		if other != role && set.Has(p) {
			return true
		}
	}
	return false
}

// lost is a path that a role had before the write.
func (s *simulation) lost(
	role managedfields.Role,
	p fieldpath.Path,
	stored map[string]any,
	is map[managedfields.Role]*fieldpath.Set,
	force bool,
) report.Transfer {
	gone := !s.find.Has(s.shape, stored, p)
	switch {
	case gone && (s.find.Has(s.shape, s.live, p) || !ownedByOthers(is, role, p)):
		return transfer(role, p, report.TransferRemoved)
	case role == s.write.role():
		t := transfer(role, p, report.Relinquished)
		t.ValueChanged = s.valueChanged(p, stored)
		return t
	}
	t := transfer(role, p, report.Overridden)
	switch {
	case s.write.Verb != api.Apply:
		t.Cause = report.ByUpdate
	case force:
		t.Cause = report.ByForce
	default:
		t.Cause = report.ByApply
	}
	return t
}

// valueChanged reports whether a field has another value after the write. What is in a map
// has transfers of its own.
func (s *simulation) valueChanged(p fieldpath.Path, stored map[string]any) bool {
	before, after := s.find.Lookup(s.shape, s.live, p), s.find.Lookup(s.shape, stored, p)
	if len(before) != 1 || len(after) != 1 {
		return false
	}
	if _, is := before[0].(map[string]any); is {
		return false
	}
	return !equal(before[0], after[0])
}

func (w Write) role() managedfields.Role {
	r := managedfields.Role{Manager: w.manager(), Operation: managedfields.Update, Subresource: w.Subresource}
	if w.Verb == api.Apply {
		r.Operation = managedfields.Apply
	}
	return r
}

// sameOwners reports whether the managed fields entries of two objects are the same in
// the same order, but for times that can be read.
func sameOwners(a, b map[string]any) bool {
	as, bs := entriesOf(a), entriesOf(b)
	return len(as) > 0 && slices.EqualFunc(as, bs, func(a, b any) bool {
		if jsontree.Same(a, b) {
			return true
		}
		x, ok := a.(map[string]any)
		y, is := b.(map[string]any)
		if !ok || !is || len(x) != len(y) {
			return false
		}
		for key, value := range x {
			other, has := y[key]
			switch {
			case !has:
				return false
			case key == "time" && value != nil && other != nil:
				if !readable(value) || !readable(other) {
					return false
				}
			case !equal(value, other):
				return false
			}
		}
		return true
	})
}

func readable(at any) bool {
	text, _ := at.(string)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func orEmpty(s *fieldpath.Set) *fieldpath.Set {
	if s == nil {
		return fieldpath.NewSet()
	}
	return s
}
