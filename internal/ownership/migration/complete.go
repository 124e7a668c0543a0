package migration

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// migrate makes the plan for the entries to migrate.
func (s *subject) migrate(sources []managedfields.Entry) Migration {
	m := &s.result
	c := s.claim(sources)
	if s.blocks() {
		return s.blocked()
	}
	effect := s.annotationFate(len(sources) > 0)
	if effect.Effect == Dropped && annotationsOf(withoutAnnotation(s.Live)) == nil {
		// The server takes the map from its owners when it is gone.
		c.set = c.set.Difference(fieldpath.NewSet(annotationsPath))
	}
	object := s.migrated(c, c.set, &effect)
	if effect.Effect == Dropped && s.opts.Annotation != DropAnnotation && len(managedfields.Of(object).Entries) == 0 {
		effect = AnnotationEffect{Effect: Kept, Reason: text.New("without it no entry would be left, and the server would not track ownership any more")}
		object = s.migrated(c, c.set, &effect)
	}
	m.Before, m.After = summaries(s.Owners), summaries(managedfields.Of(object))
	m.Annotation = effect
	m.Object = object
	if !changed(s.Live, object) {
		return s.nothing()
	}
	m.Verdict = Migrates
	after := managedfields.Of(object)
	m.Gained = s.won(c)
	m.Lost = s.lost(c, after)
	m.CoOwners = s.coOwners(c, after)
	s.tellClaims(c, sources)
	s.tellAnnotation(effect)
	m.Next = s.next(c, object)
	s.tellNext()
	s.handOver(nil)
	m.Findings = s.sorted()
	return *m
}

// migrated is the object with the entries of a plan; a nil effect leaves the
// annotation alone.
func (s *subject) migrated(c claims, set *fieldpath.Set, effect *AnnotationEffect) map[string]any {
	es := ownership.Edit(s.Live)
	claimed := managedfields.Entry{
		Writer: managedfields.Writer{
			Role:       managedfields.Role{Manager: s.to.Manager, Operation: managedfields.Apply, Subresource: s.opts.Subresource},
			APIVersion: c.version,
		},
		Time: s.applied.Time,
		Set:  set,
	}
	for _, e := range s.sources() {
		es.Remove(ownership.Is(e))
		if s.applied.Set == nil {
			claimed.Time = ownership.Latest(claimed.Time, e.Time)
		}
	}
	if s.applied.Set != nil && (s.applied.APIVersion != c.version || !s.applied.Set.Equals(set)) {
		es.Remove(ownership.Is(s.applied))
	}
	es.Join(claimed)
	object := s.Live
	if effect != nil {
		object = s.withFate(es, *effect, c.version)
	}
	return es.On(object)
}

// annotationFate decides about the annotation: it is dropped with
// the client-side apply that it belongs to, unless somebody applies it, or the
// user decides.
func (s *subject) annotationFate(migrates bool) AnnotationEffect {
	if _, ok := annotationsOf(s.Live)[LastApplied]; !ok {
		return AnnotationEffect{Effect: Absent}
	}
	keepers := slices.DeleteFunc(s.annotationOwners(), func(e managedfields.Entry) bool {
		return e.Operation != managedfields.Apply || e.Manager == s.to.Manager
	})
	switch {
	case s.opts.Subresource != "":
		return AnnotationEffect{Effect: Untouched, Reason: text.New("the entries of a subresource do not own it")}
	case s.opts.Annotation == DropAnnotation:
		return AnnotationEffect{Effect: Dropped, Reason: text.New("as you say")}
	case s.opts.Annotation == KeepAnnotation:
		return AnnotationEffect{Effect: Kept, Reason: text.New("as you say")}
	case len(keepers) > 0:
		return AnnotationEffect{Effect: Kept, Reason: text.New("%v applies it, so that it stays", text.By(keepers[0].Manager))}
	case !migrates && !s.hasLoneAnnotation():
		return AnnotationEffect{Effect: Untouched}
	}
	return AnnotationEffect{Effect: Dropped, Reason: text.New("it belongs to client-side apply, and goes stale without it")}
}

// withFate is the object as the effect of the annotation wants it; the entries
// follow.
func (s *subject) withFate(es *ownership.Entries, effect AnnotationEffect, version string) map[string]any {
	switch effect.Effect {
	case Dropped:
		object := withoutAnnotation(s.Live)
		gone := fieldpath.NewSet(lastAppliedPath)
		if annotationsOf(object) == nil {
			gone.Insert(annotationsPath)
		}
		es.Disown(gone)
		return object
	case Kept:
		s.keepAnnotation(es, version)
	}
	return s.Live
}

// keepAnnotation gives the annotation to the manager that kubectl keeps it
// with, unless another manager applies it.
func (s *subject) keepAnnotation(es *ownership.Entries, version string) {
	if es.Has(func(e managedfields.Entry) bool { return e.Operation == managedfields.Apply && ownsAnnotation(e) }) {
		return
	}
	es.Join(managedfields.Entry{
		Writer: managedfields.Writer{
			Role:       managedfields.Role{Manager: AnnotationKeeper, Operation: managedfields.Apply},
			APIVersion: version,
		},
		Set: fieldpath.NewSet(lastAppliedPath),
	})
}

// won are the leaves that the target owns now and did not before, by field.
func (s *subject) won(c claims) []Gained {
	out := []Gained{}
	covering := s.Owners.Covering()
	for p := range c.set.Leaves().All() {
		if managedfields.Covers(c.own, p) {
			continue
		}
		w := Gained{Field: p.String()}
		for _, e := range covering(p) {
			if e.Index != s.applied.Index || s.applied.Set == nil {
				w.From = append(w.From, report.WriterOf(e))
			}
		}
		out = append(out, w)
	}
	slices.SortStableFunc(out, func(a, b Gained) int { return cmp.Compare(a.Field, b.Field) })
	return out
}

// lost are the leaves that an entry owned and does not own any more, by field.
func (s *subject) lost(c claims, after managedfields.Owners) []Lost {
	out := []Lost{}
	roles, owned := after.Roles(), after.Set()
	for _, e := range s.Owners.Readable() {
		left := roles[e.Role]
		for p := range e.Set.Leaves().All() {
			if left != nil && managedfields.Covers(left, p) {
				continue
			}
			out = append(out, Lost{Field: p.String(), By: report.WriterOf(e), Kind: lossOf(c, owned, p)})
		}
	}
	slices.SortStableFunc(out, func(a, b Lost) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.By.Manager, b.By.Manager), cmp.Compare(a.By.Operation, b.By.Operation))
	})
	return out
}

func lossOf(c claims, owned *fieldpath.Set, p fieldpath.Path) LossKind {
	switch {
	case managedfields.Covers(c.set, p):
		return ToTarget
	case managedfields.Covers(owned, p):
		return ToOthers
	case c.defaults.Has(p):
		return Default
	case c.leftover.Has(p):
		return LeftOver
	case c.unsorted.Has(p):
		return Unsorted
	case p.Equals(lastAppliedPath) || p.Equals(annotationsPath) || !c.shape.Has(c.live, p):
		return Gone
	}
	return Unsorted
}

// body is what the next apply sends: the manifest, or else what the annotation
// says, or else what the target applied last as far as the live object tells.
func (s *subject) body(c claims) (map[string]any, bool) {
	switch s.basis {
	case ByManifest, ByAnnotation:
		return s.wishes[0].object, true
	case ByEntry:
		body, err := engine.Extract(s.TypeAt(c.version).ParseableType, c.live, c.own.Difference(fieldpath.NewSet(lastAppliedPath)))
		return body, err == nil
	}
	return nil, false
}
