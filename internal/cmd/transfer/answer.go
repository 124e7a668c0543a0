package transfer

import (
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Kind is that of the document of a run.
const Kind = "Transfer"

// Document is one run of transfer: a Plan for each object, in their order.
type Document struct {
	report.Head
	Summary Summary `json:"summary"`
	Plans   []Plan  `json:"plans"`
	report.Ending
}

// Summary counts plans.
type Summary struct {
	Total int `json:"total"`
	// Safe plans have a chosen option, Unsafe ones none.
	Safe   int `json:"safe"`
	Unsafe int `json:"unsafe"`
	Failed int `json:"failed"`
	// Without counts the objects that do not have the fields.
	Without int `json:"without,omitempty"`
}

// NewDocument counts plans, which it keeps in their order, and reports how many
// objects do not have the fields.
func NewDocument(run report.Run, plans []Plan, without int) Document {
	d := Document{
		Head: run.Head(Kind), Plans: report.List(plans), Ending: run.Ending,
		Summary: Summary{Total: len(plans), Without: without},
	}
	for _, p := range plans {
		switch {
		case p.Outcome == report.Failed && p.Chosen == "":
			d.Summary.Failed++
		case p.Chosen == "":
			d.Summary.Unsafe++
		default:
			d.Summary.Safe++
		}
	}
	return d
}

// Plan is everything told about handing fields of one object over. It is inert
// data; every format is a view of it.
type Plan struct {
	Target report.Target `json:"target"`
	Source report.Source `json:"source"`
	// Reference names Object to kubectl.
	Reference string         `json:"reference"`
	Object    kubectl.Object `json:"-" secret:"public"`
	From      string         `json:"from" secret:"public"`
	// FromThen is From as the plan's first step renames it by a migration; empty where
	// it keeps its name.
	FromThen string `json:"fromThen,omitempty" secret:"public"`
	To       string `json:"to" secret:"public"`
	// Controller is true where To writes by updates, as an autoscaler.
	Controller bool `json:"controller,omitempty"`
	// Fields are as asked for, with what they are now.
	Fields []State `json:"fields"`
	// Outcome is that of the chosen option, or Failed where no plan could be made,
	// which Message explains.
	Outcome report.Outcome `json:"outcome"`
	// Message is why nothing can be transferred.
	Message text.Text `json:"message,omitzero"`
	// Chosen is the kind of the first of Options; empty where none is safe. Reason says
	// why in a sentence or two.
	Chosen OptionKind `json:"chosen,omitempty"`
	Reason text.Text  `json:"reason"`
	// Options have the chosen one first.
	Options []Option `json:"options"`
	Hazards []Hazard `json:"hazards"`
	// Findings are remarks on the input, in a stable order.
	Findings []report.Finding `json:"findings,omitempty"`
}

// State is a field at one point of a plan.
type State struct {
	Field string         `json:"field" secret:"path"`
	Value conflict.Value `json:"value"`
	// Owners own the field or something in it, sorted; never nil.
	Owners []report.Writer `json:"owners"`
}

// OptionKind is an option to hand over.
type OptionKind string

// The options.
const (
	// ShareThenDrop: the new owner applies the live value, and owns the field
	// together with the former one, which then drops it.
	ShareThenDrop OptionKind = "ShareThenDrop"
	// ForceThenDrop: the new owner takes the field with force.
	ForceThenDrop OptionKind = "ForceThenDrop"
	// MigrateThenDrop: the former owner's Update entry becomes an Apply entry
	// first, so that its apply can drop the field.
	MigrateThenDrop OptionKind = "MigrateThenDrop"
	// HandOverManager: a manager made for this applies the field alone, the
	// former owner drops it, and the controller takes it from the manager with
	// its next update (Kubernetes documentation, Server-Side Apply,
	// "Transferring ownership").
	HandOverManager OptionKind = "HandOverManager"
	// WaitForController: the controller's next update takes the field, and the
	// former owner drops it then.
	WaitForController OptionKind = "WaitForController"
	// DropOnly: the new owner has the field already; it only has to leave the
	// former one's manifest.
	DropOnly OptionKind = "DropOnly"
	// MigrateOnly: the new owner is the server-side name of the former one, which the
	// migration gives the fields.
	MigrateOnly OptionKind = "MigrateOnly"
	// Done: the new owner has the fields and the former one has not; there is
	// nothing to do.
	Done OptionKind = "Done"
	// DisownOnly: the field leaves the former owner's Update entries, and the
	// controller's next update takes it.
	DisownOnly OptionKind = "DisownOnly"
)

// Option is an option with its steps, each simulated on the outcome of the former.
type Option struct {
	Kind  OptionKind `json:"kind"`
	Steps []Step     `json:"steps"`
	Safe  bool       `json:"safe"`
	// Problem is why it is not safe.
	Problem text.Text `json:"problem,omitzero"`
	// Outcome is that of the first refused step, else Configured or Unchanged.
	Outcome report.Outcome `json:"outcome"`
}

// StepKind is what is done in a step.
type StepKind string

// The kinds of step.
const (
	// Apply: a manifest is applied.
	Apply StepKind = "Apply"
	// Patch: a JSON patch is sent.
	Patch StepKind = "Patch"
	// ByItself: a controller does it; there is nothing to run.
	ByItself StepKind = "ByItself"
)

// Step is one write.
type Step struct {
	Kind StepKind `json:"kind"`
	// Does is what it is for.
	Does text.Text `json:"does"`
	// Manager is the field manager that writes.
	Manager     string `json:"manager" secret:"public"`
	Force       bool   `json:"force,omitempty"`
	Subresource string `json:"subresource,omitempty" secret:"public"`
	// Manifest is what is applied. Text is the same as the edited text of the
	// given manifest; empty where there is none.
	Manifest map[string]any `json:"manifest,omitempty"`
	Text     string         `json:"text,omitempty"`
	// Source is the given manifest's; nil where it was put together from the
	// live object.
	Source *report.Source `json:"source,omitempty"`
	// NotEdited says why the given manifest's text could not be edited, so that
	// Manifest lacks its comments.
	NotEdited string `json:"notEdited,omitempty"`
	// Patch are the operations of a JSON patch.
	Patch []Operation `json:"patch,omitempty"`
	// Meant is true where the step changes the fields on purpose.
	Meant bool `json:"meant,omitempty"`
	// NotSimulated says why a controller's step could not be; Outcome is empty
	// then.
	NotSimulated text.Text      `json:"notSimulated,omitzero"`
	Outcome      report.Outcome `json:"outcome"`
	Code         int            `json:"code,omitempty"`
	Message      string         `json:"message,omitempty"`
	// States are the fields after the step.
	States []State `json:"states"`
	// Also are other fields that change by it, sorted.
	Also []report.Change `json:"also,omitempty"`
}

// Concealed leaves out the text of the manifest: its lines are the user's own,
// and Manifest says the same.
func (s Step) Concealed() any {
	s.Text = ""
	return s
}

// Operation is one operation of a JSON patch.
type Operation = report.PatchOperation

// HazardKind is something that happens at another time than planned.
type HazardKind string

// The hazards.
const (
	// DropFirst: the former owner's apply drops the fields before the first
	// step.
	DropFirst HazardKind = "DropFirst"
	// DeleteFirst: a client-side tool of the former owner deletes the fields
	// when they leave its manifest, before the step that takes them from it.
	DeleteFirst HazardKind = "DeleteFirst"
	// ControllerFirst: the controller writes right after the first step.
	ControllerFirst HazardKind = "ControllerFirst"
	// OldManifest: after the last step, the former owner applies what it
	// applied before.
	OldManifest HazardKind = "OldManifest"
	// OldManifestForced: the same with force.
	OldManifestForced HazardKind = "OldManifestForced"
)

// Hazard is what happens then, simulated.
type Hazard struct {
	Kind HazardKind `json:"kind"`
	// Manager is who writes.
	Manager string `json:"manager" secret:"public"`
	// Before is the number of the step before which it comes; 0 where Kind says
	// when.
	Before int `json:"before,omitempty"`
	report.Attempt
	// With are the managers that it conflicts with.
	With []string `json:"with,omitempty"`
	// States are the fields after it.
	States []State `json:"states"`
	// Harm is true where a field has another value then, or the former owner
	// has it back.
	Harm bool `json:"harm"`
	// Likely is true where the writer is known to do so by itself.
	Likely bool `json:"likely,omitempty"`
}
