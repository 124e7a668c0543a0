package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// evidence is what entries are judged by.
type evidence struct {
	// wished are the fields that somebody wishes; nil where nothing tells.
	wished *fieldpath.Set
	// of says whose they are.
	of text.Text
	// owned counts the leaves that Update entries own.
	owned int
	// release reports whether Helm marked the object as its own.
	release bool
	// manifest reports whether the annotation holds a manifest of the object.
	manifest bool
}

// judge reports what is believed of an Update entry.
func (ev evidence) judge(e managedfields.Entry) Evidence {
	b := Evidence{Writer: report.WriterOf(e), Strength: Unrelated}
	because := func(format string, args ...text.Argument) { b.Reasons = append(b.Reasons, text.New(format, args...)) }
	name := lookUp(e.Manager)
	share := overlap{}
	if ev.wished != nil {
		share = overlapOf(ev.wished, e)
	}
	if ownsAnnotation(e) {
		because("it owns the last-applied annotation, which only a client-side apply writes")
	}
	if share.owned > 0 {
		because("it owns %v %v", share.says(), ev.of)
	}
	switch {
	case name.role == collector:
		because("the entry is %v", text.Name(name.about))
	case name.about != "":
		because("the name is that of %v", text.Name(name.about))
	}
	if name.applies == "helm" && ev.release {
		because("Helm marked the object as part of a release")
	}
	b.Strength = ev.strength(e, name, share)
	if len(b.Reasons) == 0 {
		because("nothing is known of it")
	}
	return b
}

func (ev evidence) strength(e managedfields.Entry, name known, share overlap) Strength {
	switch name.role {
	case controller:
		return Unrelated
	case collector:
		return ev.collected(e, share)
	}
	switch {
	case ownsAnnotation(e) && (ev.manifest || name.role != stranger):
		return Certain
	case name.role == applier:
		return Likely
	case name.role == editor:
		return Unrelated
	case name.role == writer && (share.most() || name.applies == "helm" && ev.release):
		return Likely
	case name.role == writer && ev.wished == nil && ev.wroteMost(e):
		return Thin
	case name.role == stranger && (share.most() || ownsAnnotation(e)):
		return Thin
	}
	return Unrelated
}

// collected judges an entry that the server synthesizes: only the desired fields
// distinguish what it owns from what others own.
func (ev evidence) collected(e managedfields.Entry, share overlap) Strength {
	switch {
	case share.most():
		return Likely
	case ownsAnnotation(e) || ev.wished == nil && ev.wroteMost(e):
		return Thin
	}
	return Unrelated
}

// wroteMost reports whether an entry has half of what updates own.
func (ev evidence) wroteMost(e managedfields.Entry) bool { return 2*leaves(e.Set) >= ev.owned }

func ownsAnnotation(e managedfields.Entry) bool { return managedfields.Covers(e.Set, lastAppliedPath) }

// isRelease reports whether Helm marked the object as its own.
func isRelease(live map[string]any) bool {
	_, ok := annotationsOf(live)["meta.helm.sh/release-name"]
	return ok
}

// beliefs judges, in their order, which entries are client-side ones to migrate.
func (s *subject) beliefs() []Evidence {
	out := []Evidence{}
	ev := s.evidence()
	for _, e := range s.Owners.Readable() {
		if s.isAsked(e) {
			out = append(out, Evidence{Writer: report.WriterOf(e), Strength: Asked, Reasons: []text.Text{named}, Migrated: true})
			continue
		}
		if s.opts.Auto != ByEvidence || e.Operation != managedfields.Update || e.Subresource != s.opts.Subresource {
			continue
		}
		b := ev.judge(e)
		b.Migrated = b.Strength == Certain || b.Strength == Likely
		out = append(out, b)
	}
	return out
}

func (s *subject) evidence() evidence {
	ev := evidence{release: isRelease(s.Live), manifest: s.annotation.state == soundAnnotation}
	switch {
	case len(s.wishes) > 0:
		ev.wished, ev.of = s.wishes[0].set, text.New("of the last-applied annotation")
		if s.manifest != nil {
			ev.of = text.New("of the manifest")
		}
	case s.applied.Set != nil && !s.applied.Set.Empty():
		ev.wished, ev.of = s.applied.Set, text.New("that %v applies", text.By(s.to.Manager))
	}
	for _, e := range s.Owners.Readable() {
		if e.Operation == managedfields.Update && e.Subresource == s.opts.Subresource {
			ev.owned += leaves(e.Set)
		}
	}
	return ev
}

// isAsked reports whether the user names the entry: those of the scale
// subresource, which hold fields of the object itself, are meant too, and
// what another name applied.
func (s *subject) isAsked(e managedfields.Entry) bool {
	if !slices.Contains(s.opts.From, e.Manager) {
		return false
	}
	if e.Operation == managedfields.Apply && e.Manager == s.to.Manager {
		return false
	}
	return e.Subresource == s.opts.Subresource || s.opts.Subresource == "" && e.Subresource == "scale"
}

// doubt takes back what was believed for what the target applies alone, where
// that turned out to be a small part of the object.
func (s *subject) doubt() {
	for i := range s.result.Evidence {
		b := &s.result.Evidence[i]
		if role := lookUp(b.Manager).role; b.Strength != Likely || role == applier {
			continue
		}
		b.Strength, b.Migrated = Thin, false
		b.Reasons = append(b.Reasons, text.New("but %v applies a small part of the object only", text.By(s.to.Manager)))
		s.tellThin(*b, report.SeverityError)
	}
}

func leaves(set *fieldpath.Set) int { return set.Leaves().Size() }
