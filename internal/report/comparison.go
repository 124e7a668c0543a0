package report

import (
	"fmt"
	"slices"
)

// Attribution says of a finding, or of a change of a field, whether the change of the
// manifests causes it; empty where there are no manifests before the change (--base).
type Attribution string

// The attributions.
const (
	// CausedByChange: the manifests before the change do not have it, or not as severe.
	CausedByChange Attribution = "Change"
	// StoodBefore: the manifests before the change have it too.
	StoodBefore Attribution = "Before"
	// FixedByChange: only the manifests before the change have it, or have it as severe.
	FixedByChange Attribution = "Fixed"
)

// Counts reports whether a finding counts: it stands after the change, and did not before.
func (f Finding) Counts() bool { return f.Cause != StoodBefore && f.Cause != FixedByChange }

// refusing are the rules of findings on a write that is rejected, or has no answer.
var refusing = []string{RuleConflict, RuleRefused, RuleNoAnswer}

// Decides reports whether a write is rejected, or has no answer, and that did not stand
// before the change.
func (r Result) Decides() bool {
	stood := false
	for _, f := range r.Findings {
		if !slices.Contains(refusing, f.Rule) {
			continue
		}
		if f.Counts() {
			return r.Outcome.Refused()
		}
		stood = stood || f.Cause == StoodBefore
	}
	return r.Outcome.Refused() && !stood
}

// Before is the object that differences are from: the live object, or what the manifest
// before the change leaves where that is accepted; nil for none.
func (r Result) Before() map[string]any {
	if r.Former == "" || r.Former.Refused() {
		return r.Live
	}
	return r.FormerObject
}

// Comparison counts how the answers for the manifests differ from those for the manifests
// before a change, on the same live objects.
type Comparison struct {
	// Base is what the manifests before the change are: paths, or a revision of git.
	Base string `json:"base" secret:"public"`
	// Differ counts the objects with another answer, and Same those with the same one, which
	// are listed only where all are asked for.
	Differ int `json:"differ"`
	Same   int `json:"same"`
	// Fields counts the fields whose changes are not those of the manifests before, without
	// those that the server makes by itself.
	Fields int `json:"fields"`
	// Caused, Before and Fixed count the findings of all objects by their causes.
	Caused FindingCount `json:"caused"`
	Before FindingCount `json:"before"`
	Fixed  FindingCount `json:"fixed"`
	// Refused and Failed count the objects that are rejected, or have no answer, by the
	// change.
	Refused int `json:"refused"`
	Failed  int `json:"failed"`
	// All: what stood before is listed. Existing: it makes the exit code too.
	All      bool `json:"-"`
	Existing bool `json:"existing,omitempty"`
}

// Total counts findings of all severities.
func (n FindingCount) Total() int { return n.Error + n.Warning + n.Note }

// Stood says how many findings stood before the change; empty for none.
func (c Comparison) Stood() string {
	n := c.Before.Total()
	if n == 0 {
		return ""
	}
	said := fmt.Sprintf("%d findings stood before this change", n)
	if n == 1 {
		said = "1 finding stood before this change"
	}
	switch {
	case c.All:
		return said + "."
	case n == 1:
		return said + "; --all shows it."
	}
	return said + "; --all shows them."
}
