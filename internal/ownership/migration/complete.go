package migration

import (
	"cmp"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// complete plans all that is known to go wrong.
func (s *subject) complete() Migration {
	s.readWishes()
	who := parties{s}
	s.m.To = who.chooseTarget()
	s.applied = s.entryOf(s.m.To.Manager)
	who.judgeEntries()
	sources := s.sources()
	if len(sources) == 0 && !s.hasLoneAnnotation() && !s.dropsAnnotation() {
		return s.nothing()
	}
	if s.checkAnnotation(); s.blocks() {
		return s.blocked()
	}
	s.chooseBasis()
	c := s.claim(sources)
	if s.blocks() {
		return s.blocked()
	}
	s.m.Annotation = c.annotationEffect(len(sources) > 0)
	object := c.migrated()
	if s.m.Annotation.Effect == Dropped && s.opts.Annotation != DropAnnotation &&
		len(managedfields.Of(object).Entries) == 0 {
		s.m.Annotation = AnnotationEffect{
			Effect: Kept,
			Reason: text.New("without it no entry would be left, and the server would not track ownership any more"),
		}
		object = c.migrated()
	}
	if reflect.DeepEqual(s.Live, object) {
		return s.nothing()
	}
	c.compare(managedfields.Of(object))
	c.tellClaims(sources)
	c.tellAnnotation()
	s.m.Next = c.next(object)
	s.tellNext()
	s.m.Patch = s.patch(object, nil)
	return s.finished(Migrates, object)
}

// annotationEffect decides about the annotation: it is dropped with the client-side apply
// that it belongs to, unless another manager applies it, that client-side apply goes on, or
// the user decides.
func (c *claims) annotationEffect(migrates bool) AnnotationEffect {
	keepers := slices.DeleteFunc(c.annotationOwners(), func(e managedfields.Entry) bool {
		return e.Operation != managedfields.Apply || e.Manager == c.m.To.Manager
	})
	switch {
	case !c.annotated():
		return AnnotationEffect{Effect: Absent}
	case c.opts.Subresource != "":
		return AnnotationEffect{Effect: Untouched, Reason: text.New("the entries of a subresource do not own it")}
	case c.opts.Annotation == DropAnnotation:
		return AnnotationEffect{Effect: Dropped, Reason: text.New("as you say")}
	case c.opts.Annotation == KeepAnnotation:
		return AnnotationEffect{Effect: Kept, Reason: text.New("as you say")}
	case len(keepers) > 0:
		return AnnotationEffect{
			Effect: Kept,
			Reason: text.New("%v applies it, so that it stays", text.By(keepers[0].Manager)),
		}
	case !migrates && !c.hasLoneAnnotation():
		return AnnotationEffect{Effect: Untouched}
	}
	// Entries that are named may be other ones than that of the client-side apply, which goes
	// on and needs it.
	users := slices.DeleteFunc(
		c.annotationOwners(),
		func(e managedfields.Entry) bool { return e.Operation != managedfields.Update },
	)
	isMigrated := func(e managedfields.Entry) bool { return c.migrates(e.Manager) }
	if c.opts.Auto == ByNameOnly && len(users) > 0 && !slices.ContainsFunc(users, isMigrated) {
		return AnnotationEffect{
			Effect: Untouched,
			Reason: text.New("%v, which is not migrated, applies with it", text.By(users[0].Manager)),
		}
	}
	return AnnotationEffect{
		Effect: Dropped,
		Reason: text.New("it belongs to client-side apply, and goes stale without it"),
	}
}

// migrated is the object with the entries of the plan, which follow what is done to the
// annotation. One that is kept goes to the manager that kubectl keeps it with, unless
// another manager applies it.
func (c *claims) migrated() map[string]any {
	object, gone := c.Live, fieldpath.NewSet(lastAppliedPath)
	dropped := c.m.Annotation.Effect == Dropped
	if dropped {
		if object = withoutAnnotation(c.Live); annotationsOf(object) == nil {
			// The server takes the map from its owners when it is gone.
			gone.Insert(annotationsPath)
			c.set = c.set.Difference(fieldpath.NewSet(annotationsPath))
		}
	}
	es := c.entriesOn(c.set)
	if dropped {
		es.Disown(gone)
	}
	applied := func(e managedfields.Entry) bool { return e.Operation == managedfields.Apply && ownsAnnotation(e) }
	if c.m.Annotation.Effect == Kept && !es.Has(applied) {
		es.Join(managedfields.Entry{Set: lastAppliedSet, Writer: managedfields.Writer{
			Role: managedfields.Role{Manager: AnnotationKeeper, Operation: managedfields.Apply}, APIVersion: c.version,
		}})
	}
	return es.On(object)
}

// compare puts into the answer what the target and the others own before and after, by
// field.
func (c *claims) compare(after managedfields.Owners) {
	covering := c.Owners().Covering()
	for p := range c.set.Leaves().All() {
		if managedfields.Covers(c.own, p) {
			continue
		}
		from := slices.DeleteFunc(
			covering(p),
			func(e managedfields.Entry) bool { return c.applied.Set != nil && e.Index == c.applied.Index },
		)
		c.m.Gained = append(c.m.Gained, Gained{Field: p.String(), From: report.WritersOf(from)})
	}
	roles, owned := after.Roles(), after.Set()
	for _, e := range c.Owners().Readable() {
		left := roles[e.Role]
		for p := range e.Set.Leaves().All() {
			if left == nil || !managedfields.Covers(left, p) {
				c.m.Lost = append(c.m.Lost, Lost{Field: p.String(), By: report.WriterOf(e), Kind: c.lossOf(owned, p)})
			}
		}
	}
	slices.SortStableFunc(c.m.Gained, func(a, b Gained) int { return cmp.Compare(a.Field, b.Field) })
	slices.SortStableFunc(c.m.Lost, func(a, b Lost) int {
		return cmp.Or(
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.By.Manager, b.By.Manager),
			cmp.Compare(a.By.Operation, b.By.Operation),
		)
	})
	c.findCoOwners(after)
}

func (c *claims) lossOf(owned *fieldpath.Set, p fieldpath.Path) LossKind {
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

// findCoOwners puts into the answer the managers that own fields which the target owns
// too: such a field stays when the manifest drops it.
func (c *claims) findCoOwners(after managedfields.Owners) {
	own := c.set.Leaves()
	for _, e := range after.Readable() {
		if e.Operation == managedfields.Apply && e.Manager == c.m.To.Manager && e.Subresource == c.opts.Subresource {
			continue
		}
		set := convert(c.Object, e.Set, e.APIVersion, c.version).set
		var shared []string
		for p := range own.All() {
			if managedfields.Covers(set, p) {
				shared = append(shared, p.String())
			}
		}
		if shared == nil {
			continue
		}
		slices.Sort(shared)
		role, program := known(e.Manager, e.Operation)
		o := CoOwner{
			Writer: report.WriterOf(e),
			Fields: shared,
			About:  program.Who,
			Add:    e.Operation == managedfields.Update && role != controller && e.Subresource != "status",
		}
		c.m.CoOwners = append(c.m.CoOwners, o)
		c.tellCoOwner(o)
	}
}

// next simulates the next apply before and after the migration; nil where
// nothing reports what it sends.
func (c *claims) next(object map[string]any) *Next {
	body, ok := c.body()
	if !ok || c.opts.Subresource != "" {
		return nil
	}
	return &Next{
		Manager: c.m.To.Manager,
		Body:    c.m.Basis,
		Before:  c.nextApply(c.Live, body),
		After:   c.nextApply(object, body),
	}
}

// nextApply simulates an apply by the target. What stays are leaves that were applied
// once, and that the apply does not have any more.
func (c *claims) nextApply(object, body map[string]any) NextApply {
	r := c.Sending(ownership.By(c.m.To.Manager), body).To(object)
	n := NextApply{
		Answer:    r.Answer(),
		Conflicts: report.List(r.Conflicts),
		Changes:   report.List(r.Changes),
		Kept:      []KeptField{},
	}
	if r.Object == nil || r.Object["apiVersion"] != c.version {
		return n
	}
	covering := managedfields.Of(r.Object).Covering()
	var find managedfields.Finder
	c.own.Union(c.said).Union(c.set).Leaves().Iterate(func(p fieldpath.Path) {
		if !hasBelow(c.wished, p) && !managedfields.Covers(c.wished, p) && find.Has(c.shape, r.Object, p) {
			n.Kept = append(n.Kept, KeptField{Field: p.String(), By: report.WritersOf(covering(p))})
		}
	})
	slices.SortStableFunc(n.Kept, func(a, b KeptField) int { return cmp.Compare(a.Field, b.Field) })
	return n
}
