package lint

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports. What each case says, and what to do about it, is in
// internal/render/view.
type FactKind = report.FactKind

// What the lists of a manifest have.
const (
	// LacksKeys: the item lacks the keys of Others.
	LacksKeys FactKind = "LacksKeys"
	// ItemTwice: the item stands on the lines Count and All, 0 for one that is not
	// known; keys of Others have their defaults.
	ItemTwice FactKind = "ItemTwice"
	// ProtocolsDiffer: the port that Text names stands on the lines Count and All with
	// the protocols of Others.
	ProtocolsDiffer FactKind = "ProtocolsDiffer"
)

// Why the server refuses the manifest: Text is the field with what is said of it.
const (
	// ServerAnswers: the code is Count, and Text the message of the whole.
	ServerAnswers FactKind = "ServerAnswers"
	// NotServed: the kind is served at the API version At; empty for none.
	NotServed FactKind = "NotServed"
	// NoSuchField: Text is the field alone, and Others those that may be meant.
	NoSuchField FactKind = "NoSuchField"
	Mistyped    FactKind = "Mistyped"
	KeyTwice    FactKind = "KeyTwice"
	SameItem    FactKind = "SameItem"
	Keyless     FactKind = "Keyless"
	Faulty      FactKind = "Faulty"
)

// What is not for a manifest to set.
const (
	HasManagedFields FactKind = "HasManagedFields"
	ServerSets       FactKind = "ServerSets"
	StatusNull       FactKind = "StatusNull"
	StatusEmpty      FactKind = "StatusEmpty"
	StatusGiven      FactKind = "StatusGiven"
	HasLastApplied   FactKind = "HasLastApplied"
	HasStringData    FactKind = "HasStringData"
)

// What is stored, or written back, of the value Before of Fields.
const (
	NothingStored FactKind = "NothingStored"
	// StoredAs and WrittenAs: it is After then.
	StoredAs  FactKind = "StoredAs"
	WrittenAs FactKind = "WrittenAs"
	// AddsInside: the server adds Fields inside of an atomic list or map.
	AddsInside FactKind = "AddsInside"
)

// Who else has the object: Others.
const (
	// AlsoGiven: it stands at the line Count of the file Text too.
	AlsoGiven       FactKind = "AlsoGiven"
	Generates       FactKind = "Generates"
	ScalesReplicas  FactKind = "ScalesReplicas"
	WritesSelector  FactKind = "WritesSelector"
	WritesWeights   FactKind = "WritesWeights"
	WritesResources FactKind = "WritesResources"
	Injects         FactKind = "Injects"
)

// What the schema of a definition has at Version.
const (
	// NoListType: the key may be Text; empty where none is likely.
	NoListType  FactKind = "NoListType"
	ObjectsSet  FactKind = "ObjectsSet"
	KeyLeftOut  FactKind = "KeyLeftOut"
	NoMapType   FactKind = "NoMapType"
	WithoutEnds FactKind = "WithoutEnds"
)
