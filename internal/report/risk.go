package report

import (
	"slices"

	"github.com/ssactl/ssactl/internal/text"
)

// Severity is how bad something is.
type Severity string

// The severities, from most to least.
const (
	// SeverityError: something breaks, at once or with the next write of somebody.
	SeverityError Severity = "error"
	// SeverityWarning: what happens is probably not what is meant.
	SeverityWarning Severity = "warning"
	// SeverityNote: nothing goes wrong by itself, but it is good to know.
	SeverityNote Severity = "note"
)

// severities are in their order.
var severities = []Severity{SeverityError, SeverityWarning, SeverityNote}

// Rank is the place of a severity, 0 for the worst.
func (s Severity) Rank() int { return slices.Index(severities, s) }

// Risk is a change of an accepted write that may do harm.
type Risk struct {
	// Rule is the name of what was found, such as taken-by-force.
	Rule     string   `json:"rule" secret:"public"`
	Severity Severity `json:"severity"`
	// Field is the field path that it is about; empty for the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Manager is the field manager or the controller that is concerned; empty for
	// none.
	Manager string `json:"manager,omitempty" secret:"public"`
	// Message says in one sentence what happens to whom.
	Message text.Text `json:"message"`
	// Source is the line of the manifest; nil where it has none.
	Source *Source `json:"source,omitempty"`
	// Policy is the rule of a policy that forbids it; nil for other risks.
	Policy *Source `json:"policy,omitempty"`
}

// Risky reports whether there is more than notes to look at.
func Risky(risks []Risk) bool {
	return slices.ContainsFunc(risks, func(r Risk) bool { return r.Severity != SeverityNote })
}
