package audit

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// Finding is one thing that is wrong with one object, or with one file where
// Target is empty.
type Finding struct {
	Rule     string        `json:"rule"`
	Severity Severity      `json:"severity"`
	Target   report.Target `json:"target"`
	// Source is where the object starts; of what is wrong with a manifest,
	// the line of the manifest.
	Source report.Source `json:"source"`
	// Field is the field path that it is about, the first of Fields; empty
	// where it is about the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fields are all field paths that it is about, sorted. They may be cut:
	// Message counts them.
	Fields []string `json:"fields,omitempty" secret:"path"`
	// Manager is the field manager that it is about; may be empty.
	Manager string `json:"manager,omitempty"`
	// Message says in one sentence who and what.
	Message string `json:"message"`
	// Why says why it matters.
	Why string `json:"why"`
	// Fixes are ways to fix it, the best one first.
	Fixes []Fix `json:"mend"`
}

// Fix is a way to fix a finding.
type Fix struct {
	Kind FixKind `json:"-"`
	// Args are the words of the command.
	Args []string `json:"-"`
	// Manager, Version and File are what it is about; empty where it is not.
	Manager string `json:"-" secret:"public"`
	Version string `json:"-" secret:"public"`
	File    string `json:"-" secret:"public"`
	// Command is the line for a POSIX shell, and Does says what it is for. They
	// are written where the document is.
	Command string `json:"command"`
	Does    string `json:"does"`
}

// FixKind is what a fix does.
type FixKind string

// The kinds of fix.
const (
	// GiveFields gives an entry's fields to Manager, GiveServed at a version that
	// is served.
	GiveFields FixKind = "GiveFields"
	GiveServed FixKind = "GiveServed"
	// MigrateServed and MigratePorts move the object to server-side apply.
	MigrateServed FixKind = "MigrateServed"
	MigratePorts  FixKind = "MigratePorts"
	// MigrateRead does so where the annotation is read as one of Version.
	MigrateRead FixKind = "MigrateRead"
	// ClearEntry removes an entry, ClearUnserved those at versions that are not
	// served, ClearAll all of them.
	ClearEntry    FixKind = "ClearEntry"
	ClearUnserved FixKind = "ClearUnserved"
	ClearAll      FixKind = "ClearAll"
	// ClearMissing takes paths out of an entry, ClearMissingApplied of one that
	// claims them again with the next apply.
	ClearMissing        FixKind = "ClearMissing"
	ClearMissingApplied FixKind = "ClearMissingApplied"
	// DropAnnotation removes the last-applied annotation.
	DropAnnotation FixKind = "DropAnnotation"
	// ListEntries, ListOwned and ListPorts show owners.
	ListEntries FixKind = "ListEntries"
	ListOwned   FixKind = "ListOwned"
	ListPorts   FixKind = "ListPorts"
	// ShowField explains a field, ShowConflict a conflict, ShowAnswer a refusal,
	// ShowChanges what an apply changes.
	ShowField    FixKind = "ShowField"
	ShowConflict FixKind = "ShowConflict"
	ShowAnswer   FixKind = "ShowAnswer"
	ShowChanges  FixKind = "ShowChanges"
	// EditManifest resolves a conflict in the manifest.
	EditManifest FixKind = "EditManifest"
	// HandOver plans the way of a field to the autoscaler.
	HandOver FixKind = "HandOver"
	// FetchServed fetches the object at Version, FetchTracked with its managed
	// fields, FetchFile all objects of File.
	FetchServed  FixKind = "FetchServed"
	FetchTracked FixKind = "FetchTracked"
	FetchFile    FixKind = "FetchFile"
)

// maxFields is how many field paths a finding lists.
const maxFields = 50

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Severity.rank(), b.Severity.rank()),
		cmp.Compare(order(a.Rule), order(b.Rule)),
		compareTargets(a.Target, b.Target),
		cmp.Compare(a.Source.File, b.Source.File),
		cmp.Compare(a.Source.Document, b.Source.Document),
		cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Manager, b.Manager),
		cmp.Compare(a.Message, b.Message),
	)
}

func compareTargets(a, b report.Target) int {
	return cmp.Or(
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion),
	)
}

func sortFindings(list []Finding) { slices.SortStableFunc(list, compareFindings) }
