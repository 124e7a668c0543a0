package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// impossible says why nothing can be handed over; empty where it can.
func (p *planner) impossible() text.Text {
	if p.q.From == p.q.To {
		return text.New(program.In("%v cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry"), text.By(p.q.From))
	}
	var missing []string
	var foreign []subject
	for _, s := range p.subjects {
		switch {
		case s.value.Missing:
			missing = append(missing, s.field)
		case len(s.leaves) == 0 && !p.drops(s):
			foreign = append(foreign, s)
		}
	}
	switch {
	case len(missing) > 0:
		return text.New("the live object does not have %v, so that there is no value to hand over", text.Paths(missing, len(missing), len(missing)))
	case len(foreign) > 0:
		return text.New("%v does not own %v%v", text.By(p.q.From), text.List(foreign, len(foreign), p.ownersSaid), Elsewhere(p.Live))
	}
	return text.Text{}
}

// remarks are on what the plan rests on.
func (p *planner) remarks() []finding.Finding {
	var out []finding.Finding
	add := func(rule finding.Rule, format string, args ...text.Argument) {
		out = append(out, p.find(rule, format, args...))
	}
	from := text.By(p.q.From)
	if len(p.applies) > 0 && p.q.FromManifest == nil {
		add(manifestUnknown, "the manifest of %v is put together from the fields that it owns; --from-manifest names the real one", from)
	}
	if p.q.Writes == ByApply && p.q.ToManifest == nil {
		add(manifestUnknown, "the manifest of %v is put together from the fields that it owns; --to-manifest names the real one", text.By(p.q.To))
	}
	for _, s := range p.subjects {
		for _, w := range ownersOf(p.Owners, s.path) {
			if w.Manager != p.q.From && w.Manager != p.q.To {
				add(coOwner, "%v owns %v too (%v), and goes on to", text.By(w.Manager), text.Path(s.field), text.Name(w.Operation))
			}
		}
		if m := p.q.FromManifest; m != nil && len(p.applies) > 0 && len(s.leaves) > 0 && !p.Shape.Has(m.Decoded, s.path) {
			add(manifestDrops, "the given manifest of %v does not have %v any more: its next apply drops it at once", from, text.Path(s.field))
		}
	}
	return out
}

// ownersSaid is a field with its owners.
func (p *planner) ownersSaid(s subject) text.Text {
	var names []string
	for _, w := range ownersOf(p.Owners, s.path) {
		names = append(names, w.Manager)
	}
	if names = slices.Compact(names); len(names) > 0 {
		return text.New("%v (owned by %v)", text.Path(s.field), text.Names(names))
	}
	return text.New("%v (no manager does)", text.Path(s.field))
}

// Elsewhere says which entries are at another API version than the object's, in which
// fields may have other names; empty without any.
func Elsewhere(object map[string]any) text.Text {
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
	return text.New(" (at other API versions, where fields may have other names, there are entries of %v)", text.List(found, len(found), func(w report.Writer) text.Text {
		return text.New("%v at %v", text.By(w.Manager), text.Name(w.APIVersion))
	}))
}
