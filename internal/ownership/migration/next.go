package migration

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// next simulates the next apply before and after the migration; nil where
// nothing reports what it sends.
func (s *subject) next(c claims, object map[string]any) *Next {
	if s.opts.Subresource != "" {
		return nil
	}
	body, ok := s.body(c)
	if !ok {
		return nil
	}
	dropped := s.dropped(c)
	return &Next{
		Manager: s.to.Manager,
		Body:    s.basis,
		Before:  s.nextApply(c, dropped, s.Live, body),
		After:   s.nextApply(c, dropped, object, body),
	}
}

// nextAsIs simulates the next apply of the manifest to an object with nothing to
// migrate; nil where none is given, or it is not said who applies it.
func (s *subject) nextAsIs() *Next {
	if s.manifest == nil || s.to.Manager == "" || s.opts.Subresource != "" {
		return nil
	}
	apply := s.nextApply(newClaims(s.manifest.version), fieldpath.NewSet(), s.Live, s.manifest.object)
	return &Next{Manager: s.to.Manager, Body: ByManifest, Before: apply, After: apply}
}

// dropped are the leaves that were applied once, and that the next apply does
// not have any more.
func (s *subject) dropped(c claims) *fieldpath.Set {
	out := fieldpath.NewSet()
	c.own.Union(c.said).Union(c.set).Leaves().Iterate(func(p fieldpath.Path) {
		if !hasBelow(c.wished, p) && !managedfields.Covers(c.wished, p) {
			out.Insert(p.Copy())
		}
	})
	return out
}

func (s *subject) nextApply(c claims, dropped *fieldpath.Set, object, body map[string]any) NextApply {
	r := s.Sending(ownership.By(s.to.Manager), body).To(object)
	n := NextApply{Answer: r.Answer(), Conflicts: report.List(r.Conflicts), Changes: report.List(r.Changes), Kept: []KeptField{}}
	version, _ := r.Object["apiVersion"].(string)
	if r.Object == nil || version != c.version {
		return n
	}
	covering := managedfields.Of(r.Object).Covering()
	var find managedfields.Finder
	dropped.Iterate(func(p fieldpath.Path) {
		if find.Has(c.shape, r.Object, p) {
			n.Kept = append(n.Kept, KeptField{Field: p.String(), By: report.WritersOf(covering(p))})
		}
	})
	slices.SortStableFunc(n.Kept, func(a, b KeptField) int { return cmp.Compare(a.Field, b.Field) })
	return n
}

// tellNext reports where the next apply is refused even after the migration.
func (s *subject) tellNext() {
	n := s.result.Next
	if n == nil {
		return
	}
	switch {
	case n.After.Outcome == report.Conflicted:
		for _, c := range n.After.Conflicts {
			s.find(nextConflicts, c.Field, text.New("the next apply by %v conflicts with %v", text.By(n.Manager), owner(c.Writer)))
		}
	case n.After.Outcome.Refused():
		s.find(nextRefused, "", text.New("the server refuses the next apply by %v, migrated or not: %v", text.By(n.Manager), text.Said(n.After.Message)))
	}
}
