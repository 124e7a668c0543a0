package migration

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Verdict is what a plan comes to for one object.
type Verdict string

// The verdicts.
const (
	// Migrates: the object changes as planned.
	Migrates Verdict = "Migrates"
	// NothingToDo: there is nothing to migrate.
	NothingToDo Verdict = "NothingToDo"
	// Blocked: a finding stands in the way, and the object is left alone.
	Blocked Verdict = "Blocked"
	// Failed: no answer could be given.
	Failed Verdict = "Failed"
)

// Migration is everything known about the migration of one object. Slices are
// sorted as their comments say, and never changed afterwards.
type Migration struct {
	Target report.Target `json:"target"`
	// Resource is the plural name of the kind, or the kind itself where the
	// server does not know it; kubectl takes either.
	Resource string `json:"resource" secret:"public"`
	// Source is where the live object was read.
	Source report.Source `json:"source"`
	// Manifest is where the manifest was read; nil without one.
	Manifest *report.Source `json:"manifest,omitempty"`
	Verdict  Verdict        `json:"verdict"`
	// Error says why no answer could be given; only for Failed.
	Error string `json:"error,omitempty"`
	// To gets the fields; the manager is empty if there is none.
	To Choice `json:"to"`
	// Evidence are the entries that were considered, in their order.
	Evidence []Evidence `json:"evidence"`
	// Says is what shows which fields are wanted.
	Basis Basis `json:"basis"`
	// Annotation is what the plan does to the last-applied annotation.
	Annotation AnnotationEffect `json:"annotation"`
	// Before and After are the managed fields entries, in their order.
	Before []EntrySummary `json:"before"`
	After  []EntrySummary `json:"after"`
	// Gained are the fields that the target owns afterwards and did not before;
	// Lost those that an entry owned and does not own any more. Both are
	// sorted by field.
	Gained []Gained `json:"gained"`
	Lost   []Lost   `json:"lost"`
	// CoOwners share fields with the target afterwards, in the order of their
	// entries.
	CoOwners []CoOwner `json:"coOwners"`
	// Next is what the next apply does, before and after the migration; nil
	// where no manifest is known, and for the way back.
	Next *Next `json:"next,omitempty"`
	// Findings are sorted by severity, rule, field.
	Findings []report.Finding `json:"findings"`
	// Patch makes Object of the live object, as RFC 6902; empty where there is
	// nothing to do or NoPatch says why there is none.
	Patch   []Operation `json:"patch,omitempty"`
	NoPatch string      `json:"noPatch,omitempty"`
	// PatchManager is the field manager to send the patch as; empty where it
	// does not matter.
	PatchManager string `json:"patchManager,omitempty" secret:"public"`
	// Object is the migrated object; the live one where nothing changes.
	Object map[string]any `json:"object,omitempty"`
	// Live is the object as given.
	Live map[string]any `json:"-"`
}

// Operation is one operation of the JSON patch.
type Operation = report.PatchOperation

// Choice is a field manager, and why it was chosen.
type Choice struct {
	Manager string    `json:"manager" secret:"public"`
	Reason  text.Text `json:"reason"`
}

// Basis is what says which fields are wanted.
type Basis string

// The bases.
const (
	// ByManifest: the manifest, and what the annotation has besides.
	ByManifest Basis = "Manifest"
	// ByAnnotation: the last-applied annotation.
	ByAnnotation Basis = "Annotation"
	// ByEntry: what the target's Apply entry owns already.
	ByEntry Basis = "Entry"
	// ByNothing: nothing does.
	ByNothing Basis = "Nothing"
)

// Effect is what the plan does to the last-applied annotation.
type Effect string

// The effects.
const (
	// Absent: there is none.
	Absent Effect = "Absent"
	// Untouched: it stays, with its owners.
	Untouched Effect = "Untouched"
	// Kept: it stays, owned by Apply entries that keep it.
	Kept Effect = "Kept"
	// Dropped: it is removed.
	Dropped Effect = "Dropped"
	// Written: it is written for client-side apply.
	Written Effect = "Written"
)

// AnnotationEffect is what the plan does to the annotation, and why.
type AnnotationEffect struct {
	Effect Effect    `json:"effect"`
	Reason text.Text `json:"reason,omitzero"`
}

// EntrySummary is one managed fields entry in short.
type EntrySummary struct {
	report.Writer
	// Fields counts the owned leaves.
	Fields int `json:"fields"`
}

// summaries are the entries in short.
func summaries(o managedfields.Owners) []EntrySummary {
	out := []EntrySummary{}
	for _, e := range o.Entries {
		out = append(out, EntrySummary{Writer: report.WriterOf(e), Fields: leaves(e.Set)})
	}
	return out
}

// Gained is one field that the target owns now.
type Gained struct {
	Field string `json:"field" secret:"path"`
	// From are the managers that own it before; empty for none.
	From []report.Writer `json:"from,omitempty"`
}

// LossKind says what happens to a field that an entry loses.
type LossKind string

// The kinds of loss.
const (
	// ToTarget: the target owns it now.
	ToTarget LossKind = "ToTarget"
	// ToOthers: the target does not, but others own it too.
	ToOthers LossKind = "ToOthers"
	// Default: nobody owns it; the server fills it in by itself.
	Default LossKind = "Default"
	// LeftOver: nobody owns it, and it is no default: it stays until an apply
	// sets it, or drops the last of its own keys of the map around.
	LeftOver LossKind = "LeftOver"
	// Unsorted: nobody owns it; whether it is a default is not known.
	Unsorted LossKind = "Unsorted"
	// Gone: the object does not have it any more.
	Gone LossKind = "Gone"
)

// Lost is one field that an entry does not own any more.
type Lost struct {
	Field string `json:"field" secret:"path"`
	// By is the manager that owned it.
	By   report.Writer `json:"by"`
	Kind LossKind      `json:"kind"`
}

// CoOwner is another manager that owns fields which the target owns.
type CoOwner struct {
	report.Writer
	// Fields are sorted.
	Fields []string `json:"fields" secret:"path"`
	// About says what kind of writer that is; empty when it is not known.
	About string `json:"about,omitempty"`
	// Add reports whether --from may name it, so that it lets go.
	Add bool `json:"add,omitempty"`
}

// Next is what the next apply of the manifest does.
type Next struct {
	// Manager applies.
	Manager string `json:"manager" secret:"public"`
	// Body reports what is applied.
	Body   Basis     `json:"body"`
	Before NextApply `json:"before"`
	After  NextApply `json:"after"`
}

// NextApply is one simulated apply.
type NextApply struct {
	report.Answer
	Conflicts []report.Conflict `json:"conflicts"`
	// Changes are what it sets, and what it removes.
	Changes []report.Change `json:"changes"`
	// Keeps are fields that stay though the manifest dropped them, sorted by field.
	Kept []KeptField `json:"kept"`
}

// KeptField is a field that stays though the manifest does not have it any more.
type KeptField struct {
	Field string `json:"field" secret:"path"`
	// By are its owners; empty if it is unowned.
	By []report.Writer `json:"by,omitempty"`
}

// Evidence is what is believed of one entry, and why.
type Evidence struct {
	report.Writer
	Strength Strength `json:"strength"`
	// Reasons are clauses, the strongest first.
	Reasons []text.Text `json:"reasons"`
	// Migrated reports whether the entry is migrated.
	Migrated bool `json:"migrated"`
}

// Strength is how sure it is that an entry is the client-side one of the
// manifest.
type Strength string

// The strengths.
const (
	// Asked: the user names it.
	Asked Strength = "Asked"
	// Certain: the facts allow nothing else.
	Certain Strength = "Certain"
	// Likely: enough to migrate it.
	Likely Strength = "Likely"
	// Thin: not enough; the user is to name it.
	Thin Strength = "Thin"
	// Unrelated: nothing speaks for it.
	Unrelated Strength = "Unrelated"
)
