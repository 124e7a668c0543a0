package report

import (
	"github.com/ssactl/ssactl/internal/managedfields"
)

// ThroughStringData is the detail of a change that a Secret's stringData makes in data.
const ThroughStringData = "through stringData"

// ChangeKind reports how a field differs after the write.
type ChangeKind string

// The kinds of change.
const (
	Added    ChangeKind = "Added"
	Modified ChangeKind = "Modified"
	Removed  ChangeKind = "Removed"
)

// Reason reports why a field changes.
type Reason string

// The reasons for a change.
const (
	// ReasonApplied: the request asks for this value.
	ReasonApplied Reason = "Applied"
	// ReasonUnowned: the manager no longer applies the field, and no other manager owns it.
	ReasonUnowned Reason = "Unowned"
	// ReasonDefaulted: the server's defaulting filled it in.
	ReasonDefaulted Reason = "Defaulted"
	// ReasonNormalised: the server stores another spelling of what was asked for.
	ReasonNormalised Reason = "Normalised"
	// ReasonAdmission: an admission plug-in set it.
	ReasonAdmission Reason = "Admission"
	// ReasonStrategy: a side effect of the kind's own logic (generation, a
	// field cleared because another was).
	ReasonStrategy Reason = "Strategy"
	// ReasonRecreated: the client deletes the object, and the new one is created without
	// what only the former had.
	ReasonRecreated Reason = "Recreated"
)

// Change is one leaf that differs between the live and the resulting object.
type Change struct {
	Field  string     `json:"field" secret:"path"`
	Kind   ChangeKind `json:"kind"`
	Before any        `json:"before,omitempty"`
	After  any        `json:"after,omitempty"`
	Reason Reason     `json:"reason"`
	// Detail completes the reason (the admission plug-in's name); may be empty.
	Detail string `json:"detail,omitempty"`
	// Source is the line of the manifest that asks for the value; nil when it does not.
	Source *Source `json:"source,omitempty"`
	// Cause says whether the change of the manifests makes it; empty without --base.
	Cause Attribution `json:"cause,omitempty"`
}

// FieldOwners is one owned field path and the entries that own it, sorted by
// manager, operation, subresource, API version.
type FieldOwners struct {
	Field    string   `json:"field" secret:"path"`
	Managers []Writer `json:"managers"`
}

// OwnersOf reports every owned path with its owners, sorted by field.
func OwnersOf(o managedfields.Owners) []FieldOwners {
	out := []FieldOwners{}
	for _, p := range o.Paths() {
		out = append(out, FieldOwners{Field: p.Field, Managers: WritersOf(p.By)})
	}
	return out
}

// TransferKind says how the ownership of a field changes.
type TransferKind string

// The kinds of transfer.
const (
	// Acquired: the manager is now the only owner of the field.
	Acquired TransferKind = "Acquired"
	// Shared: the manager owns the field now, with others.
	Shared TransferKind = "Shared"
	// Relinquished: the manager gave the field up, and it stays.
	Relinquished TransferKind = "Relinquished"
	// Overridden: the field was taken from the manager.
	Overridden TransferKind = "Overridden"
	// TransferRemoved: the manager's field is gone from the object.
	TransferRemoved TransferKind = "Removed"
)

// Transfer is a field path that an entry gains or loses by the write.
type Transfer struct {
	Field       string       `json:"field" secret:"path"`
	Manager     string       `json:"manager" secret:"public"`
	Operation   string       `json:"operation" secret:"public"`
	Subresource string       `json:"subresource,omitempty" secret:"public"`
	Kind        TransferKind `json:"kind"`
	// Cause says how it was taken; only for Overridden.
	Cause TransferCause `json:"cause,omitempty"`
	// ValueChanged is true where the field stays with another value; only for Relinquished.
	ValueChanged bool `json:"valueChanged,omitempty"`
	// Stood is true where the manifest before the change does the same (--base).
	Stood bool `json:"stood,omitempty"`
}

// Writer is the managed fields entry whose fields they are.
func (t Transfer) Writer() Writer {
	return Writer{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
}

// TransferCause reports how a field was taken from a manager.
type TransferCause string

// The causes of a transfer.
const (
	// ByForce: an apply with force.
	ByForce TransferCause = "Force"
	// ByUpdate: a write that is no apply, which never conflicts.
	ByUpdate TransferCause = "Update"
	// ByApply: an apply that the server lets pass without force.
	ByApply TransferCause = "Apply"
)

// Value is a JSON value that may be missing, which is not null.
type Value struct {
	Value   any  `json:"value"`
	Missing bool `json:"missing,omitempty"`
}

// Settles says whether an accepted write lasts: what is left of it once the same client
// and the other writers that are known have written again.
type Settles struct {
	Result SettlesResult `json:"result"`
	// Rounds is how many were simulated, the one in which nothing changed included. One is
	// the other writers and then the client, each once.
	Rounds int `json:"rounds"`
	// Cycle are the writers with the values that they set in turn, by field, in the order in
	// which they write; nil where the object comes to rest.
	Cycle []CycleStep `json:"cycle,omitempty"`
	// Refused are the writers whose next write the API server rejects at the end, sorted; nil
	// for none.
	Refused []string `json:"refused,omitempty" secret:"public"`
	// Confidence is Partial where the next value of a writer is not known, and its last one
	// stands for it.
	Confidence Level `json:"confidence"`
}

// SettlesResult is what rounds of writers come to.
type SettlesResult string

// The results.
const (
	// FixedPoint: nothing changes any more.
	FixedPoint SettlesResult = "FixedPoint"
	// Cycle: a state comes back, so that the writers undo each other for ever.
	Cycle SettlesResult = "Cycle"
	// Unknown: neither within the rounds, or nothing is known of what a writer does next.
	Unknown SettlesResult = "Unknown"
)

// CycleStep is a value that a writer sets in each turn of a cycle.
type CycleStep struct {
	// Writer is the field manager, and By the object that has it write, such as an
	// autoscaler; empty where there is none.
	Writer string `json:"writer" secret:"public"`
	By     string `json:"by,omitempty" secret:"public"`
	Field  string `json:"field" secret:"path"`
	// Value is the one set; Removed is true where the writer removes the field.
	Value   any  `json:"value"`
	Removed bool `json:"removed,omitempty"`
}

// Name is who writes, as messages say it: the object that has the manager write, or else
// the manager.
func (s CycleStep) Name() string {
	if s.By != "" {
		return s.By
	}
	return s.Writer
}

// Again is what the same write does once more, to the object that it left.
type Again struct {
	// Changes are those of values, sorted by field; bookkeeping of the server is left out.
	Changes []Change
	// Owners are the managers whose entries change, sorted; nil for none.
	Owners []string
	// Recreated: the client deletes the object each time, and creates it again.
	Recreated bool
	// Refused is the API server's answer to the second write where it rejects that; nil
	// for none.
	Refused *Status
	// Rests is true where a third write changes nothing.
	Rests bool
}
