package migrate

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// tellClaims reports what became of the fields of migrated entries.
func (s *subject) tellClaims(c claims, sources []managedfields.Entry) {
	if s.basis == ByNothing && len(sources) > 0 {
		s.findings.add(RuleNoBasis, Notes, "", "neither a manifest nor an annotation says which fields are wanted and which are defaults: all of them are claimed", advise(GiveManifest))
	}
	s.tellNoSchema(c.version)
	if n := c.leftover.Size(); n > 0 && s.opts.claim() == ClaimManifest {
		s.findings.add(RuleLeftOver, Warns, "", fmt.Sprintf("%s of the migrated entries %s neither in the manifest nor a default: %s; nobody owns %s afterwards, and %s unless an apply drops all of the map around",
			countedFields(n), isAre(n), listed(fields(c.leftover), 4), itThem(n), staysText(n)),
			Advice{Kind: ClaimLeftOver, Fields: n})
	}
	if n := c.unsorted.Size(); n > 0 && s.opts.claim() != ClaimAll {
		s.findings.add(RuleUnsorted, Warns, "", fmt.Sprintf("whether %s %s a default is not known, as the server gives no answer to the next apply: %s; nobody owns %s afterwards",
			countedFields(n), isAre(n), listed(fields(c.unsorted), 4), itThem(n)), advise(ClaimEverything))
	}
	if len(sources) == 0 && s.hasLoneAnnotation() {
		s.findings.add(RuleAnnotationLone, Notes, lastAppliedPath.String(), "no entry of a client-side apply goes with the annotation: what it says and the object has is claimed", Advice{})
	}
	s.tellStatus()
}

// tellStatus says why entries of the status are left alone.
func (s *subject) tellStatus() {
	for _, e := range s.owners.Readable() {
		if s.opts.Subresource == "" && e.Subresource == "status" && e.Operation == managedfields.Update && s.isSourceName(e.Manager) {
			s.findings.add(RuleStatus, Notes, "", fmt.Sprintf("the entry of %q for the status subresource stays: an apply of the object never owns its status", e.Manager), advise(MigrateStatus))
		}
	}
}

func (s *subject) isSourceName(manager string) bool {
	for _, b := range s.result.Beliefs {
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
		s.findings.add(RuleAnnotationFrozen, Warns, lastAppliedPath.String(), fmt.Sprintf("the annotation stays as it is for ever: the server keeps it up to date for the manager kubectl only, not for %q", s.to.Manager), advise(RemoveAnnotation))
	case effect.Effect == Kept:
		s.findings.add(RuleAnnotationFrozen, Notes, lastAppliedPath.String(), "the server writes the annotation anew at each apply of the manager kubectl, in its own spelling", Advice{})
	}
	if secret && effect.Effect == Kept {
		s.findings.add(RuleAnnotationSecret, Warns, lastAppliedPath.String(), "the annotation holds the values of the Secret", advise(RemoveAnnotation))
	}
}

// tellStale reports the stale fields, together where they have the same owners.
func (s *subject) tellStale() {
	var owners []string
	by := map[string][]string{}
	for _, p := range s.stale() {
		owner := s.ownersText(p)
		if by[owner] == nil {
			owners = append(owners, owner)
		}
		by[owner] = append(by[owner], p.String())
	}
	for _, owner := range owners {
		list := by[owner]
		if len(list) == 1 {
			s.findings.add(RuleAnnotationStale, Warns, list[0], "the last-applied annotation has another value than the object, which belongs to "+owner, Advice{})
			continue
		}
		s.findings.add(RuleAnnotationStale, Warns, "", fmt.Sprintf("the last-applied annotation has other values than the object for %s, which belong to %s: %s",
			countedFields(len(list)), owner, listed(list, 4)), Advice{})
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
	for _, p := range paths(w.set.Leaves()) {
		if !shape.Has(w.object, p) || w.agrees(shape, live, p, true) || p[0].FieldName != nil && *p[0].FieldName == "stringData" {
			continue
		}
		c := claims{shape: shape, live: live}
		if !storesNothing(c, w, p) && !spelling(shape, w, live, p) {
			out = append(out, p)
		}
	}
	return out
}

// spelling reports whether the migrated entries own a value that differs: the
// server may only spell it otherwise (quantities, defaults in atomic lists).
func spelling(shape managedfields.Shape, w *wish, live map[string]any, p fieldpath.Path) bool {
	said, is := shape.Lookup(w.object, p), shape.Lookup(live, p)
	if len(said) != 1 || len(is) != 1 {
		return false
	}
	return sameMeaning(said[0], is[0])
}

// ownersText names the owners of a path.
func (s *subject) ownersText(p fieldpath.Path) string {
	var names []string
	for _, e := range s.owners.Readable() {
		if managedfields.Covers(e.Set, p) {
			names = append(names, fmt.Sprintf("%q (%s)", e.Manager, operation(e.Operation, e.Subresource)))
		}
	}
	if len(names) == 0 {
		return "nobody"
	}
	return listed(names, 3)
}
