package transfer

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of remarks on what a plan rests on, and on what it leaves.
var (
	manifestUnknown = finding.Rule{
		Name:     "manifest-unknown",
		Severity: report.SeverityNote,
		Title:    "The manifest of a manager is put together from the fields that it owns.",
		Why:      "What it applies may have other fields, and values in another spelling.",
	}
	manifestDrops = finding.Rule{
		Name:     "manifest-drops",
		Severity: report.SeverityWarning,
		Title:    "A given manifest does not have a field any more.",
		Why:      "The next apply drops the field, before it is handed over.",
	}
	coOwner = finding.Rule{Name: "co-owner", Severity: report.SeverityNote, Title: "Another manager owns a field too.",
		Why: "It goes on to own the field."}
	writesByUpdates = finding.Rule{
		Name:     "writes-by-updates",
		Severity: report.SeverityWarning,
		Title:    "The former owner writes by updates.",
		Why:      "No step can take the field out of its source, and its updates never conflict.",
	}
	kubectlMoves = finding.Rule{
		Name:     "kubectl-moves-entries",
		Severity: report.SeverityWarning,
		Title:    "kubectl moves client-side entries to the manager that applies.",
		Why:      "An apply then removes the fields that the manifest lacks.",
	}
)

// Rules are all rules.
func Rules() finding.Rules {
	return finding.Rules{manifestUnknown, manifestDrops, coOwner, writesByUpdates, kubectlMoves}
}

func (s *subject) find(rule finding.Rule, format string, args ...text.Argument) report.Finding {
	return rule.On(s.Write.Target(), s.Write.LiveAt(), text.New(format, args...))
}

// impossible says why nothing can be handed over; empty where it can.
func (s *subject) impossible() text.Text {
	if s.q.From == s.q.To {
		return text.New(
			program.In("%v cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry"),
			text.By(s.q.From),
		)
	}
	var missing []string
	var foreign []handed
	for _, f := range s.fields {
		if s.q.Scaler != "" && s.q.Writes == ByApply && s.q.From == writers.ControllerManager && f.field == writers.Replicas {
			return text.New(
				"%v scales the object, and owns %v again from its next change on: applies of %v then conflict, or undo the scaling; leave the field out of its manifest",
				text.Name(s.q.Scaler),
				text.Path(f.field),
				text.By(s.q.To),
			)
		}
		switch {
		case f.value.Missing:
			missing = append(missing, f.field)
		case len(f.leaves) == 0 && !s.drops(f):
			foreign = append(foreign, f)
		}
	}
	switch {
	case len(missing) > 0:
		return text.New(
			"the live object does not have %v, so that there is no value to hand over",
			text.Paths(missing, len(missing), len(missing)),
		)
	case len(foreign) > 0:
		return text.New(
			"%v does not own %v%v",
			text.By(s.q.From),
			text.List(foreign, len(foreign), s.withOwners),
			elsewhere(s.Live),
		)
	}
	return text.Text{}
}

// withOwners is a field with its owners.
func (s *subject) withOwners(f handed) text.Text {
	if names := Owners(s.Live, f.path); len(names) > 0 {
		return text.New("%v (owned by %v)", text.Path(f.field), text.Names(names))
	}
	return text.New("%v (no manager does)", text.Path(f.field))
}

// Owners are the managers that own a field of an object or something in it,
// sorted.
func Owners(object map[string]any, path fieldpath.Path) []string {
	var out []string
	for _, w := range ownersOf(managedfields.Of(object), path) {
		if !slices.Contains(out, w.Manager) {
			out = append(out, w.Manager)
		}
	}
	return out
}

// elsewhere says which entries are at another API version than the object's, in which
// fields may have other names; empty without any.
func elsewhere(object map[string]any) text.Text {
	var found []report.Writer
	for _, e := range managedfields.Of(object).Readable() {
		w := report.Writer{Manager: e.Manager, APIVersion: e.APIVersion}
		if e.APIVersion != object["apiVersion"] && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	if found == nil {
		return text.Text{}
	}
	return text.New(
		" (at other API versions, where fields may have other names, there are entries of %v)",
		text.List(found, len(found), func(w report.Writer) text.Text {
			return text.New("%v at %v", text.By(w.Manager), text.Name(w.APIVersion))
		}),
	)
}

// remarks are on what the plan rests on.
func (s *subject) remarks() []report.Finding {
	var out []report.Finding
	add := func(rule finding.Rule, format string, args ...text.Argument) {
		out = append(out, s.find(rule, format, args...))
	}
	from := text.By(s.q.From)
	if len(s.applies) > 0 && s.q.FromManifest == nil {
		add(
			manifestUnknown,
			"the manifest of %v is put together from the fields that it owns; --from-manifest names the real one",
			from,
		)
	}
	if s.q.Writes == ByApply && s.q.ToManifest == nil {
		add(
			manifestUnknown,
			"the manifest of %v is put together from the fields that it owns; --to-manifest names the real one",
			text.By(s.q.To),
		)
	}
	for _, f := range s.fields {
		for _, w := range ownersOf(s.Owners(), f.path) {
			if w.Manager != s.q.From && w.Manager != s.q.To {
				add(coOwner, "%v owns %v too (%v), and goes on to", text.By(w.Manager), text.Path(f.field), text.Name(w.Operation))
			}
		}
		if m := s.q.FromManifest; m != nil && len(s.applies) > 0 && len(f.leaves) > 0 && !s.Shape.Has(m.Decoded, f.path) {
			add(
				manifestDrops,
				"the given manifest of %v does not have %v any more: its next apply drops it at once", from,
				text.Path(f.field),
			)
		}
	}
	return out
}

// controls reports whether the former owner is known to be a controller that keeps a value.
func (s *subject) controls() bool {
	return slices.ContainsFunc(s.fields, func(f handed) bool {
		w := report.Writer{Manager: s.q.From, Operation: managedfields.Update}
		kind := writers.Judge(w, s.q.To, f.field, s.Live)
		return kind.Certain && kind.Returns == writers.Always
	})
}

// reminder is what is left to do in the source of a former owner that writes by
// updates: no step of a plan can do it.
func (s *subject) reminder(o Option) []report.Finding {
	own := len(s.first)
	i := slices.IndexFunc(o.Steps[own:], func(step Step) bool { return step.Kind == Patch })
	if i < 0 {
		return nil
	}
	if s.controls() {
		return []report.Finding{
			s.find(
				writesByUpdates,
				"%v keeps %v: while it runs, it sets %v again, and owns %v after step %v; hand %v over once it is gone",
				text.By(s.q.From), s.named(), s.agree("it", "them"), s.agree("it", "them"),
				text.Number(own+i+1), s.agree("it", "them"),
			),
		}
	}
	return []report.Finding{
		s.find(
			writesByUpdates,
			"%v writes by updates, which never conflict: if a manifest of it has %v, take %v out after step %v, and before the tool runs again",
			text.By(s.q.From),
			s.named(),
			s.agree("it", "them"),
			text.Number(own+i+1),
		),
	}
}
