package migrate

import (
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// An entry at an API version that the server does not serve is dropped with the
// next write, and with it all ownership: a plan makes none.

// checkServed reports a live object at a version that is not served. Nothing
// can be simulated with it, and every entry would be at a version that is gone.
// Upstream's plan is made without the server.
func (s *subject) checkServed() {
	if s.world.Served(s.version) {
		return
	}
	severity, advice := Blocks, Advice{}
	if s.opts.Mode == Compatible {
		severity = Warns
	}
	if as := s.world.ServedAs(); as != "" {
		advice = Advice{Kind: FetchServed, Version: as}
	}
	s.findings.add(RuleUnserved, severity, "", Fact{Kind: LiveUnserved, Version: s.version}, advice)
}

// manifestServed reports whether the server serves the manifest's version; it
// refuses every apply of one that it does not.
func (s *subject) manifestServed() bool {
	version, _ := s.Manifest["apiVersion"].(string)
	if s.world.Served(version) {
		return true
	}
	s.findings.add(RuleManifestOther, Blocks, "", Fact{Kind: ManifestUnserved, Version: version}, Advice{Kind: WriteServed, Version: s.version})
	return false
}

// annotationServed is an annotation's object at a version that the server
// serves: that of the live object, where its own is gone.
func (s *subject) annotationServed(object map[string]any) map[string]any {
	version, _ := object["apiVersion"].(string)
	if s.world.Served(version) || !s.world.Served(s.version) {
		return object
	}
	advice := Advice{}
	if s.Manifest == nil {
		advice = advise(GiveRenamed)
	}
	s.findings.add(RuleUnserved, Warns, "", Fact{Kind: AnnotationUnserved, Version: version, At: s.version}, advice)
	object = maps.Clone(object)
	object["apiVersion"] = s.version
	return object
}

// entryServed is an entry in the terms of a version that the server serves:
// that of the live object, where its own is gone.
func (s *subject) entryServed(e managedfields.Entry) managedfields.Entry {
	if s.world.Served(e.APIVersion) {
		return e
	}
	c := convert(s.world, e.Set, e.APIVersion, s.version)
	s.tellConversion(e, c, s.version)
	e.Set, e.APIVersion = c.set, s.version
	return e
}

// tellUnserved reports the entries that csaupgrade makes, and the server drops.
func (s *subject) tellUnserved(after managedfields.Owners) {
	before := s.owners.Readable()
	for _, e := range after.Readable() {
		made := !slices.ContainsFunc(before, func(b managedfields.Entry) bool { return b.Writer == e.Writer })
		if made && !s.world.Served(e.APIVersion) {
			s.findings.add(RuleUnserved, Warns, "", Fact{Kind: UpstreamUnserved, Manager: e.Manager, Version: e.APIVersion}, advise(PlanOwn))
		}
	}
}

// tellNoSchema reports a kind whose fields nobody can tell apart. Groups of
// Kubernetes itself have no dot, or have one and look as those of custom
// resources do.
func (s *subject) tellNoSchema(version string) {
	if !s.world.Type(version).Deduced {
		return
	}
	kind, _ := s.live["kind"].(string)
	fact, advice := Fact{Kind: NoSchema}, advise(GiveDefinition)
	if !strings.Contains(groupOf(version), ".") {
		fact, advice = Fact{Kind: NoKind, Text: kind, Version: version}, Advice{}
	}
	s.findings.add(RuleNoSchema, Warns, "", fact, advice)
}
