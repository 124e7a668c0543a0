package migration

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// planCompatible lets upstream's csaupgrade do the work. The names are those
// that the user gives, or those that kubectl takes: the Update entries that
// own the annotation. Upstream goes through them in no order; here they are
// sorted, which is one of its answers.
func (s *subject) planCompatible() Migration {
	m := &s.result
	s.readWishes()
	if s.blocks() {
		return s.blocked()
	}
	if _, ok := annotationsOf(s.Live)[LastApplied]; ok {
		m.Annotation = AnnotationEffect{Effect: Untouched, Reason: text.New("csaupgrade leaves it alone")}
	}
	s.to = s.compatibleTarget()
	m.To = s.to
	s.applied = s.entryOf(s.to.Manager)
	names := s.upstreamNames()
	s.believeUpstream(names)
	object, err := client.Upgrade(s.Live, names, s.to.Manager, s.opts.Subresource)
	if err != nil {
		s.find(upstreamFails, "", text.New("csaupgrade fails: %v", text.Said(err.Error())))
		return s.blocked()
	}
	if object == nil {
		return s.nothing()
	}
	m.Verdict, m.Object = Migrates, object
	after := managedfields.Of(object)
	m.Before, m.After = summaries(s.Owners), summaries(after)
	s.tellUnserved(after)
	s.chooseBasis()
	m.Next = s.next(s.compareEntries(after), object)
	s.tellNext()
	m.Patch = client.UpgradePatch(object)
	m.Findings = s.sorted()
	return *m
}

// compatibleTarget is who the user names, or kubectl's default.
func (s *subject) compatibleTarget() Choice {
	if s.opts.To != "" {
		return Choice{Manager: s.opts.To, Reason: named}
	}
	return Choice{Manager: ServerSideKubectl, Reason: text.New("it is the default of kubectl apply --server-side")}
}

var named = text.New("you name it")

func (s *subject) upstreamNames() []string {
	names := slices.Clone(s.opts.From)
	if s.opts.Auto == ByEvidence {
		names = append(names, client.AnnotationUpdaters(s.Live)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *subject) believeUpstream(names []string) {
	for _, e := range s.Owners.Readable() {
		if e.Operation != managedfields.Update || e.Subresource != s.opts.Subresource || !slices.Contains(names, e.Manager) {
			continue
		}
		b := Evidence{Writer: report.WriterOf(e), Strength: Certain, Reasons: []text.Text{text.New("it owns the last-applied annotation, by which kubectl knows it")}, Migrated: true}
		if slices.Contains(s.opts.From, e.Manager) {
			b.Strength, b.Reasons = Asked, []text.Text{named}
		}
		s.result.Evidence = append(s.result.Evidence, b)
	}
}

// compareEntries reports who won and lost what, where the plan is upstream's,
// and what it discarded.
func (s *subject) compareEntries(after managedfields.Owners) claims {
	c := newClaims(s.version)
	c.live, c.shape = s.Live, shapeAt(s.Object, s.version)
	if s.applied.Set != nil {
		c.own = s.applied.Set
	}
	for _, e := range after.Readable() {
		if e.Operation == managedfields.Apply && e.Manager == s.to.Manager && e.Subresource == s.opts.Subresource {
			c.set, c.version = e.Set, e.APIVersion
		}
	}
	s.result.Gained = s.won(c)
	s.result.Lost = s.lost(c, after)
	s.result.CoOwners = s.coOwners(c, after)
	s.tellDiscarded(c)
	s.say(&c)
	return c
}

// tellDiscarded reports the entries whose fields upstream throws away.
func (s *subject) tellDiscarded(c claims) {
	for _, b := range s.result.Evidence {
		if b.APIVersion != c.version {
			s.find(upstreamDiscards, "", text.New("csaupgrade discards the entry of %v at %v, as the Apply entry is at %v",
				text.By(b.Manager), text.Name(b.APIVersion), text.Name(c.version)))
		}
	}
}
