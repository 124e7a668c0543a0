package audit

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports.
type FactKind = report.FactKind

// What the next apply of a manifest meets.
const (
	// ConflictsOver: Manager conflicts with By; After is what it applies, and Before live.
	// ConflictsWith leaves the values out.
	ConflictsOver FactKind = "ConflictsOver"
	ConflictsWith FactKind = "ConflictsWith"
	// RefusedApply: that of Manager is refused, RefusedWith: with the code Count, the
	// reason Is, and the message Text. ApplyUnknown: it has no answer, because of Text.
	RefusedApply FactKind = "RefusedApply"
	RefusedWith  FactKind = "RefusedWith"
	ApplyUnknown FactKind = "ApplyUnknown"
	// RemovesUnowned: that of Manager removes the fields.
	RemovesUnowned FactKind = "RemovesUnowned"
	// KeepsDropped: the manifest of Manager drops the fields, and By keep them.
	KeepsDropped FactKind = "KeepsDropped"
)

// Who owns what, By always.
const (
	// OwnsForbidden: the policy leaves it to Others, for the reason Text.
	OwnsForbidden FactKind = "OwnsForbidden"
	// OwnsApplied: Manager applies it too.
	OwnsApplied FactKind = "OwnsApplied"
	// OwnsBeside: alone, and Manager applies what is around.
	OwnsBeside FactKind = "OwnsBeside"
	// OwnsByHand: alone, in what Manager manages.
	OwnsByHand FactKind = "OwnsByHand"
	// OwnsTwice: Manager, by Apply and by Update. UpdatesBeside: other fields by each.
	OwnsTwice     FactKind = "OwnsTwice"
	UpdatesBeside FactKind = "UpdatesBeside"
	// OwnsForNobody: before-first-apply, and OwnsOfMany: ancient-changes.
	OwnsForNobody FactKind = "OwnsForNobody"
	OwnsOfMany    FactKind = "OwnsOfMany"
	// OwnsAsWhole: a list or map, and nobody what is in it.
	OwnsAsWhole FactKind = "OwnsAsWhole"
	// OwnsMissing: what the object does not have.
	OwnsMissing FactKind = "OwnsMissing"
	// OwnsStringData: of a Secret.
	OwnsStringData FactKind = "OwnsStringData"
	// SilentFor: it wrote last at its time, Count days ago.
	SilentFor FactKind = "SilentFor"
	// AppliesReplicas: Manager applies what an autoscaler of Others sets.
	AppliesReplicas FactKind = "AppliesReplicas"
	// AppliedAsOne: Others apply one atomic field, AppliedAsOneEach: several.
	AppliedAsOne     FactKind = "AppliedAsOne"
	AppliedAsOneEach FactKind = "AppliedAsOneEach"
)

// What is wrong with managed fields as such.
const (
	// EntriesBroken: Count in all, with Parts as the first: AllBroken, or
	// EntryBroken, the entry number Count, of Manager, because of Text.
	EntriesBroken FactKind = "EntriesBroken"
	AllBroken     FactKind = "AllBroken"
	EntryBroken   FactKind = "EntryBroken"
	// EntryDropped and EntryRefuses: By is at Version, which is not served.
	EntryDropped FactKind = "EntryDropped"
	EntryRefuses FactKind = "EntryRefuses"
	// UpdatesMany: there are Count of at most All Update entries, UpdatesFull: all.
	UpdatesMany FactKind = "UpdatesMany"
	UpdatesFull FactKind = "UpdatesFull"
	// ObjectUntracked: the object has none, though others of the file have.
	// FileUntracked: none of the Count objects of a file has, LoneUntracked: the one.
	ObjectUntracked FactKind = "ObjectUntracked"
	FileUntracked   FactKind = "FileUntracked"
	LoneUntracked   FactKind = "LoneUntracked"
)

// What is wrong with the object, or with its lists.
const (
	// ServedElsewhere: not at Version, but At.
	ServedElsewhere FactKind = "ServedElsewhere"
	// ItemsOfOneKey: the fields are items of the list Fields.
	ItemsOfOneKey FactKind = "ItemsOfOneKey"
	// PortsOfOneNumber: so of ports, PortsMergedAsOne: and By writes client-side.
	PortsOfOneNumber FactKind = "PortsOfOneNumber"
	PortsMergedAsOne FactKind = "PortsMergedAsOne"
)

// What is wrong with the last-applied annotation.
const (
	// AnnotationUnreadable: because of Text, empty where that is not to be told.
	AnnotationUnreadable FactKind = "AnnotationUnreadable"
	// AnnotationOfKind and so on: it is of the kind Text, the name Is, and the
	// namespace In. The last one named differs from the object's.
	AnnotationOfKind      FactKind = "AnnotationOfKind"
	AnnotationOfName      FactKind = "AnnotationOfName"
	AnnotationOfNamespace FactKind = "AnnotationOfNamespace"
	// AnnotationUnserved: it is at the version Text.
	AnnotationUnserved FactKind = "AnnotationUnserved"
	// AnnotationLeaks: the values of Count keys of a Secret.
	AnnotationLeaks FactKind = "AnnotationLeaks"
	// AnnotationValue: it has After, and the object Before, AnnotationOnly: nothing, which
	// By own. AnnotationDiffers leaves the values out.
	AnnotationValue   FactKind = "AnnotationValue"
	AnnotationOnly    FactKind = "AnnotationOnly"
	AnnotationDiffers FactKind = "AnnotationDiffers"
)
