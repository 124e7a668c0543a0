package clear

import (
	"reflect"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Remark is what is to be known of a live object, of one of its entries, or of what
// the server stores. The sentences are in internal/render/view.
type Remark struct {
	// Kind is empty for nothing to remark.
	Kind RemarkKind
	// Manager is whose entry it is about, and Version the API version of that.
	Manager string `secret:"public"`
	Version string `secret:"public"`
	// Text is what kind of writer the manager is, or what is wrong in the words of who
	// could not read it.
	Text string
}

// RemarkKind is one thing to remark.
type RemarkKind string

// Of the live object.
const (
	Unstorable        RemarkKind = "Unstorable"
	NoManagedFields   RemarkKind = "NoManagedFields"
	NoResourceVersion RemarkKind = "NoResourceVersion"
	// PatchWithheld: it would have the masks of values.
	PatchWithheld RemarkKind = "PatchWithheld"
)

// Of an entry.
const (
	EntryUnreadable RemarkKind = "EntryUnreadable"
	// SameAppliedAgain: the time of an Apply entry may be older than its last apply.
	SameAppliedAgain RemarkKind = "SameAppliedAgain"
	// WritesAgain: the manager is known to write by itself.
	WritesAgain RemarkKind = "WritesAgain"
)

// Of what the server stores beside what it is asked to.
const (
	AllForgotten     RemarkKind = "AllForgotten"
	UnservedDropped  RemarkKind = "UnservedDropped"
	EntryShortened   RemarkKind = "EntryShortened"
	OthersAreChanged RemarkKind = "OthersAreChanged"
)

// remarks are those on the live object.
func (c *clearing) remarks(chosen choice) []Remark {
	var out []Remark
	switch {
	case c.unstorable != nil:
		out = append(out, Remark{Kind: Unstorable, Text: c.unstorable.Error()})
	case len(c.owners.Entries) == 0:
		out = append(out, Remark{Kind: NoManagedFields})
	}
	if len(chosen.clear)+len(chosen.prune) > 0 && c.resourceVersion() == "" {
		out = append(out, Remark{Kind: NoResourceVersion})
	}
	return out
}

// astray reports where the server stores other entries than those that were to
// be left.
func (c *clearing) astray(chosen choice, stored map[string]any) []Remark {
	gone := map[int]bool{}
	for _, e := range sortedEntries(chosen) {
		gone[e.Index] = true
	}
	after := managedfields.Of(stored).Roles()
	var out []Remark
	for _, e := range c.owners.Entries {
		if gone[e.Index] {
			continue
		}
		has, ok := after[e.Role]
		switch {
		case e.Err != nil:
			out = append(out, Remark{Kind: AllForgotten, Manager: e.Manager})
		case !ok && c.unserved(e.APIVersion):
			out = append(out, Remark{Kind: UnservedDropped, Manager: e.Manager, Version: e.APIVersion})
		case !ok || !e.Set.Difference(has).Empty():
			out = append(out, Remark{Kind: EntryShortened, Manager: e.Manager})
		}
	}
	if !reflect.DeepEqual(withoutEntries(c.live), withoutEntries(stored)) {
		out = append(out, Remark{Kind: OthersAreChanged})
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
