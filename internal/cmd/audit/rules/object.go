package rules

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Object is one live object with what is known of its kind. Nothing in it is
// changed.
type Object struct {
	Target report.Target
	Source report.Source
	// Live is the decoded object, Secrets unmasked.
	Live map[string]any
	// Shape is that of the object's merge type; zero where Deduced.
	Shape managedfields.Shape
	// Deduced is true where no schema is known for the kind.
	Deduced bool
	// Custom is true for the kinds of definitions, whose lists client-side apply replaces.
	Custom bool
	// Resource is the plural name for kubectl; may be empty.
	Resource string
	// Manifest is what applying the object's manifest gave; nil without one.
	Manifest *report.Result
	// Deletion is what the deletion finds by which the client ends a run without its manifest;
	// nil where it stays.
	Deletion []report.Finding
}

// Server is what the rules ask of the API server.
type Server interface {
	// Serves reports whether it serves the kind.
	Serves(schema.GroupVersionKind) bool
	// Effect returns what the next write does to a managed fields entry, given by its index in
	// metadata.managedFields, with the next apply of somebody else.
	Effect(o Object, entry int) Effect
	// Reapply is a forced apply of a configuration (JSON) to the live object,
	// by a manager that owns nothing of it.
	Reapply(o Object, configuration []byte) report.Result
	// Scaler names the autoscaler that scales an object; empty for none.
	Scaler(report.Target) string
	// Leave is how the client of an Apply entry leaves a field that it owns to the
	// autoscaler; nil where nothing scales the object, or the client is not known.
	Leave(o Object, e managedfields.Entry, path fieldpath.Path) []report.ClientFix
}

// Effect is what the API server does with a managed fields entry at a version
// that it does not serve.
type Effect string

// The fates of an entry.
const (
	// Unknown: it could not be found out.
	Unknown Effect = "Unknown"
	// Kept: as any other, since the server can still convert to the version.
	Kept Effect = "Kept"
	// Dropped: silently, with the next write.
	Dropped Effect = "Dropped"
	// Refuses: it refuses every apply because of it.
	Refuses Effect = "Refuses"
)

// Settings are the same for all objects of a run.
type Settings struct {
	Selection finding.Selection
	Clock     Clock
	// Policy says who may own what.
	Policy policy.Policy
	// Secrets says whether values of Secrets may be reported.
	Secrets Secrets
	// Kustomization is the folder whose kustomization builds the manifests; empty
	// where they are files.
	Kustomization string
	// Flags are given to every command of ssactl that fixes: what the server
	// needs to know to answer as it did here.
	Flags []shell.Flag
	// Sender are the flags that say whose requests an apply sends.
	Sender []shell.Flag
	// Inputs are the flags that name all that is read.
	Inputs []shell.Flag
	// Lives are those that name the live objects; nil where they are too many for a command.
	Lives []shell.Flag
}

// Secrets says what is done with the values of Secrets.
type Secrets int

// What is done with the values of Secrets.
const (
	HideSecrets Secrets = iota
	ShowSecrets
)

// view is an object as the rules see it: nothing in it changes.
type view struct {
	Object
	Settings
	server Server
	owners managedfields.Owners
	// entries are the readable ones, and cares who keeps each of them up.
	entries []managedfields.Entry
	cares   []care
}

// examined is an object while it is examined, with what was found so far.
type examined struct {
	view
	// told are the entries that a rule has reported as no longer kept up:
	// other rules are then silent about them.
	told map[managedfields.Role]bool
	// leftOvers are the paths that left-over-field tells, and said the fields of rules
	// that say more of one than who owns it.
	leftOvers *fieldpath.Set
	said      map[string]bool
	out       []report.Finding
}

func newSubject(o Object, server Server, settings Settings) *examined {
	owners := managedfields.Of(o.Live)
	v := view{Object: o, Settings: settings, server: server, owners: owners, entries: owners.Readable()}
	v.entries = v.entries[:min(len(v.entries), maxEntries)]
	for _, e := range v.entries {
		v.cares = append(v.cares, careOf(e))
	}
	return &examined{view: v, told: map[managedfields.Role]bool{}, leftOvers: fieldpath.NewSet(), said: map[string]bool{}}
}

// maxEntries is how many entries are compared with each other. A server never
// comes near: it keeps ten Update entries.
const maxEntries = 100

func (s *view) kind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(s.Target.APIVersion, s.Target.Kind)
}

// shapeAt is the shape of what a path leads to.
func (s *view) shapeAt(path fieldpath.Path) managedfields.Shape {
	shape := s.Shape
	for _, pe := range path {
		shape = shape.Child(pe)
	}
	return shape
}

func (s *view) secret() bool { return s.Target.APIVersion == "v1" && s.Target.Kind == "Secret" }

// finding is one of a rule on this object: the manager and the fields that it is about,
// what it says, and how to fix it.
func (s *view) finding(
	rule finding.Rule,
	manager string,
	fields []string,
	message text.Text,
	fixes ...report.Fix,
) report.Finding {
	fixes = slices.DeleteFunc(fixes, func(f report.Fix) bool { return f.Command.None() })
	f := rule.On(s.Target, s.Source, message, fixes...).About(fields...)
	f.Manager = manager
	return f
}

// find adds a finding.
func (s *examined) find(rule finding.Rule, manager string, fields []string, message text.Text, fixes ...report.Fix) {
	s.add(s.finding(rule, manager, fields, message, fixes...))
}

func (s *examined) add(f report.Finding) { s.out = append(s.out, f) }

// tell keeps the rules that come after from telling of the fields of a finding that counts.
func (s *examined) tell(f report.Finding) {
	if s.Selection.Has(f.Rule) {
		for _, field := range f.Fields {
			s.said[field] = true
		}
	}
}

// isSaid reports whether a finding that counts tells of a field, or of what it is in.
func (s *examined) isSaid(field string) bool {
	for said := range s.said {
		if managedfields.Within(field, said) {
			return true
		}
	}
	return false
}
