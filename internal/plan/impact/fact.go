package impact

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports. What each case says, and what to do about it, is in
// internal/render/view.
type FactKind = report.FactKind

// Changes of a definition, or of a kind, which Is names.
const (
	OldOnly      FactKind = "OldOnly"
	NotInRelease FactKind = "NotInRelease"
	// ServerAnswers: the code is Count, and Text the message of the whole; Faulty: Text
	// is a field with what is said of it.
	ServerAnswers FactKind = "ServerAnswers"
	Faulty        FactKind = "Faulty"
	// StoredAt: it was Version, and is At.
	StoredAt FactKind = "StoredAt"
	// NamesGone: the list Text has no Others any more.
	NamesGone FactKind = "NamesGone"
	// Converted: the strategy was Want, and is Is.
	Converted FactKind = "Converted"
)

// Changes of the subresource Text.
const (
	SubresourceNew   FactKind = "SubresourceNew"
	SubresourceGone  FactKind = "SubresourceGone"
	SubresourceMoved FactKind = "SubresourceMoved"
)

// Changes of the API version Version: At is one to use instead; empty for none.
const (
	VersionNew      FactKind = "VersionNew"
	VersionGone     FactKind = "VersionGone"
	VersionUnserved FactKind = "VersionUnserved"
)

// Changes of a field.
const (
	// FieldGone: Fields may be meant instead. FieldUnknown: it is kept.
	FieldGone    FactKind = "FieldGone"
	FieldUnknown FactKind = "FieldUnknown"
	// FieldsNew: Count of them.
	FieldsNew       FactKind = "FieldsNew"
	NewRequired     FactKind = "NewRequired"
	BecomesRequired FactKind = "BecomesRequired"
	// OtherType: it was Want, and is Is.
	OtherType FactKind = "OtherType"
	// Merges: how it merges, and how it did, are the Parts.
	Merges        FactKind = "Merges"
	PrunesUnknown FactKind = "PrunesUnknown"
	KeepsUnknown  FactKind = "KeepsUnknown"
	// AcceptsLess: why are the Parts.
	AcceptsLess FactKind = "AcceptsLess"
)

// How a field merges.
const (
	// KeyedBy Others.
	KeyedBy      FactKind = "KeyedBy"
	IsSet        FactKind = "IsSet"
	IsAtomic     FactKind = "IsAtomic"
	IsGranular   FactKind = "IsGranular"
	IsValue      FactKind = "IsValue"
	ItemAtomic   FactKind = "ItemAtomic"
	ItemGranular FactKind = "ItemGranular"
)

// Changes of a default: it was Before, and is After.
const (
	DefaultNew FactKind = "DefaultNew"
	// DefaultInside: the field is a part of Fields, which is atomic.
	DefaultInside FactKind = "DefaultInside"
	DefaultGone   FactKind = "DefaultGone"
	DefaultOther  FactKind = "DefaultOther"
)

// Changes of the keyword Text of a schema: it was Before, and is After.
const (
	KeywordNew   FactKind = "KeywordNew"
	KeywordOther FactKind = "KeywordOther"
	KeywordIs    FactKind = "KeywordIs"
	// KeywordWithout: of a list of values, those of Before are gone.
	KeywordWithout FactKind = "KeywordWithout"
	// KeywordRules: the rules of Others are new.
	KeywordRules FactKind = "KeywordRules"
)

// Effects on Count live objects, or of what Manager owns of them; Text says it of
// the first.
const (
	Unserved    FactKind = "Unserved"
	EntryFails  FactKind = "EntryFails"
	WritesFail  FactKind = "WritesFail"
	ApplyFails  FactKind = "ApplyFails"
	EntryGoes   FactKind = "EntryGoes"
	Pruned      FactKind = "Pruned"
	Widens      FactKind = "Widens"
	Unprotects  FactKind = "Unprotects"
	ApplyAlters FactKind = "ApplyAlters"
	Invalid     FactKind = "Invalid"
	FilledIn    FactKind = "FilledIn"
)

// Of how many objects, Count, something was not simulated: those of the kind Text, for
// an error, which is Is, or since a webhook converts between the versions of Is.
const (
	NotSimulated FactKind = "NotSimulated"
	ByWebhook    FactKind = "ByWebhook"
)
