package migration

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// role is what a field manager's name tells of what it writes.
type role int

const (
	// stranger: the name tells nothing.
	stranger role = iota
	// applier writes whole manifests with client-side apply, and nothing else
	// goes by its name.
	applier
	// writer writes whole objects, among other things perhaps.
	writer
	// collector is synthesized by the server and holds what others wrote.
	collector
	// editor changes single fields for a person.
	editor
	// controller reconciles by itself.
	controller
)

// known is what the name of a manager tells, and what is known of its program.
func known(manager, operation string) (role, writers.Manager) {
	m, ok := writers.ManagerNamed(manager, operation)
	switch {
	case !ok, m.Kind == writers.Controller && !m.Certain:
		return stranger, writers.Manager{}
	case m.Kind == writers.ClientSide && m.Whole:
		return applier, m
	case m.Whole:
		return writer, m
	case m.Kind == writers.Bookkeeping:
		return collector, m
	case m.Kind == writers.Person:
		return editor, m
	case m.Kind == writers.Controller, m.Kind == writers.Autoscaler, m.Kind == writers.GitOps:
		return controller, m
	}
	return stranger, m
}

// ServerSideName is the field manager as which the program behind a client-side entry
// applies server-side: the same name, where none is known.
func ServerSideName(manager string) string {
	_, m := known(manager, managedfields.Update)
	return cmp.Or(m.Applies, manager)
}

// evidence is what entries are judged by.
type evidence struct {
	// wished are the desired fields; nil where nothing tells.
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

// judgeEntries judges, in their order, which entries are client-side ones to migrate.
func (s parties) judgeEntries() {
	ev := s.evidence()
	for _, e := range s.Owners().Readable() {
		switch {
		case s.asksFor(e):
			s.m.Evidence = append(s.m.Evidence, Evidence{
				Writer: report.WriterOf(e), Strength: Asked, Reasons: []text.Text{named}, Migrated: true,
			})
		case s.opts.Auto == ByEvidence && e.Operation == managedfields.Update && e.Subresource == s.opts.Subresource:
			b := ev.judge(e)
			b.Migrated = b.Strength == Certain || b.Strength == Likely
			s.m.Evidence = append(s.m.Evidence, b)
		}
	}
	severity := report.SeverityError
	if slices.ContainsFunc(s.m.Evidence, func(b Evidence) bool { return b.Migrated }) {
		severity = report.SeverityWarning
	}
	for _, b := range s.m.Evidence {
		if b.Strength == Thin {
			s.tellThin(b, severity)
		}
	}
	for _, name := range s.opts.From {
		if !s.migrates(name) {
			s.find(managerMissing, "", text.New("no entry of %v is there to migrate", text.By(name)))
		}
	}
}

// asksFor reports whether an entry is to be migrated by its name. Entries of the scale
// subresource, which hold fields of the object itself, are meant too, and so is what another
// name applied.
func (s parties) asksFor(e managedfields.Entry) bool {
	own := e.Operation == managedfields.Apply && e.Manager == s.m.To.Manager
	main := e.Subresource == s.opts.Subresource || s.opts.Subresource == "" && e.Subresource == "scale"
	return slices.Contains(s.opts.From, e.Manager) && !own && main
}

func (s parties) tellThin(b Evidence, severity report.Severity) {
	hint := text.New("name the entry too: %v", s.fromFlag(b.Manager))
	if s.manifest == nil {
		hint = text.New("give the manifest with -f, or %v", hint)
	}
	s.find(
		thinEvidence.At(severity),
		"",
		text.New(
			"cannot tell whether the entry of %v came from a client-side apply of this manifest: %v",
			text.By(b.Manager),
			text.Join(b.Reasons, "; "),
		),
		hint,
	)
}

func (s parties) evidence() evidence {
	_, release := annotationsOf(s.Live)[client.ReleaseName]
	ev := evidence{release: release, manifest: s.annotation.state == soundAnnotation}
	switch {
	case s.manifest != nil:
		ev.wished, ev.of = s.manifest.set, text.New("of the manifest")
	case len(s.wishes) > 0:
		ev.wished, ev.of = s.wishes[0].set, text.New("of the last-applied annotation")
	case s.applied.Set != nil && !s.applied.Set.Empty():
		ev.wished, ev.of = s.applied.Set, text.New("that %v applies", text.By(s.m.To.Manager))
	}
	for _, e := range s.entries(managedfields.Update) {
		ev.owned += leaves(e.Set)
	}
	return ev
}

// judge reports what is believed of an Update entry.
func (ev evidence) judge(e managedfields.Entry) Evidence {
	b := Evidence{Writer: report.WriterOf(e)}
	because := func(format string, args ...text.Argument) { b.Reasons = append(b.Reasons, text.New(format, args...)) }
	role, name := known(e.Manager, e.Operation)
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
	case role == collector:
		because("the entry is that of %v", text.Name(name.Name))
	case name.Who != "":
		because("the name is that of %v", text.Name(name.Who))
	}
	if name.Applies == "helm" && ev.release {
		because("Helm marked the object as part of a release")
	}
	if len(b.Reasons) == 0 {
		because("nothing is known of it")
	}
	b.Strength = ev.strength(e, role, name.Applies == "helm" && ev.release, share)
	return b
}

// strength is how sure it is that an entry is the client-side one. Of an entry that the
// server synthesizes, only the wished fields distinguish what it owns from what others own.
func (ev evidence) strength(e managedfields.Entry, role role, released bool, share overlap) Strength {
	annotated, likely, thin := ownsAnnotation(e), false, false
	switch role {
	case controller:
		return Unrelated
	case collector:
		likely, thin = share.most(), annotated || ev.mostIn(e)
	case applier:
		likely = true
	case writer:
		likely, thin = share.most() || released, ev.mostIn(e)
	case stranger:
		thin = share.most() || annotated
	}
	switch {
	case annotated && role != collector && (ev.manifest || role != stranger):
		return Certain
	case likely:
		return Likely
	case thin:
		return Thin
	}
	return Unrelated
}

// mostIn reports whether an entry owns most of what is updated, where the wished fields are
// not known.
func (ev evidence) mostIn(e managedfields.Entry) bool {
	return ev.wished == nil && 2*leaves(e.Set) >= ev.owned
}

// doubt takes back what was believed for what the target applies alone, where
// that turned out to be a small part of the object.
func (s parties) doubt() {
	for i := range s.m.Evidence {
		b := &s.m.Evidence[i]
		if role, _ := known(b.Manager, b.Operation); b.Strength != Likely || role == applier {
			continue
		}
		b.Strength, b.Migrated = Thin, false
		b.Reasons = append(b.Reasons, text.New("but %v applies a small part of the object only", text.By(s.m.To.Manager)))
		s.tellThin(*b, report.SeverityError)
	}
}

// overlap counts the leaves of a set that an entry owns, of all.
type overlap struct{ owned, all int }

func overlapOf(set *fieldpath.Set, entry managedfields.Entry) overlap {
	owned, all := managedfields.Share(entry.Set, set)
	return overlap{owned, all}
}

// most reports whether it is half of them at least.
func (o overlap) most() bool { return o.all > 0 && 2*o.owned >= o.all }

func (o overlap) says() text.Text {
	switch {
	case o.owned < o.all:
		return text.New("%v of the %v", text.Number(o.owned), text.Count(o.all, "field"))
	case o.all == 1:
		return text.New("the only field")
	}
	return text.New("all %v", text.Count(o.all, "field"))
}

func leaves(set *fieldpath.Set) int { return set.Leaves().Size() }
