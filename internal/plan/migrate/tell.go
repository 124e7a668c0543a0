package migrate

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// tellClaims reports what became of the fields of migrated entries.
func (s *subject) tellClaims(c claims, sources []managedfields.Entry) {
	if s.basis == ByNothing && len(sources) > 0 {
		s.findings.add(RuleNoBasis, Notes, "", Fact{Kind: NothingSays}, advise(GiveManifest))
	}
	s.tellNoSchema(c.version)
	if n := c.leftover.Size(); n > 0 && s.opts.claim() == ClaimManifest {
		s.findings.add(RuleLeftOver, Warns, "", Fact{Kind: NoDefault, Fields: fields(c.leftover)}, Advice{Kind: ClaimLeftOver, Fields: n})
	}
	if n := c.unsorted.Size(); n > 0 && s.opts.claim() != ClaimAll {
		s.findings.add(RuleUnsorted, Warns, "", Fact{Kind: DefaultsUnknown, Fields: fields(c.unsorted)}, advise(ClaimEverything))
	}
	if len(sources) == 0 && s.hasLoneAnnotation() {
		s.findings.add(RuleAnnotationLone, Notes, lastAppliedPath.String(), Fact{Kind: LoneAnnotation}, Advice{})
	}
	s.tellStatus()
}

// tellStatus says why entries of the status are left alone.
func (s *subject) tellStatus() {
	for _, e := range s.owners.Readable() {
		if s.opts.Subresource == "" && e.Subresource == "status" && e.Operation == managedfields.Update && s.isSourceName(e.Manager) {
			s.findings.add(RuleStatus, Notes, "", Fact{Kind: StatusStays, Manager: e.Manager}, advise(MigrateStatus))
		}
	}
}

func (s *subject) isSourceName(manager string) bool {
	for _, b := range s.result.Evidence {
		if b.Migrated && b.Manager == manager {
			return true
		}
	}
	return false
}

// tellAnnotation reports where the annotation says something else than the
// object has, and what is to be known of its effect.
func (s *subject) tellAnnotation(effect AnnotationEffect) {
	s.tellStale()
	secret := s.live["kind"] == "Secret" && s.version == "v1"
	switch {
	case effect.Effect == Kept && s.to.Manager != ServerSideKubectl:
		s.findings.add(RuleAnnotationFrozen, Warns, lastAppliedPath.String(), Fact{Kind: Frozen, Manager: s.to.Manager}, advise(RemoveAnnotation))
	case effect.Effect == Kept:
		s.findings.add(RuleAnnotationFrozen, Notes, lastAppliedPath.String(), Fact{Kind: Rewritten}, Advice{})
	}
	if secret && effect.Effect == Kept {
		s.findings.add(RuleAnnotationSecret, Warns, lastAppliedPath.String(), Fact{Kind: HoldsSecret}, advise(RemoveAnnotation))
	}
}

// tellStale reports the stale fields, together where they have the same owners.
func (s *subject) tellStale() {
	var same [][]report.Writer
	by := map[int][]string{}
	for _, p := range s.stale() {
		owners := s.ownersOf(p)
		at := slices.IndexFunc(same, func(o []report.Writer) bool { return reflect.DeepEqual(o, owners) })
		if at < 0 {
			at, same = len(same), append(same, owners)
		}
		by[at] = append(by[at], p.String())
	}
	for i, owners := range same {
		field, fact := "", Fact{Kind: StaleFields, By: owners, Fields: by[i]}
		if len(by[i]) == 1 {
			field, fact = by[i][0], Fact{Kind: StaleField, By: owners}
		}
		s.findings.add(RuleAnnotationStale, Warns, field, fact, Advice{})
	}
}

// stale are the leaves of the annotation that the object has otherwise, or not
// at all, in the set's order.
func (s *subject) stale() []fieldpath.Path {
	if s.annotation.state != soundAnnotation {
		return nil
	}
	w := s.wishes[len(s.wishes)-1]
	live, err := s.world.At(w.version)
	if err != nil {
		return nil
	}
	shape := shapeAt(s.world, w.version)
	var out []fieldpath.Path
	var find managedfields.Finder
	for _, p := range paths(w.set.Leaves()) {
		if !find.Has(shape, w.object, p) || w.agrees(&find, shape, live, p, true) || p[0].FieldName != nil && *p[0].FieldName == "stringData" {
			continue
		}
		c := claims{shape: shape, live: live}
		if !storesNothing(&find, c, w, p) && !spelling(&find, shape, w, live, p) {
			out = append(out, p)
		}
	}
	return out
}

// spelling reports whether the migrated entries own a value that differs: the
// server may only spell it otherwise (quantities, defaults in atomic lists).
func spelling(find *managedfields.Finder, shape managedfields.Shape, w *wish, live map[string]any, p fieldpath.Path) bool {
	said, is := find.Lookup(shape, w.object, p), find.Lookup(shape, live, p)
	if len(said) != 1 || len(is) != 1 {
		return false
	}
	return sameMeaning(said[0], is[0])
}

// ownersOf are the owners of a path.
func (s *subject) ownersOf(p fieldpath.Path) []report.Writer {
	var out []report.Writer
	for _, e := range s.owners.Readable() {
		if managedfields.Covers(e.Set, p) {
			out = append(out, report.WriterOf(e))
		}
	}
	return out
}
