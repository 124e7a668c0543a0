package explain

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

// The reasons.
const (
	// RefusedAnyway: the server refuses every resolution with one message;
	// RefusedValue the value with force.
	RefusedAnyway ReasonKind = "RefusedAnyway"
	RefusedValue  ReasonKind = "RefusedValue"
	// OtherVersion: no single field of the manifest is the cause. OwnersUnknown: the
	// live object comes without managed fields.
	OtherVersion  ReasonKind = "OtherVersion"
	OwnersUnknown ReasonKind = "OwnersUnknown"
	// SameValue: the values differ only in their spelling; SameInData the same for
	// stringData. StoresNothing: nothing is stored for the value. ThereAlready: the
	// value is there, and shared would make others conflict.
	SameValue     ReasonKind = "SameValue"
	SameInData    ReasonKind = "SameInData"
	StoresNothing ReasonKind = "StoresNothing"
	ThereAlready  ReasonKind = "ThereAlready"
	// The owners do not write by themselves: several of them, the manager itself
	// with its updates, a name of the server's own, a person, a client-side apply,
	// a tool that writes when it is run.
	NobodyWrites      ReasonKind = "NobodyWrites"
	OwnUpdates        ReasonKind = "OwnUpdates"
	NoWriter          ReasonKind = "NoWriter"
	UsedByHand        ReasonKind = "UsedByHand"
	AppliedClientSide ReasonKind = "AppliedClientSide"
	WritesWhenRun     ReasonKind = "WritesWhenRun"
	// The owners write again: an autoscaler, another controller, a tool with a
	// manifest, any other manager that updates.
	Autoscaled       ReasonKind = "Autoscaled"
	Controlled       ReasonKind = "Controlled"
	OtherManifest    ReasonKind = "OtherManifest"
	WrittenByUpdates ReasonKind = "WrittenByUpdates"
	// Takeover: most of the object is owned by a tool that this manager takes over from.
	Takeover ReasonKind = "Takeover"
	// MayNotOwn: the policy does not let the Managers own the field.
	MayNotOwn ReasonKind = "MayNotOwn"
	// NoneSafe: each resolution is refused, changes the object, or does not last.
	NoneSafe ReasonKind = "NoneSafe"
)

// Objection is what speaks against a resolution.
type Objection string

// The objections: force is refused, or the Managers set their values again;
// leaving the field out is impossible, refused, changes the live object, or makes a
// manifest that no server takes for a new object; the policy
// does not let the manager that applies, or the owners that come back, own the field.
const (
	ForceRefused   Objection = "ForceRefused"
	ForceReverted  Objection = "ForceReverted"
	StopImpossible Objection = "StopImpossible"
	StopRefused    Objection = "StopRefused"
	StopChanges    Objection = "StopChanges"
	StopLacks      Objection = "StopLacks"
	OwnForbidden   Objection = "OwnForbidden"
	StopForbidden  Objection = "StopForbidden"
)
