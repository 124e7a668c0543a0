package rules

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var entryVersionRemoved = finding.Rule{
	Name: "entry-version-removed", Severity: report.SeverityWarning,
	Title: "An entry is at an API version that is not served.",
	Why:   "Of a built-in kind, the API server drops the entry with the next write: its fields silently lose this owner, and a field without owner stays when manifests drop it. Of a custom resource, it refuses every apply until the entry is gone.",
}

var objectVersionRemoved = finding.Rule{
	Name: "object-version-removed", Severity: report.SeverityWarning,
	Title: "The object is at an API version that is not served.",
	Why:   "Manifests and clients that use this version are answered 404.",
}

// findObjectVersion finds an object at a version that the server does not serve, of a kind
// that it serves at another.
func findObjectVersion(s *examined) {
	kind := s.kind()
	if s.server.Serves(kind) {
		return
	}
	served := api.ServedAs(kind, s.server.Serves)
	gv, err := schema.ParseGroupVersion(served)
	if served == "" || err != nil {
		return
	}
	get := kubectl.Get{Namespace: s.Target.Namespace, Selections: []kubectl.Selection{{
		Type: strings.ToLower(s.Target.Kind) + "." + gv.Version + "." + gv.Group, Names: []string{s.Target.Name},
	}}}
	s.find(
		objectVersionRemoved,
		"",
		nil,
		text.New(
			"%v is not served as %v, but as %v", text.Name(s.Target.Kind), text.Name(s.Target.APIVersion),
			text.Name(served),
		),
		fix(get.YAML(), text.New("fetches it as %v, which manifests should use too", text.Name(served))),
	)
}

// findEntryVersions finds entries at versions that the server does not serve, of objects at
// one that it serves.
func findEntryVersions(s *examined) {
	kind := s.kind()
	if !s.server.Serves(kind) {
		return
	}
	for _, e := range s.entries {
		gv, err := schema.ParseGroupVersion(e.APIVersion)
		if err != nil || s.server.Serves(gv.WithKind(kind.Kind)) {
			continue
		}
		entryRemoved(s, e)
	}
}

// entryRemoved reports what the next write does to an entry at a version that is not
// served. A version that the server still converts to is as good as any.
func entryRemoved(s *examined, e managedfields.Entry) {
	fields := s.fields(e.Set.Leaves())
	says := text.New("the entry of %v is at %v, which is not served", nameOf(e.Role), text.Name(e.APIVersion))
	severity := report.SeverityWarning
	switch s.server.Effect(s.Object, e.Index) {
	case Dropped:
		says = says.And(": ", text.New("the API server drops it with its %v", text.Count(len(fields), "field")))
	case Refuses:
		says, severity = says.And(
			": ",
			text.New("the API server refuses every apply to the object because of it"),
		), report.SeverityError
	default:
		return
	}
	s.told[e.Role] = true
	f := s.finding(entryVersionRemoved, e.Manager, fields, says, fixRemoved(s, e)...)
	f.Severity = severity
	s.add(f)
}

func fixRemoved(s *examined, e managedfields.Entry) []report.Fix {
	out := []report.Fix{
		fix(
			s.about(clearIt, shell.Switch("--unserved")),
			text.New("removes the entries at versions that are not served; what they alone owned stays, unowned"),
		),
	}
	heir := e.Manager
	if e.Operation != managedfields.Apply {
		applies := s.applies()
		switch {
		case len(applies) > 0:
			heir = applies[0].Manager
		case e.Set.Has(lastAppliedPath):
			return append(
				out,
				fix(
					s.about(migrateIt, from(e)),
					text.New("moves the object to server-side apply, with the entry's fields at a version that is served"),
				),
			)
		default:
			return out
		}
	}
	return append(
		out,
		fix(
			s.about(migrateIt, from(e), shell.Value("--to", heir)),
			text.New("gives its fields to %v at a version that is served", text.By(heir)),
		),
	)
}
