package report

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Level is how far an answer can be trusted.
type Level string

// The levels of confidence.
const (
	// Exact: nothing that a default server does to this object was left out, but for values
	// that only it can give (uid, resourceVersion, an allocated address).
	Exact Level = "Exact"
	// Partial: the reasons say what was.
	Partial Level = "Partial"
)

// Confidence says what a real server might do that was not simulated.
type Confidence struct {
	Level Level `json:"level"`
	// Notes are the reasons as sentences, those of the kind ServerAssigned in one.
	Notes []string `json:"notes,omitempty" secret:"ours"`
	// Reasons are in a stable order; those of the kind ServerAssigned alone leave
	// the level Exact, and are one for each field.
	Reasons []Caveat `json:"reasons,omitempty"`
}

// Caveat is one thing that keeps an answer from being a real server's for certain.
type Caveat = api.Caveat

// The rules of caveats that say what to do about them.
const (
	// RuleAssumedSchema: no definition of the kind is given.
	RuleAssumedSchema = "AssumedSchema"
	// RuleNoManagedFields: the live object has no managed fields entries.
	RuleNoManagedFields = "NoManagedFields"
	// RuleNoLiveObject: no live object has the name, and Nearest may be meant.
	RuleNoLiveObject = "NoLiveObject"
	// RuleNoLiveKind: no live object is of the kind.
	RuleNoLiveKind = "NoLiveKind"
	// RuleUnknownManager: no live object has an entry of the field manager, and
	// Nearest may be meant.
	RuleUnknownManager = "UnknownManager"
	// RuleAssumedAbsent: whether there is a live object is not known, and it is taken as
	// absent.
	RuleAssumedAbsent = "AssumedAbsent"
	// RuleNoRelease: what Helm applied last to the object is not given.
	RuleNoRelease = "NoRelease"
	// RuleNotBuilt: the manifest is not yet what Flux makes of it.
	RuleNotBuilt = "NotBuilt"
	// RuleDigests: the live object has digests instead of values of a Secret, and
	// their key is not given.
	RuleDigests = "Digests"
	// RuleNotGiven: policies, webhooks and the like are not known to be absent.
	RuleNotGiven = api.NotGiven
	// RuleOtherRelease: the cluster runs another release than the one that answers.
	RuleOtherRelease = api.OtherRelease
)

// ConfidenceOf is the level that reasons leave, with their sentences. It keeps the slice.
func ConfidenceOf(reasons []Caveat) Confidence {
	c := Confidence{Level: Exact, Reasons: reasons, Notes: Sentences(reasons)}
	if len(c.Doubts()) > 0 {
		c.Level = Partial
	}
	return c
}

// Doubts are the reasons for which the verdict itself may be another in the
// cluster: all but the values that only a server gives.
func (c Confidence) Doubts() []Caveat {
	return slices.DeleteFunc(slices.Clone(c.Reasons), func(r Caveat) bool { return r.Kind == api.ServerAssigned })
}

// Has reports whether a reason is of a rule.
func (c Confidence) Has(rule string) bool {
	return slices.ContainsFunc(c.Reasons, func(r Caveat) bool { return r.Rule == rule })
}

// Sentences are the messages of caveats in their order, where fields that only a
// server gives are named together.
func Sentences(reasons []Caveat) []string {
	var out, fields []string
	at := 0
	for _, r := range reasons {
		if r.Kind != api.ServerAssigned {
			out = append(out, r.Message)
			continue
		}
		if fields == nil {
			at = len(out)
		}
		fields = append(fields, r.Field)
	}
	if fields == nil {
		return out
	}
	return slices.Insert(out, at, "Only a server can give "+strings.Join(fields, ", ")+": left out.")
}
