package conflict

import (
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// The kinds of document that this package fills.
const (
	ExplanationKind = "Explanation"
	WhyKind         = "Why"
)

// Document is one run of explain: an Explanation for each manifest, in their
// order.
type Document = report.Document[report.Summary, Explanation]

// NewDocument counts the outcomes of objects, which it keeps in their order.
func NewDocument(run report.Run, objects []Explanation) Document {
	return report.NewDocument(ExplanationKind, run, objects, func(s *report.Summary, e Explanation) {
		s.CountEnd(report.Result{Outcome: e.Outcome, Recreated: e.Recreated, Deleted: e.Deleted, Hook: e.Hook})
		s.Findings.Add(e.Findings...)
	})
}

// Explanation is everything told about one apply.
type Explanation struct {
	Target     report.Target  `json:"target"`
	Source     report.Source  `json:"source"`
	LiveSource *report.Source `json:"liveSource,omitempty"`
	// Manager is the field manager that applies.
	Manager string `json:"manager" secret:"public"`
	report.Answer
	// Recreated is true where the client deletes the object and creates it again: the new one has no other
	// owners, and nothing conflicts. Deleted is true where it stays deleted.
	Recreated bool `json:"recreated,omitempty"`
	Deleted   bool `json:"deleted,omitempty"`
	// Hook are the events for which the client runs the object as a hook; empty for others.
	Hook string `json:"hook,omitempty" secret:"public"`
	// Client is the sequence of requests, where it deletes the object or runs it as a hook; nil for others.
	Client *report.Sequence `json:"client,omitempty"`
	// Causes are what is wrong, field by field, where it is no conflict.
	Causes []report.Cause `json:"causes,omitempty"`
	// Refusals are what of the live object it is rejected for; see report.Result.
	Refusals []report.Refusal `json:"refusals,omitempty"`
	// Forced is the answer to the same apply with force, where the server rejects that too; nil for others.
	Forced *report.Forced `json:"forced,omitempty"`
	// Mended is true where the options of the conflicts are simulated as if what the server rejects with
	// force too were mended in the way that is recommended first.
	Mended bool `json:"mended,omitempty"`
	// Notices are remarks on the live object's managedFields.
	Notices []string `json:"notices,omitempty" secret:"ours"`
	// Risks are of an apply that is accepted, and yet to be looked at: the most
	// important first.
	Risks []report.Finding `json:"-"`
	// Findings are all that is said of the apply, the worst first.
	Findings []report.Finding `json:"findings"`
	// Of has, where there are risks or force, what tells whom they concern: the live object, and
	// what the apply changes and takes.
	Of RiskOf `json:"-"`
	// Conflicts are sorted by field; never nil. For a client that forces, and is accepted,
	// they are what it takes.
	Conflicts []Conflict `json:"conflicts"`
	// Together are the resolutions for all fields at once; only where there is
	// more than one story.
	Together []Resolution `json:"together,omitempty"`
	// InClient are the recommended resolutions as settings of the client that
	// applies; empty for a client whose settings are not known.
	InClient   []report.ClientFix `json:"inClient,omitempty"`
	Confidence report.Confidence  `json:"confidence"`
}

// RiskOf is what a result has of the ones that its risks concern.
type RiskOf struct {
	Live      map[string]any
	Changes   []report.Change
	Transfers []report.Transfer
	Force     bool
}

// Value is that of reports.
type Value = report.Value

// Conflict is one conflicting field.
type Conflict struct {
	// Field is written as the API server writes it in conflict causes.
	Field  string `json:"field" secret:"path"`
	Nature Nature `json:"nature"`
	// AskedAs is the field of the manifest behind the conflict, where the
	// owner's API version, in which conflicts are reported, spells it otherwise.
	AskedAs string `json:"askedAs,omitempty" secret:"path"`
	// Shared is the live value of AskedAs; nil without it.
	Shared *Value `json:"-"`
	// Yours is what the manifest asks for, at Source; Live what is stored.
	Yours  Value          `json:"yours"`
	Live   Value          `json:"live"`
	Source *report.Source `json:"source,omitempty"`
	// Owners are who owns the field with the live value, sorted by manager.
	Owners     []Owner    `json:"owners"`
	Difference Difference `json:"difference"`
	// Resolutions are in the order force, stop managing, use the live value.
	Resolutions []Resolution `json:"resolutions"`
	// Recommended is one of the resolutions, or None.
	Recommended ResolutionKind `json:"recommended"`
	// ByHand: no command makes the recommended edit in the file. Reason says why.
	ByHand bool `json:"-"`
	// Command does what is recommended, where following it has decided that; empty for others.
	Command shell.Line `json:"-"`
	// Because is why; Reason says it in a sentence or two.
	Because Reason    `json:"-"`
	Reason  text.Text `json:"reason"`
}

// Owner is an owner of a field and what kind of writer that is.
type Owner struct {
	report.Writer
	ManagerKind writers.ManagerKind `json:"managerKind"`
}

// ResolutionKind is one resolution of a conflict.
type ResolutionKind string

// The resolutions: force takes the ownership, stopping leaves the field out of the
// manifest, the live value shares the ownership. None is only a recommendation: no
// resolution is safe.
const (
	Force        ResolutionKind = "Force"
	StopManaging ResolutionKind = "StopManaging"
	UseLiveValue ResolutionKind = "UseLiveValue"
	None         ResolutionKind = "None"
	// Migrate is only a recommendation too: the whole object changes hands.
	Migrate ResolutionKind = "Migrate"
)

// Resolution is one resolution, simulated.
type Resolution struct {
	Kind ResolutionKind `json:"kind"`
	// Impossible says why the resolution cannot be tried; the rest is empty then.
	Impossible text.Text `json:"impossible,omitzero"`
	report.Attempt
	// Write is the value to put into the manifest to share the field.
	Write *Value `json:"write,omitempty"`
	// After is the field's value then; nil for all fields together.
	After *Value `json:"after,omitempty"`
	// Changes and Transfers are those of this resolution, in addition to those of
	// the rest of the manifest; sorted by field.
	Changes   []report.Change   `json:"changes,omitempty"`
	Transfers []report.Transfer `json:"transfers,omitempty"`
	// Edit is how the manifest changes; nil where it stays (with force), and
	// where NotEdited says why it cannot be shown.
	Edit      *Edit  `json:"edit,omitempty"`
	NotEdited string `json:"notEdited,omitempty"`
	// Hidden is true for the edit of a Secret's manifest, which is possible and not
	// shown, as NotEdited says.
	Hidden bool `json:"-"`
	// Reactions are what the owners do next.
	Reactions []Reaction `json:"reactions,omitempty"`
	// Safe is true where the resolution is accepted, loses nothing of the live
	// object, leaves a manifest that can create it, and no manager is expected to undo it.
	Safe bool `json:"safe"`
	// Needed is true for a field that no new object can be without.
	Needed bool `json:"-"`
}

// Uneditable says why the manifest cannot be edited so; empty where it can.
func (w Resolution) Uneditable() string {
	if w.Edit != nil || w.Hidden {
		return ""
	}
	return w.NotEdited
}

// Concealed leaves out the edit, which is lines of the manifest.
func (w Resolution) Concealed() any {
	if w.Edit != nil {
		w.Edit, w.Hidden, w.NotEdited = nil, true, "the lines of a Secret are not shown"
	}
	return w
}

// Edit is the one place of a manifest that changes.
type Edit struct {
	File string `json:"file,omitempty" secret:"public"`
	// Line counts from 1 in the file.
	Line    int      `json:"line"`
	Removed []string `json:"removed,omitempty"`
	Added   []string `json:"added,omitempty"`
}

// Reaction is what an owner of the field is expected to do after a resolution.
type Reaction struct {
	report.Writer
	// SetsAgain is true where it is expected to set its value again.
	SetsAgain bool `json:"setsAgain"`
	// NextApply is the simulated outcome of its next, unchanged apply, with force where its program
	// forces; empty where it does not apply.
	NextApply report.Outcome `json:"nextApply,omitempty"`
	// Says is what it does, in a sentence.
	Says text.Text `json:"says"`
}

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
	// Manager is who is asked to apply the field, and Applies are what happens then.
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
