package migrate

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
)

// Fact is that of reports.
type Fact = report.Fact

// FactKind is that of reports.
type FactKind = report.FactKind

// Why a manager is chosen.
const (
	Named            FactKind = "Named"
	KubectlDefault   FactKind = "KubectlDefault"
	AppliesAlready   FactKind = "AppliesAlready"
	ToolsName        FactKind = "ToolsName"
	DefaultOfSeveral FactKind = "DefaultOfSeveral"
	NobodyApplies    FactKind = "NobodyApplies"
	AppliesPart      FactKind = "AppliesPart"
	OtherAppliesPart FactKind = "OtherAppliesPart"
	OthersApplyParts FactKind = "OthersApplyParts"
	NobodyElse       FactKind = "NobodyElse"
	ClientSideName   FactKind = "ClientSideName"
	OnlyApplier      FactKind = "OnlyApplier"
)

// What is believed of an entry.
const (
	OwnsAnnotation    FactKind = "OwnsAnnotation"
	KnownByAnnotation FactKind = "KnownByAnnotation"
	OwnsOfManifest    FactKind = "OwnsOfManifest"
	OwnsOfAnnotation  FactKind = "OwnsOfAnnotation"
	OwnsOfApplied     FactKind = "OwnsOfApplied"
	EntryIs           FactKind = "EntryIs"
	NameIs            FactKind = "NameIs"
	OfRelease         FactKind = "OfRelease"
	NothingKnown      FactKind = "NothingKnown"
	AppliesLittle     FactKind = "AppliesLittle"
)

// Changes of the annotation.
const (
	LeftAlone     FactKind = "LeftAlone"
	LastEntry     FactKind = "LastEntry"
	OfSubresource FactKind = "OfSubresource"
	AsAsked       FactKind = "AsAsked"
	KeptByApplier FactKind = "KeptByApplier"
	GoesStale     FactKind = "GoesStale"
	NeededToDrop  FactKind = "NeededToDrop"
)

// Why the annotation cannot be used.
const (
	NoText         FactKind = "NoText"
	CutJSON        FactKind = "CutJSON"
	NotJSON        FactKind = "NotJSON"
	NoObject       FactKind = "NoObject"
	MoreThanObject FactKind = "MoreThanObject"
	NullObject     FactKind = "NullObject"
	NoManifest     FactKind = "NoManifest"
	OtherGroup     FactKind = "OtherGroup"
	OtherKind      FactKind = "OtherKind"
	OtherName      FactKind = "OtherName"
	OtherNamespace FactKind = "OtherNamespace"
	UnfitFields    FactKind = "UnfitFields"
)

// What else is wrong with the annotation, or is to be known of it.
const (
	AnnotationUnwritable FactKind = "AnnotationUnwritable"
	AnnotationsTooLarge  FactKind = "AnnotationsTooLarge"
	LoneAnnotation       FactKind = "LoneAnnotation"
	Frozen               FactKind = "Frozen"
	Rewritten            FactKind = "Rewritten"
	HoldsSecret          FactKind = "HoldsSecret"
	WritesSecret         FactKind = "WritesSecret"
	StaleField           FactKind = "StaleField"
	StaleFields          FactKind = "StaleFields"
)

// API versions and kinds that the server does not have.
const (
	LiveUnserved       FactKind = "LiveUnserved"
	ManifestUnserved   FactKind = "ManifestUnserved"
	AnnotationUnserved FactKind = "AnnotationUnserved"
	EntryUnserved      FactKind = "EntryUnserved"
	EntryNotShown      FactKind = "EntryNotShown"
	NoSchema           FactKind = "NoSchema"
	NoKind             FactKind = "NoKind"
)

// What csaupgrade does.
const (
	UpstreamFails    FactKind = "UpstreamFails"
	UpstreamDiscards FactKind = "UpstreamDiscards"
	UpstreamUnserved FactKind = "UpstreamUnserved"
)

// What cannot be read, or is not sure.
const (
	Unreadable      FactKind = "Unreadable"
	EntryUnreadable FactKind = "EntryUnreadable"
	CameWithout     FactKind = "CameWithout"
	FieldsUnknown   FactKind = "FieldsUnknown"
	AppliedUnknown  FactKind = "AppliedUnknown"
	TestsEntries    FactKind = "TestsEntries"
	NoEntry         FactKind = "NoEntry"
	DoesNotApply    FactKind = "DoesNotApply"
	SeveralApply    FactKind = "SeveralApply"
	NotSure         FactKind = "NotSure"
)

// What the migration leaves, or loses.
const (
	AlsoOwns        FactKind = "AlsoOwns"
	StatusStays     FactKind = "StatusStays"
	NothingSays     FactKind = "NothingSays"
	NoDefault       FactKind = "NoDefault"
	DefaultsUnknown FactKind = "DefaultsUnknown"
	NextConflicts   FactKind = "NextConflicts"
	NextRefused     FactKind = "NextRefused"
	ConflictsLost   FactKind = "ConflictsLost"
	NotInAnnotation FactKind = "NotInAnnotation"
	NotProtected    FactKind = "NotProtected"
	ListsReplaced   FactKind = "ListsReplaced"
)

// fields are the paths of a set as the server writes them, in the set's order.
func fields(set *fieldpath.Set) []string {
	var out []string
	set.Iterate(func(p fieldpath.Path) { out = append(out, p.String()) })
	return out
}
