package migration

import (
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/text"
)

// An entry at an API version that the server does not serve is dropped with the
// next write, and with it all ownership: a plan makes none.

// checkServed reports a live object at a version that is not served. Nothing
// can be simulated with it, and every entry would be at a version that is gone.
// Upstream's plan is made without the server.
func (s *subject) checkServed() {
	if s.Served(s.version) {
		return
	}
	severity, hint := blocks, text.Text{}
	if s.opts.Mode == Compatible {
		severity = warns
	}
	if as := s.ServedAs(); as != "" {
		hint = text.New("fetch it as %v", text.Name(as))
	}
	s.find(unserved.At(severity), "", text.New("the live object is at API version %v, which the server does not serve", text.Name(s.version)), hint)
}

// manifestServed reports whether the server serves the manifest's version; it
// refuses every apply of one that it does not.
func (s *subject) manifestServed() bool {
	version, _ := s.of.Manifest["apiVersion"].(string)
	if s.Served(version) {
		return true
	}
	s.find(manifestUnusable, "", text.New(`the manifest is at API version "%v", which the server does not serve: it refuses every apply of it`, text.Name(version)), text.New("write it at %v", text.Name(s.version)))
	return false
}

// annotationServed is an annotation's object at a version that the server
// serves: that of the live object, where its own is gone.
func (s *subject) annotationServed(object map[string]any) map[string]any {
	version, _ := object["apiVersion"].(string)
	if s.Served(version) || !s.Served(s.version) {
		return object
	}
	var hint text.Text
	if s.of.Manifest == nil {
		hint = text.New("give the manifest with -f where fields have changed their names between the two")
	}
	s.find(unserved, "", text.New("the annotation is at API version %v, which the server does not serve: it is read as one of %v", text.Name(version), text.Name(s.version)), hint)
	object = maps.Clone(object)
	object["apiVersion"] = s.version
	return object
}

// entryServed is an entry in the terms of a version that the server serves:
// that of the live object, where its own is gone.
func (s *subject) entryServed(e managedfields.Entry) managedfields.Entry {
	if s.Served(e.APIVersion) {
		return e
	}
	c := convert(s.Object, e.Set, e.APIVersion, s.version)
	s.tellConversion(e, c, s.version)
	e.Set, e.APIVersion = c.set, s.version
	return e
}

// tellUnserved reports the entries that csaupgrade makes, and the server drops.
func (s *subject) tellUnserved(after managedfields.Owners) {
	before := s.Owners.Readable()
	for _, e := range after.Readable() {
		made := !slices.ContainsFunc(before, func(b managedfields.Entry) bool { return b.Writer == e.Writer })
		if made && !s.Served(e.APIVersion) {
			s.find(unserved, "", text.New("csaupgrade makes an entry of %v at API version %v, which the server does not serve: it drops the entry with the next write, and with it all that it owns",
				text.By(e.Manager), text.Name(e.APIVersion)), text.New(upstreamFails.Fix))
		}
	}
}

// tellNoSchema reports a kind whose fields nobody can tell apart. Groups of
// Kubernetes itself have no dot, or have one and look as those of custom
// resources do.
func (s *subject) tellNoSchema(version string) {
	if !s.TypeAt(version).Deduced {
		return
	}
	what, hint := text.New("no schema is known for the kind"), text.New("give its CustomResourceDefinition with --crds")
	if kind, _ := s.Live["kind"].(string); !strings.Contains(groupOf(version), ".") {
		what, hint = text.New("the server has no kind %v in %v", text.Name(kind), text.Name(version)), text.Text{}
	}
	s.find(noSchema, "", text.New("%v, so that list items and defaults are not known", what), hint)
}
