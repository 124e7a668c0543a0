package conflict

import (
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/text"
)

// Reason is why a resolution is recommended, or none.
type Reason struct {
	Kind ReasonKind
	// Managers are those that it is about, each once.
	Managers []string `secret:"public"`
	// Against are what speaks against force and against leaving the field out;
	// only for NoneSafe.
	Against []Objection
}

// ReasonKind is one kind of reason.
type ReasonKind string

// The reasons, whose sentences say what they are; NoneSafe says its objections.
const (
	// Of the answer as a whole, or of the value.
	RefusedAnyway ReasonKind = "RefusedAnyway"
	RefusedValue  ReasonKind = "RefusedValue"
	OtherVersion  ReasonKind = "OtherVersion"
	OwnersUnknown ReasonKind = "OwnersUnknown"
	WrongManager  ReasonKind = "WrongManager"
	// The object would not change.
	SameValue     ReasonKind = "SameValue"
	SameInData    ReasonKind = "SameInData"
	StoresNothing ReasonKind = "StoresNothing"
	ThereAlready  ReasonKind = "ThereAlready"
	// The owners do not write by themselves.
	NobodyWrites      ReasonKind = "NobodyWrites"
	OwnUpdates        ReasonKind = "OwnUpdates"
	NoWriter          ReasonKind = "NoWriter"
	UsedByHand        ReasonKind = "UsedByHand"
	UsedInScripts     ReasonKind = "UsedInScripts"
	CreatedOnly       ReasonKind = "CreatedOnly"
	AppliedClientSide ReasonKind = "AppliedClientSide"
	WritesWhenRun     ReasonKind = "WritesWhenRun"
	ScalerGoes        ReasonKind = "ScalerGoes"
	// The owners write again.
	Autoscaled       ReasonKind = "Autoscaled"
	Controlled       ReasonKind = "Controlled"
	MaybeAutoscaled  ReasonKind = "MaybeAutoscaled"
	MaybeControlled  ReasonKind = "MaybeControlled"
	OtherManifest    ReasonKind = "OtherManifest"
	WrittenByUpdates ReasonKind = "WrittenByUpdates"
	// Others than who owns the field decide, or nothing does.
	Takeover ReasonKind = "Takeover"
	// LeftClientSide is a takeover of what an earlier client-side apply left.
	LeftClientSide ReasonKind = "LeftClientSide"
	MayNotOwn      ReasonKind = "MayNotOwn"
	// LeftByClient: no edit is safe, and the client has a setting that is.
	LeftByClient ReasonKind = "LeftByClient"
	NoneSafe     ReasonKind = "NoneSafe"
)

// Objection is what speaks against a resolution.
type Objection string

// The objections to force, to leaving the field out, and of the policy to who would own it.
const (
	ForceRefused   Objection = "ForceRefused"
	ForceReverted  Objection = "ForceReverted"
	MaybeReverted  Objection = "MaybeReverted"
	StopImpossible Objection = "StopImpossible"
	StopRefused    Objection = "StopRefused"
	StopChanges    Objection = "StopChanges"
	StopLacks      Objection = "StopLacks"
	OwnForbidden   Objection = "OwnForbidden"
	StopForbidden  Objection = "StopForbidden"
)

// Says is the reason in a sentence or two.
func (r Reason) Says() text.Text {
	managers := text.List(r.Managers, maxManagers, text.By)
	if says, ok := reasons[r.Kind]; ok {
		return text.New(program.In(says), managers)
	}
	var against text.Text
	for _, o := range r.Against {
		against = against.And("; ", text.New(objections[o], managers))
	}
	if against.IsZero() {
		return text.New("No option is safe: decide with the owners whose manifest has the field.")
	}
	return text.New(
		"No option is safe: %v. Decide with the owners whose manifest has the field, and change the other one first.",
		against,
	)
}

// maxManagers is how many managers a sentence lists.
const maxManagers = 50

// reasons are the sentences of the reasons but NoneSafe, about the managers.
var reasons = map[ReasonKind]string{
	RefusedAnyway: "Every option is refused, and not because of the conflict: mend first what the API server rejects.",
	RefusedValue:  "The server refuses your value with force too, for the reason shown above.",
	OwnersUnknown: "Who owns the field is not known before the live object is given with its managed fields.",
	WrongManager:  "Most likely the field manager is wrong: ask again as %v.",
	OtherVersion:  "The manifest spells the field otherwise than the API version of its owner, and no single field of it is the cause: compare the two versions of the kind.",
	LeftByClient:  "The line stays in the manifest, where new objects need it, and a setting of the client leaves the live value to %v.",
	SameValue:     "The two values are the same for the server, which compares spellings: written as it is stored, the field is shared and nothing changes.",
	SameInData:    "stringData is write-only, so that its owner always conflicts with others; written in data, the same value is shared.",
	StoresNothing: "The server stores nothing for your value, so that leaving the field out asks for the same.",
	ThereAlready:  "The value that you want is there already; shared, it would make the other manager's own manifest conflict if that is spelled as yours is.",
	NobodyWrites:  "No program writes as %v any more.",
	OwnUpdates:    "The owner is %v too, by its updates: the server counts updates and applies of one name as two owners. Force takes the ownership of this field; ssactl migrate moves all of them at once.",
	NoWriter:      "%v is no writer, only a name that the server records: nothing sets the value back.",
	UsedByHand:    "%v was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted.",
	UsedInScripts: "People and scripts write as %v: if a script set the live value, it may set it again. " +
		"Ask who did it and why before you force.",
	CreatedOnly: "%v created the object and has not written since: nothing shows that it would set the value back.",
	MaybeAutoscaled: "This value was set by %v, as autoscalers do. If it is one and the manifest sets the value, " +
		"every apply resets it.",
	MaybeControlled: "%v looks like a controller by its name, and may set the value back. " +
		"If it does, change what it derives the value from; where you know that it will not, force.",
	AppliedClientSide: "The field is owned from an earlier client-side apply. Stop applying the manifest that way, and force (take ownership); ssactl migrate moves all fields of %v at once.",
	ScalerGoes:        "The autoscaler, which wrote it as %v, goes with this run: nothing sets the number back.",
	WritesWhenRun:     "%v writes only when it is run; agree with those who run it that this manifest decides from now on.",
	Autoscaled:        "This value is decided by %v. If the manifest sets it, every apply resets it.",
	Controlled:        "A controller (%v) keeps this value, and would set it back. Change what it derives the value from, not the value.",
	OtherManifest:     "The field is in the manifest of %v too, and two manifests cannot decide one value: change it there, or remove it there and set it here.",
	WrittenByUpdates:  "This value was written by %v with updates or patches, which may happen again without a conflict. Where you know that they will not, force.",
	Takeover:          "%v owns most of what the manifest sets: this is a takeover.",
	LeftClientSide:    "%v owns what the manifest sets from an earlier client-side apply; the values stay.",
	MayNotOwn:         "The policy does not let %v own the field: it belongs to others.",
}

// objections are the clauses of the objections, about the managers.
var objections = map[Objection]string{
	ForceRefused:   "force is refused",
	ForceReverted:  "after force, %v sets the value back",
	MaybeReverted:  "after force, %v may set the value back",
	StopImpossible: "the field cannot be removed from the manifest here",
	StopRefused:    "without the field the apply is refused",
	StopChanges:    "without the field the live object changes",
	StopLacks:      "without the field the server would not create the object",
	OwnForbidden:   "the policy does not let %v own the field",
	StopForbidden:  "the policy does not let %v own the field",
}
