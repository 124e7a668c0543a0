package migration

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// upstream is the plan of client-go's csaupgrade.
type upstream struct{ *subject }

// migration lets upstream's csaupgrade do the work. The names are those
// that the user gives, or those that kubectl takes: the Update entries that
// own the annotation. Upstream goes through them in no order; here they are
// sorted, which is one of its answers.
func (s upstream) migration() Migration {
	s.readWishes()
	if s.blocks() {
		return s.blocked()
	}
	if s.annotated() {
		s.m.Annotation = AnnotationEffect{Effect: Untouched, Reason: text.New("csaupgrade leaves it alone")}
	}
	s.m.To = Choice{Manager: ServerSideKubectl, Reason: text.New("it is the default of kubectl apply --server-side")}
	if s.opts.To != "" {
		s.m.To = Choice{Manager: s.opts.To, Reason: named}
	}
	s.applied = s.entryOf(s.m.To.Manager)
	names := slices.Clone(s.opts.From)
	if s.opts.Auto == ByEvidence {
		names = append(names, client.AnnotationUpdaters(s.Live)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	s.believeUpstream(names)
	object, err := client.Upgrade(s.Live, names, s.m.To.Manager, s.opts.Subresource)
	if err != nil {
		s.find(upstreamFails, "", text.New("csaupgrade fails: %v", text.Said(err.Error())))
		return s.blocked()
	}
	if object == nil {
		return s.nothing()
	}
	after := managedfields.Of(object)
	s.tellUnserved(after)
	s.chooseBasis()
	s.m.Next = s.upgraded(after).next(object)
	s.tellNext()
	s.m.Patch = client.UpgradePatch(object)
	return s.finished(Migrates, object)
}

func (s upstream) believeUpstream(names []string) {
	for _, e := range s.entries(managedfields.Update) {
		switch b := (Evidence{Writer: report.WriterOf(e), Strength: Certain, Migrated: true}); {
		case slices.Contains(s.opts.From, e.Manager):
			b.Strength, b.Reasons = Asked, []text.Text{named}
			s.m.Evidence = append(s.m.Evidence, b)
		case slices.Contains(names, e.Manager):
			b.Reasons = []text.Text{text.New("it owns the last-applied annotation, by which kubectl knows it")}
			s.m.Evidence = append(s.m.Evidence, b)
		}
	}
}

// tellUnserved reports the entries that csaupgrade makes, and the server drops.
func (s upstream) tellUnserved(after managedfields.Owners) {
	before := s.Owners().Readable()
	for _, e := range after.Readable() {
		made := !slices.ContainsFunc(before, func(b managedfields.Entry) bool { return b.Writer == e.Writer })
		if made && !s.Served(e.APIVersion) {
			s.find(
				unserved,
				"",
				text.New(
					"csaupgrade makes an entry of %v at API version %v, which the server does not serve: it drops the entry with the next write, and with it all that it owns",
					text.By(e.Manager),
					text.Name(e.APIVersion),
				),
				text.New(upstreamFails.Fix),
			)
		}
	}
}

// upgraded are the claims of upstream's plan. The entries whose fields it throws away are
// findings.
func (s upstream) upgraded(after managedfields.Owners) *claims {
	c := s.claimsAt(s.version)
	if s.applied.Set != nil {
		c.own = s.applied.Set
	}
	for _, e := range after.Readable() {
		if e.Operation == managedfields.Apply && e.Manager == s.m.To.Manager && e.Subresource == s.opts.Subresource {
			c.set, c.version = e.Set, e.APIVersion
		}
	}
	c.compare(after)
	for _, b := range s.m.Evidence {
		if b.APIVersion != c.version {
			s.find(upstreamDiscards, "", text.New("csaupgrade discards the entry of %v at %v, as the Apply entry is at %v",
				text.By(b.Manager), text.Name(b.APIVersion), text.Name(c.version)))
		}
	}
	c.readWished()
	return c
}
