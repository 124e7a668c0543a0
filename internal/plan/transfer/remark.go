package transfer

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Remark is what is to be known of a plan, or why there is none. The sentences are in
// internal/render/view.
type Remark struct {
	// Kind is empty for nothing to remark.
	Kind RemarkKind
	// Manager is whom it is about, and Operation how it owns Fields.
	Manager   string   `secret:"public"`
	Operation string   `secret:"public"`
	Fields    []string `secret:"path"`
	// Step is the number of the step behind which it comes; 0 for none.
	Step int
	// Owned are fields of others, Elsewhere the entries at other API versions.
	Owned     []Owned
	Elsewhere []Entry
}

// Owned is a field with the names of its owners, in their order.
type Owned struct {
	Field  string   `secret:"path"`
	Owners []string `secret:"public"`
}

// Entry is a managed fields entry by its manager and API version.
type Entry struct {
	Manager string `secret:"public"`
	Version string `secret:"public"`
}

// RemarkKind is one thing to remark.
type RemarkKind string

// Why nothing can be handed over.
const (
	ToItself      RemarkKind = "ToItself"
	NoValue       RemarkKind = "NoValue"
	OwnedByOthers RemarkKind = "OwnedByOthers"
)

// What a plan rests on, and what is left to do.
const (
	// FromUnknown and ToUnknown: the manifest of a manager is not given.
	FromUnknown RemarkKind = "FromUnknown"
	ToUnknown   RemarkKind = "ToUnknown"
	// AlsoOwned: somebody else owns a field too.
	AlsoOwned RemarkKind = "AlsoOwned"
	// DroppedAlready: the former owner's manifest does not have it any more.
	DroppedAlready RemarkKind = "DroppedAlready"
	// RemoveFromSource: a former owner that writes by updates may have them in a
	// manifest still.
	RemoveFromSource RemarkKind = "RemoveFromSource"
)

// impossible says why nothing can be handed over; without a kind where it can.
func (p *planner) impossible() Remark {
	if p.q.From == p.q.To {
		return Remark{Kind: ToItself, Manager: p.q.From}
	}
	var missing []string
	var foreign []Owned
	for _, s := range p.subjects {
		switch owners := ownersOf(p.owners, s.path); {
		case s.value.Missing:
			missing = append(missing, s.field)
		case len(s.leaves) == 0 && !p.drops(s):
			foreign = append(foreign, Owned{s.field, managers(owners)})
		}
	}
	switch {
	case len(missing) > 0:
		return Remark{Kind: NoValue, Fields: missing}
	case len(foreign) > 0:
		return Remark{Kind: OwnedByOthers, Manager: p.q.From, Owned: foreign, Elsewhere: Elsewhere(p.live)}
	}
	return Remark{}
}

// managers are the names of owners, once each.
func managers(owners []report.Writer) []string {
	var names []string
	for _, w := range owners {
		if !slices.Contains(names, w.Manager) {
			names = append(names, w.Manager)
		}
	}
	return names
}

// remarks are on what the plan rests on.
func (p *planner) remarks() []Remark {
	var out []Remark
	if len(p.applies) > 0 && p.q.FromManifest == nil {
		out = append(out, Remark{Kind: FromUnknown, Manager: p.q.From})
	}
	if p.q.Writes == ByApply && p.q.ToManifest == nil {
		out = append(out, Remark{Kind: ToUnknown, Manager: p.q.To})
	}
	for _, s := range p.subjects {
		for _, w := range ownersOf(p.owners, s.path) {
			if w.Manager != p.q.From && w.Manager != p.q.To {
				out = append(out, Remark{Kind: AlsoOwned, Manager: w.Manager, Operation: w.Operation, Fields: []string{s.field}})
			}
		}
		if m := p.q.FromManifest; m != nil && len(p.applies) > 0 && len(s.leaves) > 0 && !p.shape.Has(m.Decoded, s.path) {
			out = append(out, Remark{Kind: DroppedAlready, Manager: p.q.From, Fields: []string{s.field}})
		}
	}
	return out
}

// Elsewhere reports entries at another API version than the object's, in which
// fields may have other names, once each and in their order.
func Elsewhere(object map[string]any) []Entry {
	var out []Entry
	for _, e := range managedfields.Of(object).Readable() {
		if entry := (Entry{e.Manager, e.APIVersion}); e.APIVersion != object["apiVersion"] && !slices.Contains(out, entry) {
			out = append(out, entry)
		}
	}
	return out
}
