package migration

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// subject is an object under plan: what is known of it, and the answer as far as it is
// made.
type subject struct {
	*ownership.Object
	opts Options
	// version is that of the live object.
	version    string
	annotation annotation
	// given is the manifest of the input, and manifest what it wishes; nil for none.
	given    map[string]any
	manifest *wish
	// wishes are the manifest's and the annotation's, as far as they can be read.
	wishes []*wish
	// applied is the target's own entry; its set is nil where it has none.
	applied managedfields.Entry
	m       Migration
}

// find adds a finding on the object, or on a field of it, with what to do about it where
// that is not the rule's.
func (s *subject) find(rule finding.Rule, field string, message text.Text, fix ...text.Text) {
	var fixes []report.Fix
	for _, does := range fix {
		if !does.IsZero() {
			fixes = append(fixes, report.Fix{Does: does})
		}
	}
	f := rule.On(s.m.Target, s.m.Source, message, fixes...)
	if field != "" {
		f = f.About(field)
	}
	s.m.Findings = append(s.m.Findings, f)
}

// blocks reports whether one of the findings blocks the plan.
func (s *subject) blocks() bool {
	return slices.ContainsFunc(s.m.Findings, func(f report.Finding) bool { return f.Severity == blocks })
}

// finished is the answer, with the object that the plan leaves.
func (s *subject) finished(verdict Verdict, object map[string]any) Migration {
	m := s.m
	m.Verdict, m.Object = verdict, object
	m.Before, m.After = summaries(s.Owners()), summaries(managedfields.Of(object))
	slices.SortStableFunc(m.Findings, func(a, b report.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Field, b.Field),
		)
	})
	return m
}

// blocked is the answer where a finding stands in the way.
func (s *subject) blocked() Migration { return s.finished(Blocked, s.Live) }

// nothing is the answer where nothing is to be migrated.
func (s *subject) nothing() Migration {
	if s.annotated() {
		s.m.Annotation = AnnotationEffect{Effect: Untouched}
	}
	if s.blocks() {
		return s.blocked()
	}
	if s.manifest != nil && s.m.To.Manager != "" && s.opts.Subresource == "" {
		apply := s.claimsAt(s.manifest.version).nextApply(s.Live, s.manifest.object)
		s.m.Next = &Next{Manager: s.m.To.Manager, Body: ByManifest, Before: apply, After: apply}
		s.tellNext()
	}
	return s.finished(NothingToDo, s.Live)
}

// readable reports whether the entries can be planned with. What the server
// itself cannot read is nothing to migrate, but to clear.
func (s *subject) readable() bool {
	switch {
	case s.Owners().Err != nil:
		s.find(
			unreadable,
			".metadata.managedFields",
			text.New("%v", text.Said(s.Owners().Err.Error())),
			text.New(program.In("'ssactl clear' resets managedFields")),
		)
	case len(s.Owners().Entries) == 0 &&
		slices.ContainsFunc(s.Owners().Unowned(s.Live, shapeAt(s.Object, s.version)), ownable):
		s.find(
			noManagedFields,
			".metadata.managedFields",
			text.New("the live object came without managedFields, so that nothing is known of its owners"),
		)
	}
	for _, e := range s.Owners().Broken() {
		s.find(unreadable, fmt.Sprintf(".metadata.managedFields[%d]", e.Index),
			text.New("the entry of manager %v cannot be read: %v", text.By(e.Manager), text.Said(e.Err.Error())))
	}
	if !s.Served(s.version) {
		// The server drops entries of such a version with the next write. Upstream's plan is
		// made without the server.
		severity, fix := blocks, text.Text{}
		if s.opts.Mode == Compatible {
			severity = warns
		}
		if as := s.ServedAs(); as != "" {
			fix = text.New("fetch it as %v", text.Name(as))
		}
		s.find(
			unserved.At(severity),
			"",
			text.New("the live object is at API version %v, which the server does not serve", text.Name(s.version)),
			fix,
		)
	}
	return !s.blocks()
}

// ownable reports whether a manager could own a leaf by an apply of the object.
func ownable(leaf managedfields.Leaf) bool {
	return len(leaf.Path) > 0 && leaf.Path[0].String() != ".status"
}

// annotated reports whether the object has the annotation, in any state.
func (s *subject) annotated() bool {
	_, ok := annotationsOf(s.Live)[LastApplied]
	return ok
}

// readWishes reads what the manifest and the annotation wish.
func (s *subject) readWishes() {
	owned := s.Owners().Set()
	if s.given != nil && s.manifestServed() {
		w, err := newWish(s.Object, withoutAnnotation(s.given), owned)
		if err != nil {
			s.find(manifestUnusable, "", text.New("the manifest's fields are not known: %v", text.Said(err.Error())))
		} else {
			s.manifest, s.wishes = w, append(s.wishes, w)
		}
	}
	if s.annotation.state == soundAnnotation {
		w, err := newWish(s.Object, s.annotationServed(withoutAnnotation(s.annotation.object)), owned)
		if err != nil {
			s.annotation = unusable(brokenAnnotation, text.New("its fields do not fit the kind"))
			return
		}
		s.wishes = append(s.wishes, w)
	}
}

// manifestServed reports whether the server serves the manifest's version; it
// refuses every apply of one that it does not.
func (s *subject) manifestServed() bool {
	version, _ := s.given["apiVersion"].(string)
	if s.Served(version) {
		return true
	}
	s.find(
		manifestUnusable,
		"",
		text.New(
			`the manifest is at API version "%v", which the server does not serve: it refuses every apply of it`,
			text.Name(version),
		),
		text.New("write it at %v", text.Name(s.version)),
	)
	return false
}

// annotationServed is an annotation's object at a version that the server
// serves: that of the live object, where its own is gone.
func (s *subject) annotationServed(object map[string]any) map[string]any {
	version, _ := object["apiVersion"].(string)
	if s.Served(version) || !s.Served(s.version) {
		return object
	}
	var fix text.Text
	if s.given == nil {
		fix = text.New("give the manifest with -f where fields have changed their names between the two")
	}
	s.find(
		unserved,
		"",
		text.New(
			"the annotation is at API version %v, which the server does not serve: it is read as one of %v",
			text.Name(version),
			text.Name(s.version),
		),
		fix,
	)
	object = maps.Clone(object)
	object["apiVersion"] = s.version
	return object
}

// chooseBasis chooses the source of the desired fields.
func (s *subject) chooseBasis() {
	switch {
	case s.manifest != nil:
		s.m.Basis = ByManifest
	case len(s.wishes) > 0:
		s.m.Basis = ByAnnotation
	case s.applied.Set != nil:
		s.m.Basis = ByEntry
	}
}

// entries are those of an operation for the planned subresource, in their order.
func (s *subject) entries(operation string) []managedfields.Entry {
	return slices.DeleteFunc(s.Owners().Readable(), func(e managedfields.Entry) bool {
		return e.Operation != operation || e.Subresource != s.opts.Subresource
	})
}

// entryOf is the Apply entry of a manager; its set is nil where there is none.
func (s *subject) entryOf(manager string) managedfields.Entry {
	for _, e := range s.entries(managedfields.Apply) {
		if e.Manager == manager {
			return e
		}
	}
	return managedfields.Entry{}
}

// sources are the entries to migrate, in their order.
func (s *subject) sources() []managedfields.Entry {
	return slices.DeleteFunc(s.Owners().Readable(), func(e managedfields.Entry) bool {
		return !slices.ContainsFunc(
			s.m.Evidence,
			func(b Evidence) bool { return b.Migrated && b.Writer == report.WriterOf(e) },
		)
	})
}

// migrates reports whether an entry of a manager is migrated.
func (s *subject) migrates(manager string) bool {
	return slices.ContainsFunc(s.m.Evidence, func(b Evidence) bool { return b.Migrated && b.Manager == manager })
}

// annotationOwners are the entries that own the annotation.
func (s *subject) annotationOwners() []managedfields.Entry {
	return slices.DeleteFunc(s.Owners().Readable(), func(e managedfields.Entry) bool { return !ownsAnnotation(e) })
}

func ownsAnnotation(e managedfields.Entry) bool { return managedfields.Covers(e.Set, lastAppliedPath) }

// hasLoneAnnotation reports whether there is an annotation whose Update entry is
// gone: no manager applies it, and no entry says what it does.
func (s *subject) hasLoneAnnotation() bool {
	by := s.annotationOwners()
	applied := slices.ContainsFunc(by, func(e managedfields.Entry) bool { return e.Operation == managedfields.Apply })
	if s.opts.Auto != ByEvidence || s.opts.Subresource != "" || s.annotation.state == noAnnotation || applied {
		return false
	}
	// Controllers copy annotations to what they make of an object.
	return s.annotation.state != foreignAnnotation ||
		slices.ContainsFunc(
			by,
			func(e managedfields.Entry) bool { role, _ := known(e.Manager, e.Operation); return role != controller },
		)
}

// dropsAnnotation reports whether the user wants an annotation gone that is
// there.
func (s *subject) dropsAnnotation() bool {
	return s.annotated() && s.opts.Annotation == DropAnnotation && s.opts.Subresource == ""
}

// checkAnnotation reports an annotation that cannot be used. With a manifest it is not
// needed.
func (s *subject) checkAnnotation() {
	rule := annotationBroken
	switch s.annotation.state {
	case foreignAnnotation:
		rule = annotationForeign
	case noAnnotation, soundAnnotation:
		return
	}
	fix := text.New("give the manifest with -f, or rewrite the annotation with kubectl apply set-last-applied")
	if s.manifest != nil || s.dropsAnnotation() {
		rule, fix = rule.At(warns), text.Text{}
	}
	s.find(rule, lastAppliedPath.String(), s.annotation.problem, fix)
}

// fromFlag names a manager in addition to those that are looked for.
func (s *subject) fromFlag(manager string) text.Arg {
	flag := shell.Value("--from", FromValue(manager)).String()
	if s.opts.Auto == ByEvidence {
		flag = "--from=auto " + flag
	}
	return text.Name(flag)
}

// few is how many fields or owners a sentence lists.
const few = 4

// listed are fields in a sentence.
func listed(fields []string) text.Text { return text.Paths(fields, few, len(fields)) }

func owner(w report.Writer) text.Text { return text.Entry(w.Manager, w.Operation, w.Subresource) }
