package conflict

import (
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Answers is one run of why: an answer for each object that has the field.
type Answers struct {
	report.Head
	Answers []Why `json:"answers"`
	report.Ending
}

// NewAnswers keeps the answers in their order.
func NewAnswers(run report.Run, answers []Why) Answers {
	return Answers{Head: run.Head(WhyKind), Answers: report.List(answers), Ending: run.Ending}
}

// Origin reports where a value comes from.
type Origin string

// The origins of a value.
const (
	// Owned: field managers own the field.
	Owned Origin = "Owned"
	// OwnedAbove: they own a parent as a whole, and this with it.
	OwnedAbove Origin = "OwnedAbove"
	// OwnedBelow: the field is a map or list whose parts have owners.
	OwnedBelow Origin = "OwnedBelow"
	// Default: nobody owns it, and the server fills it in.
	Default Origin = "Default"
	// ServerWritten: the server itself writes it, and tracks no owner.
	ServerWritten Origin = "ServerWritten"
	// Unowned: nobody owns it, and it is no default.
	Unowned Origin = "Unowned"
	// Untracked: the live object has no managedFields.
	UntrackedObject Origin = "UntrackedObject"
	// Unset: the object does not have the field.
	Unset Origin = "Unset"
)

// Why is everything told about one field of a live object.
type Why struct {
	Target report.Target `json:"target"`
	Source report.Source `json:"source"`
	// Field is written as the API server writes it; Typed as it was asked for.
	Field string `json:"field" secret:"path"`
	Typed string `json:"typed"`
	// Inside is true where Typed is something in Field, which is owned as a
	// whole.
	Inside bool   `json:"inside,omitempty"`
	Value  Value  `json:"value"`
	Nature Nature `json:"nature"`
	Origin Origin `json:"origin"`
	// Says is the origin in a sentence or two. It is written where the document is,
	// as are all other sentences.
	Says string `json:"says" secret:"ours"`
	// Needed is true for Unowned where the server refuses to be without the field.
	Needed bool `json:"-"`
	// Owners own the field, or for OwnedAbove the parent Owner names; sorted.
	Owners []Owner `json:"owners"`
	Parent string  `json:"parent,omitempty" secret:"path"`
	// Whole is what a manifest has to leave out to drop the field, where that is
	// more than the field: the item that it is a key of, or Parent.
	Whole string `json:"-" secret:"path"`
	// Drops are what happens if each owner drops the field.
	Drops []Drop `json:"drops"`
	// Applies are what happens if Manager applies the field.
	Manager string  `json:"manager" secret:"public"`
	Applies []Apply `json:"applies"`
	// Kept says why the field is still there though it was taken out of a manifest, where
	// the owners' next writes do not say it.
	Kept []text.Text `json:"kept"`
	// Removal is the shortest way to get it removed.
	Removal Removal  `json:"removal"`
	Notices []string `json:"notices,omitempty" secret:"ours"`
	// Caveats are those of the live object as it was given.
	Caveats []report.Caveat `json:"caveats,omitempty"`
}

// Effect is what a write does to a field.
type Effect string

// The effects of a field.
const (
	EffectRemoved Effect = "Removed"
	// EffectDefault: it comes back with the server's default.
	EffectDefault Effect = "Default"
	// EffectKept: it stays as it is.
	EffectKept Effect = "Kept"
	// EffectChanged: it gets another value.
	EffectChanged Effect = "Changed"
	// EffectRefused: the server refuses the write.
	EffectRefused Effect = "Refused"
	// EffectUnknown: it could not be simulated.
	EffectUnknown Effect = "Unknown"
)

// Drop is what happens when one owner drops the field, simulated.
type Drop struct {
	report.Writer
	Effect Effect `json:"effect"`
	// After is the field's value then.
	After Value `json:"after"`
	// Code and Message are the server's where it refuses.
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// KeptBy are the managers that own the field then.
	KeptBy []string `json:"keptBy,omitempty"`
	// Also are other fields that change with it, sorted.
	Also []report.Change `json:"also,omitempty"`
	// Unknown says why what an Apply manager applied is not known.
	Unknown string `json:"-"`
	Says    string `json:"says" secret:"ours"`
}

// Apply is what happens when a manager applies a value, simulated.
type Apply struct {
	Value any  `json:"value"`
	Same  bool `json:"same"`
	report.Answer
	// With are the managers that the apply conflicts with.
	With []string `json:"with,omitempty"`
	Says string   `json:"says" secret:"ours"`
}

// Removal is a sequence of steps, simulated one after the other.
type Removal struct {
	Steps  []Step `json:"steps"`
	Effect Effect `json:"effect"`
	After  Value  `json:"after"`
	Says   string `json:"says" secret:"ours"`
}

// Step is one thing to do.
type Step struct {
	Says string `json:"says" secret:"ours"`
	// Manager is whose manifest is to be changed; empty where Command, a patch, removes
	// the field.
	Manager string         `json:"-" secret:"public"`
	Command shell.Line     `json:"command,omitzero" secret:"ours"`
	Outcome report.Outcome `json:"outcome"`
	Message string         `json:"message,omitempty"`
}
