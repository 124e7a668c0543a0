package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// FactKind is that of reports.
type FactKind = report.FactKind

// Why Manager has nothing to hand over. By are entries at other API versions.
const (
	ToItself      FactKind = "ToItself"
	NoValue       FactKind = "NoValue"
	OwnedByOthers FactKind = "OwnedByOthers"
)

// What a plan rests on, of Manager, and what is left to do.
const (
	// FromUnknown and ToUnknown: the manifest of a manager is not given.
	FromUnknown FactKind = "FromUnknown"
	ToUnknown   FactKind = "ToUnknown"
	// AlsoOwned: By owns a field too.
	AlsoOwned FactKind = "AlsoOwned"
	// DroppedAlready: the former owner's manifest does not have it any more.
	DroppedAlready FactKind = "DroppedAlready"
	// RemoveFromSource: a former owner that writes by updates may have the fields in a
	// manifest still, to be taken out after step Count.
	RemoveFromSource FactKind = "RemoveFromSource"
	// MigratesFirst: step 1 moves the client-side entries of Others to Manager.
	MigratesFirst FactKind = "MigratesFirst"
	// MigrateFirst: the client-side entries of Others stand in the way.
	MigrateFirst FactKind = "MigrateFirst"
)

// impossible says why nothing can be handed over; without a kind where it can.
func (p *planner) impossible() report.Fact {
	if p.q.From == p.q.To {
		return report.Fact{Kind: ToItself, Manager: p.q.From}
	}
	var missing, foreign []string
	for _, s := range p.subjects {
		switch {
		case s.value.Missing:
			missing = append(missing, s.field)
		case len(s.leaves) == 0 && !p.drops(s):
			foreign = append(foreign, s.field)
		}
	}
	switch {
	case len(missing) > 0:
		return report.Fact{Kind: NoValue, Fields: missing}
	case len(foreign) > 0:
		return report.Fact{Kind: OwnedByOthers, Manager: p.q.From, Fields: foreign, By: Elsewhere(p.live)}
	}
	return report.Fact{}
}

// remarks are on what the plan rests on.
func (p *planner) remarks() []report.Fact {
	var out []report.Fact
	if len(p.applies) > 0 && p.q.FromManifest == nil {
		out = append(out, report.Fact{Kind: FromUnknown, Manager: p.q.From})
	}
	if p.q.Writes == ByApply && p.q.ToManifest == nil {
		out = append(out, report.Fact{Kind: ToUnknown, Manager: p.q.To})
	}
	for _, s := range p.subjects {
		for _, w := range ownersOf(p.owners, s.path) {
			if w.Manager != p.q.From && w.Manager != p.q.To {
				out = append(out, report.Fact{Kind: AlsoOwned, By: []report.Writer{w}, Fields: []string{s.field}})
			}
		}
		if m := p.q.FromManifest; m != nil && len(p.applies) > 0 && len(s.leaves) > 0 && !p.shape.Has(m.Decoded, s.path) {
			out = append(out, report.Fact{Kind: DroppedAlready, Manager: p.q.From, Fields: []string{s.field}})
		}
	}
	return out
}

// Elsewhere are entries at another API version than the object's, in which fields may
// have other names, by manager and version, once each and in their order.
func Elsewhere(object map[string]any) []report.Writer {
	var out []report.Writer
	for _, e := range managedfields.Of(object).Readable() {
		w := report.Writer{Manager: e.Manager, APIVersion: e.APIVersion}
		if e.APIVersion != object["apiVersion"] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
