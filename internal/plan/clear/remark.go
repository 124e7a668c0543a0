package clear

import (
	"reflect"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// FactKind is that of reports.
type FactKind = report.FactKind

// What is to be remarked of the live object, or of its patch.
const (
	Unstorable        FactKind = "Unstorable"
	NoManagedFields   FactKind = "NoManagedFields"
	NoResourceVersion FactKind = "NoResourceVersion"
	// PatchWithheld: the patch would have the masks of values.
	PatchWithheld FactKind = "PatchWithheld"
)

// What is special about an entry; Text is what kind of writer Manager is, or what is
// wrong.
const (
	EntryUnreadable FactKind = "EntryUnreadable"
	// SameAppliedAgain: the time of an Apply entry may be older than its last apply.
	SameAppliedAgain FactKind = "SameAppliedAgain"
	// WritesAgain: the manager is known to write by itself.
	WritesAgain FactKind = "WritesAgain"
)

// What the server does beside what it is asked to: to the entry of Manager, at Version,
// or to the rest of the object.
const (
	AllForgotten     FactKind = "AllForgotten"
	UnservedDropped  FactKind = "UnservedDropped"
	EntryShortened   FactKind = "EntryShortened"
	OthersAreChanged FactKind = "OthersAreChanged"
)

// remarks are those on the live object.
func (c *clearing) remarks(chosen choice) []report.Fact {
	var out []report.Fact
	switch {
	case c.unstorable != nil:
		out = append(out, report.Fact{Kind: Unstorable, Text: c.unstorable.Error()})
	case len(c.owners.Entries) == 0:
		out = append(out, report.Fact{Kind: NoManagedFields})
	}
	if len(chosen.clear)+len(chosen.prune) > 0 && c.resourceVersion() == "" {
		out = append(out, report.Fact{Kind: NoResourceVersion})
	}
	return out
}

// astray reports where the server stores other entries than those that were to
// be left.
func (c *clearing) astray(chosen choice, stored map[string]any) []report.Fact {
	gone := map[int]bool{}
	for _, e := range sortedEntries(chosen) {
		gone[e.Index] = true
	}
	after := managedfields.Of(stored).Roles()
	var out []report.Fact
	for _, e := range c.owners.Entries {
		if gone[e.Index] {
			continue
		}
		has, ok := after[e.Role]
		switch {
		case e.Err != nil:
			out = append(out, report.Fact{Kind: AllForgotten, Manager: e.Manager})
		case !ok && c.unserved(e.APIVersion):
			out = append(out, report.Fact{Kind: UnservedDropped, Manager: e.Manager, Version: e.APIVersion})
		case !ok || !e.Set.Difference(has).Empty():
			out = append(out, report.Fact{Kind: EntryShortened, Manager: e.Manager})
		}
	}
	if !reflect.DeepEqual(withoutEntries(c.live), withoutEntries(stored)) {
		out = append(out, report.Fact{Kind: OthersAreChanged})
	}
	return out
}

// withoutEntries is an object to compare: a write moves its managedFields and
// resourceVersion.
func withoutEntries(object map[string]any) map[string]any {
	out, metadata := map[string]any{}, map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	from, _ := object["metadata"].(map[string]any)
	for k, v := range from {
		if k != "managedFields" && k != "resourceVersion" {
			metadata[k] = v
		}
	}
	out["metadata"] = metadata
	return out
}
