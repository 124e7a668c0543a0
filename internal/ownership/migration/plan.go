package migration

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Object is one object to plan for.
type Object struct {
	Target report.Target
	// Live is the object as the server reads JSON. It is never changed.
	Live   map[string]any
	Source report.Source
	// Manifest is what is to be applied from now on; nil when it is not given.
	Manifest       map[string]any
	ManifestSource *report.Source
}

// Run plans one object with a server that knows its kind. It always gives a
// Migration: where no answer could be given, panics of server code included,
// the verdict is Failed.
func Run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	return guard.Or(func() Migration { return run(ctx, server, o, opts, now) }, func(err error) Migration { return Failure(o, err) })
}

func run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	apiVersion, _ := o.Live["apiVersion"].(string)
	kind, _ := o.Live["kind"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return Failure(o, fmt.Errorf("parse the live object's apiVersion: %w", err))
	}
	object, err := ownership.Of(ctx, server, engine.Write{
		Kind: gv.WithKind(kind), Namespace: o.Target.Namespace, Name: o.Target.Name, LiveObject: o.Live, Now: now,
	})
	if err != nil {
		return Failure(o, err)
	}
	if opts.Send != nil {
		object.Send = opts.Send
	}
	m := newSubject(object, o, opts).plan()
	if m.Resource = kind; server.Resource(object.Write.Kind).Known {
		m.Resource = server.Resource(object.Write.Kind).Resource
	}
	return m
}

// plan reports what a migration of the object does.
func (s *subject) plan() Migration {
	switch {
	case !s.readable():
		return s.blocked()
	case s.opts.Mode == Compatible:
		return s.planCompatible()
	case s.opts.Mode == Reverse:
		return s.planReverse()
	}
	return s.planComplete()
}

// Failure is the Migration where no answer could be given.
func Failure(o Object, err error) Migration {
	m := blank(o)
	m.Verdict, m.Error = Failed, err.Error()
	return m
}

func blank(o Object) Migration {
	return Migration{
		Target: o.Target, Source: o.Source, Manifest: o.ManifestSource,
		Evidence: []Evidence{}, Basis: ByNothing, Annotation: AnnotationEffect{Effect: Absent},
		Before: []EntrySummary{}, After: []EntrySummary{},
		Gained: []Gained{}, Lost: []Lost{}, CoOwners: []CoOwner{}, Findings: []finding.Finding{},
		Live: o.Live, Object: o.Live,
	}
}

// subject is an object under plan.
type subject struct {
	*ownership.Object
	of      Object
	opts    Options
	version string
	// annotation is the last-applied one, manifest what is given.
	annotation annotation
	manifest   *wish
	// wishes are the manifest, then the annotation, as far as they are there.
	wishes []*wish
	to     Choice
	// applied is the target's own entry; its set is nil where it has none.
	applied  managedfields.Entry
	basis    Basis
	findings []finding.Finding
	result   Migration
}

func newSubject(w *ownership.Object, o Object, opts Options) *subject {
	s := &subject{Object: w, of: o, opts: opts, result: blank(o), basis: ByNothing}
	s.version, _ = o.Live["apiVersion"].(string)
	s.annotation = readAnnotation(o.Live)
	return s
}

// readable reports whether the entries can be planned with. What the server
// itself cannot read is nothing to migrate, but to clear.
func (s *subject) readable() bool {
	switch {
	case s.Owners.Err != nil:
		s.find(unreadable, ".metadata.managedFields", text.New("%v", text.Said(s.Owners.Err.Error())), text.New(program.In("'ssactl clear' resets managedFields")))
	case len(s.Owners.Entries) == 0 && s.hasFields():
		s.find(noManagedFields, ".metadata.managedFields", text.New("the live object came without managedFields, so that nothing is known of its owners"))
	}
	for _, e := range s.Owners.Broken() {
		s.find(unreadable, fmt.Sprintf(".metadata.managedFields[%d]", e.Index),
			text.New("the entry of manager %v cannot be read: %v", text.By(e.Manager), text.Said(e.Err.Error())))
	}
	s.checkServed()
	return !s.blocks()
}

// hasFields reports whether the object has a field that somebody could own.
func (s *subject) hasFields() bool {
	for _, leaf := range s.Owners.Unowned(s.Live, shapeAt(s.Object, s.version)) {
		if len(leaf.Path) > 0 && leaf.Path[0].String() != ".status" {
			return true
		}
	}
	return false
}

// blocked is the answer where a finding stands in the way.
func (s *subject) blocked() Migration {
	m := s.result
	m.Verdict = Blocked
	m.Before = summaries(s.Owners)
	m.After = m.Before
	m.Findings = s.sorted()
	return m
}

func (s *subject) planComplete() Migration {
	s.readWishes()
	s.to = s.chooseTarget()
	s.result.To = s.to
	s.applied = s.entryOf(s.to.Manager)
	s.result.Evidence = s.beliefs()
	s.checkEvidence()
	sources := s.sources()
	if len(sources) == 0 && !s.hasLoneAnnotation() && !s.dropsAnnotation() {
		return s.nothing()
	}
	if s.annotationStandsInTheWay() || s.blocks() {
		return s.blocked()
	}
	s.chooseBasis()
	return s.migrate(sources)
}

// readWishes reads what the manifest and the annotation wish.
func (s *subject) readWishes() {
	owned := s.Owners.Set()
	if s.of.Manifest != nil && s.manifestServed() {
		w, err := newWish(s.Object, withoutAnnotation(s.of.Manifest), s.Live, owned)
		if err != nil {
			s.find(manifestUnusable, "", text.New("the manifest's fields are not known: %v", text.Said(err.Error())))
		} else {
			s.manifest = w
			s.wishes = append(s.wishes, w)
		}
	}
	if s.annotation.state == soundAnnotation {
		w, err := newWish(s.Object, s.annotationServed(withoutAnnotation(s.annotation.object)), s.Live, owned)
		if err != nil {
			s.annotation = broken("its fields do not fit the kind")
			return
		}
		s.wishes = append(s.wishes, w)
	}
}

// entryOf is the Apply entry of a manager; its set is nil where there is none.
func (s *subject) entryOf(manager string) managedfields.Entry {
	for _, e := range s.Owners.Readable() {
		if e.Manager == manager && e.Operation == managedfields.Apply && e.Subresource == s.opts.Subresource {
			return e
		}
	}
	return managedfields.Entry{}
}

// sources are the entries to migrate, in their order.
func (s *subject) sources() []managedfields.Entry {
	var out []managedfields.Entry
	for _, e := range s.Owners.Readable() {
		if slices.ContainsFunc(s.result.Evidence, func(b Evidence) bool { return b.Migrated && b.Writer == report.WriterOf(e) }) {
			out = append(out, e)
		}
	}
	return out
}

// checkEvidence reports where evidence is thin, and who is not there.
func (s *subject) checkEvidence() {
	severity := report.SeverityError
	if slices.ContainsFunc(s.result.Evidence, func(b Evidence) bool { return b.Migrated }) {
		severity = report.SeverityWarning
	}
	for _, b := range s.result.Evidence {
		if b.Strength == Thin {
			s.tellThin(b, severity)
		}
	}
	for _, name := range s.opts.From {
		if !slices.ContainsFunc(s.result.Evidence, func(b Evidence) bool { return b.Manager == name && b.Migrated }) {
			s.find(managerMissing, "", text.New("no entry of %v is there to migrate", text.By(name)))
		}
	}
}

func (s *subject) tellThin(b Evidence, severity report.Severity) {
	hint := text.New("name the entry too: %v", s.fromFlag(b.Manager))
	if s.manifest == nil {
		hint = text.New("give the manifest with -f, or %v", hint)
	}
	s.find(thinEvidence.At(severity), "", text.New("cannot tell whether the entry of %v came from a client-side apply of this manifest: %v", text.By(b.Manager), text.Join(b.Reasons, "; ")), hint)
}

// hasLoneAnnotation reports whether there is an annotation whose Update entry is
// gone: nobody applies it, and it says what nobody's entry does.
func (s *subject) hasLoneAnnotation() bool {
	if s.opts.Auto != ByEvidence || s.opts.Subresource != "" || s.annotation.state == noAnnotation || s.annotationApplied() {
		return false
	}
	by := s.annotationOwners()
	if s.annotation.state == foreignAnnotation {
		// Controllers copy annotations to what they make of an object.
		return slices.ContainsFunc(by, func(e managedfields.Entry) bool { return lookUp(e.Manager).role != controller })
	}
	return true
}

// annotationOwners are the entries that own the annotation.
func (s *subject) annotationOwners() []managedfields.Entry {
	return slices.DeleteFunc(s.Owners.Readable(), func(e managedfields.Entry) bool { return !ownsAnnotation(e) })
}

// annotationApplied reports whether somebody applies the annotation on purpose.
func (s *subject) annotationApplied() bool {
	return slices.ContainsFunc(s.annotationOwners(), func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Apply
	})
}

// dropsAnnotation reports whether the user wants an annotation gone that is
// there.
func (s *subject) dropsAnnotation() bool {
	_, ok := annotationsOf(s.Live)[LastApplied]
	return ok && s.opts.Annotation == DropAnnotation && s.opts.Subresource == ""
}

// annotationStandsInTheWay reports an annotation that cannot be used. With a
// manifest it is not needed.
func (s *subject) annotationStandsInTheWay() bool {
	rule := annotationBroken
	switch {
	case s.annotation.state == foreignAnnotation:
		rule = annotationForeign
	case s.annotation.state != brokenAnnotation:
		return false
	}
	severity, hint := report.SeverityError, text.New("give the manifest with -f, or rewrite the annotation with kubectl apply set-last-applied")
	if s.manifest != nil || s.dropsAnnotation() {
		severity, hint = report.SeverityWarning, text.Text{}
	}
	s.find(rule.At(severity), lastAppliedPath.String(), s.annotation.problem, hint)
	return severity == report.SeverityError
}

// chooseBasis chooses the source of the desired fields.
func (s *subject) chooseBasis() {
	switch {
	case s.manifest != nil:
		s.basis = ByManifest
	case len(s.wishes) > 0:
		s.basis = ByAnnotation
	case s.applied.Set != nil:
		s.basis = ByEntry
	}
	s.result.Basis = s.basis
}

func (s *subject) nothing() Migration {
	m := s.result
	m.Verdict = NothingToDo
	m.To = s.to
	m.Before = summaries(s.Owners)
	m.After = m.Before
	if _, ok := annotationsOf(s.Live)[LastApplied]; ok {
		m.Annotation = AnnotationEffect{Effect: Untouched}
	}
	if s.blocks() {
		m.Verdict = Blocked
	} else {
		s.result.Next = s.nextAsIs()
		s.tellNext()
		m.Next = s.result.Next
	}
	m.Findings = s.sorted()
	return m
}

// changed reports whether the plan changes the object.
func changed(before, after map[string]any) bool { return !reflect.DeepEqual(before, after) }
