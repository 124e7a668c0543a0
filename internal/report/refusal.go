package report

import (
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Refusal is a cause of a rejected apply in the live object: the same manifest could create
// the object. It is found by trying, not read out of the server's words.
type Refusal struct {
	Kind RefusalKind `json:"kind"`
	// Fields are the fields that cause it, each with the line of the manifest, or of the
	// nearest parent that the manifest has.
	Fields []RefusedField `json:"fields"`
	// Stays are the live values of others that the fields do not go with; only for Needed.
	Stays []RefusedField `json:"stays,omitempty"`
	// Partly: the server has other reasons, too, so that no fix of this one has the apply
	// accepted alone.
	Partly bool `json:"partly,omitempty"`
	// Costs is what is lost where the object is deleted and created again; only for
	// Immutable, and empty where that does not help.
	Costs text.Text `json:"costs,omitzero"`
	// Fixes are simulated, the best one first: after each of them the same apply is
	// accepted, or, Partly, not refused for this any more.
	Fixes []RefusalFix `json:"fixes,omitempty"`
}

// RefusalKind is a kind of cause of a rejected apply.
type RefusalKind string

// The kinds of refusal.
const (
	// Leftover: the live object has values that the manifest lacks and the apply does not
	// remove, and that do not go with what the manifest has.
	Leftover RefusalKind = "Leftover"
	// Immutable: the server does not let a value of the live object change so.
	Immutable RefusalKind = "Immutable"
	// Needed: what others own in the live object does not go with a change of the manifest.
	Needed RefusalKind = "Needed"
)

// RefusedField is a field that causes a refusal.
type RefusedField struct {
	// Field is written as the API server writes it in conflict causes.
	Field string `json:"field" secret:"path"`
	// Live and Applied are JSON values; the Missing flags distinguish an absent value from
	// null.
	Live           any  `json:"live"`
	LiveMissing    bool `json:"liveMissing,omitempty"`
	Applied        any  `json:"applied"`
	AppliedMissing bool `json:"appliedMissing,omitempty"`
	// Owners are the entries that own the live value; empty for none.
	Owners []Writer `json:"owners,omitempty"`
	Source *Source  `json:"source,omitempty"`
}

// RefusalFix is one way to have the apply accepted.
type RefusalFix struct {
	Kind RefusalFixKind `json:"kind"`
	// From are the managers whose entries are migrated; only for MigrateLeftover.
	From []string `json:"from,omitempty" secret:"public"`
	// Removes are other fields that the apply removes then, sorted.
	Removes []string `json:"removes,omitempty" secret:"path"`
	// Command is the kubectl line that does it; empty where a manifest is to be edited, or
	// a command of ours does it.
	Command shell.Line `json:"command,omitzero" secret:"ours"`
	// Body is the manifest, and Live the live object, as the fix leaves them; nil for one that
	// it leaves as it is.
	Body map[string]any `json:"-"`
	Live map[string]any `json:"-"`
}

// RefusalFixKind is what a fix of a refusal does.
type RefusalFixKind string

// The fixes.
const (
	// RemoveLive: a patch removes the fields from the live object.
	RemoveLive RefusalFixKind = "RemoveLive"
	// ReplaceLive: the patch also sets what the manifest has next to them.
	ReplaceLive RefusalFixKind = "ReplaceLive"
	// ClearEntry: a patch removes the managed fields entries of the owners.
	ClearEntry RefusalFixKind = "ClearEntry"
	// HandOver: a patch makes the applier the owner of the fields, so that it removes them.
	HandOver RefusalFixKind = "HandOver"
	// MigrateLeftover: the entries that own the fields are migrated, so that the apply
	// removes them.
	MigrateLeftover RefusalFixKind = "MigrateLeftover"
	// KeepLive: the manifest has the live value.
	KeepLive RefusalFixKind = "KeepLive"
	// KeepVersion: the manifest of a CustomResourceDefinition keeps the version, neither served
	// nor stored.
	KeepVersion RefusalFixKind = "KeepVersion"
	// Recreate: the object is deleted, and the apply creates it.
	Recreate RefusalFixKind = "Recreate"
)
