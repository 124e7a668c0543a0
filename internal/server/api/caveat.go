package api

// CaveatKind says why an answer may not be a real server's.
type CaveatKind string

// The kinds of caveat.
const (
	// ServerAssigned: a value that only a server gives is left out. It never
	// changes the verdict.
	ServerAssigned CaveatKind = "ServerAssigned"
	// Admission: a plug-in, webhook or policy was not run.
	Admission CaveatKind = "Admission"
	// Schema: no definition of the kind is known, and its merge schema is assumed.
	Schema CaveatKind = "Schema"
	// Input: what was given of the cluster may be incomplete, or may be something
	// else than what is meant.
	Input CaveatKind = "Input"
	// Version: another release of Kubernetes is simulated than the one whose code
	// runs.
	Version CaveatKind = "Version"
)

// NotGiven is the rule of the caveat that kinds of objects which could decide are not
// known to be absent. It is the same one in all answers of a server.
const NotGiven = "NotGiven"

// OtherRelease is the rule of an answer that is not that of the cluster's release.
const OtherRelease = "OtherRelease"

// Caveat is one thing that keeps an answer from being a real server's for certain.
type Caveat struct {
	Kind CaveatKind `json:"kind"`
	// Field is the field path that it is about; empty for the whole object.
	Field string `json:"field,omitempty"`
	// Message is a sentence.
	Message string `json:"message" secret:"ours"`
	// Rule names the caveat where something can be done about it; else empty.
	Rule string `json:"rule,omitempty" secret:"public"`
	// Nearest is what may be meant instead; empty where nothing is like it.
	Nearest string `json:"nearest,omitempty"`
}
