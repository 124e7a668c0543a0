package risk

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports.
type FactKind = report.FactKind

// What the manager of a write would own against a policy: one field, one that force
// takes from By, or Count more. Others are the owners that the policy allows, and Text
// is its reason.
const (
	WouldOwn     FactKind = "WouldOwn"
	WouldTake    FactKind = "WouldTake"
	WouldOwnMore FactKind = "WouldOwnMore"
)

// Replicas that Manager sets, and an autoscaler of Others writes: each
// apply resets them, or the autoscaler goes on from what another write sets.
const (
	ResetsReplicas FactKind = "ResetsReplicas"
	ScalesAgain    FactKind = "ScalesAgain"
)

// What Manager does after a field, or a whole list or map, was taken from it.
const (
	Loses      FactKind = "Loses"
	MaySetBack FactKind = "MaySetBack"
	SetsBack   FactKind = "SetsBack"
	SyncsBack  FactKind = "SyncsBack"
	RunsBack   FactKind = "RunsBack"
	// TakesObject: Count fields of an object of Manager go to Others.
	TakesObject FactKind = "TakesObject"
)

// Fields that others own or write.
const (
	// GoesAlong: what Manager owns is removed with what the write removes.
	GoesAlong FactKind = "GoesAlong"
	// OwnsItToo: a dropped field stays, as Manager owns it.
	OwnsItToo FactKind = "OwnsItToo"
	// InjectorWrites: an injector of Others writes what Manager sets.
	InjectorWrites FactKind = "InjectorWrites"
	// InjectorLoses: the empty value of Manager removes what an injector of Others wrote.
	InjectorLoses FactKind = "InjectorLoses"
)

// What kubectl does after the apply of Manager, to which it moves the entries of Others:
// it removes a field, resets it to After, or every apply from then on is refused with
// Count.
const (
	KubectlRemoves FactKind = "KubectlRemoves"
	KubectlResets  FactKind = "KubectlResets"
	KubectlStuck   FactKind = "KubectlStuck"
)

// Values.
const (
	// BecomesDefault: Before becomes the server's default, After, as Manager drops it.
	BecomesDefault FactKind = "BecomesDefault"
	// DefaultUntilScaled: so until an autoscaler of Others scales again.
	DefaultUntilScaled FactKind = "DefaultUntilScaled"
	// DropsEmpty: the server stores nothing for an empty value.
	DropsEmpty FactKind = "DropsEmpty"
	// OtherSpelling: the server stores it as After.
	OtherSpelling FactKind = "OtherSpelling"
)
