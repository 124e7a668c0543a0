package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/text"
)

// Severity is how bad something is.
type Severity string

// The severities, from most to least.
const (
	// SeverityError: something breaks, at once or with the next write of another manager.
	SeverityError Severity = "error"
	// SeverityWarning: what happens is probably not what is meant.
	SeverityWarning Severity = "warning"
	// SeverityNote: nothing breaks, but it is good to know.
	SeverityNote Severity = "note"
)

var severities = []Severity{SeverityError, SeverityWarning, SeverityNote}

// Rank is the place of a severity, 0 for the worst.
func (s Severity) Rank() int { return slices.Index(severities, s) }

// Risky reports whether there is more than notes to look at.
func Risky(risks []Finding) bool {
	return slices.ContainsFunc(risks, func(r Finding) bool { return r.Severity != SeverityNote && r.Counts() })
}

// RuleForbiddenOwner is the rule of a field that a policy (--policy) leaves to others.
const RuleForbiddenOwner = "forbidden-owner"

// The values of --fail-on next to severities and the names of rules.
const (
	FailOnRisky = "risky" // errors and warnings
	FailOnNever = "never"
)

// FailOn says which risks or findings make the exit code 1, and counts them. What a policy
// forbids does so without being asked for, unless never is.
type FailOn struct {
	// Values are those of --fail-on: severities and names of rules.
	Values []string `json:"values,omitempty" secret:"public"`
	// Errors, Warnings and Notes count those that Values are about; Forbidden those that a
	// policy alone is about.
	Errors    int `json:"errors,omitempty"`
	Warnings  int `json:"warnings,omitempty"`
	Notes     int `json:"notes,omitempty"`
	Forbidden int `json:"forbidden,omitempty"`
	// Default: the values were not given.
	Default bool `json:"-"`
}

// Asks reports whether a value is about a risk or finding.
func (f FailOn) Asks(rule string, severity Severity) bool {
	return slices.ContainsFunc(f.Values, func(v string) bool {
		if v == FailOnRisky {
			v = string(SeverityWarning)
		}
		return v == rule || severity.Rank() <= Severity(v).Rank()
	})
}

// Fails reports whether a risk or finding makes the exit code 1.
func (f FailOn) Fails(rule string, severity Severity) bool {
	return f.Asks(rule, severity) ||
		rule == RuleForbiddenOwner && severity == SeverityError && !slices.Contains(f.Values, FailOnNever)
}

// Count counts a risk or finding that makes the exit code 1.
func (f *FailOn) Count(rule string, severity Severity) {
	switch {
	case !f.Fails(rule, severity):
	case !f.Asks(rule, severity):
		f.Forbidden++
	case severity == SeverityError:
		f.Errors++
	case severity == SeverityWarning:
		f.Warnings++
	default:
		f.Notes++
	}
}

// FailsBy is the rule by which a finding makes the exit code 1, with its severity: its own, or
// that of another one on the same field.
func (f FailOn) FailsBy(of Finding) (string, Severity) {
	for _, a := range of.Others {
		if !f.Fails(of.Rule, of.Severity) && f.Fails(a.Rule, a.Severity) {
			return a.Rule, a.Severity
		}
	}
	for _, rule := range of.Also {
		if !f.Fails(of.Rule, of.Severity) && f.Fails(rule, of.Severity) {
			return rule, of.Severity
		}
	}
	return of.Rule, of.Severity
}

// CountFinding counts a finding that makes the exit code 1.
func (f *FailOn) CountFinding(of Finding) { f.Count(f.FailsBy(of)) }

// Met reports whether anything was counted.
func (f *FailOn) Met() bool { return f != nil && f.Errors+f.Warnings+f.Notes+f.Forbidden > 0 }

// String is why the exit code is 1: "--fail-on risky (1 error, 2 warnings)".
func (f FailOn) String() string {
	var asked, parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{f.Errors, "error"}, {f.Warnings, "warning"}, {f.Notes, "note"}} {
		if c.n > 0 {
			asked = append(asked, text.New("%v", text.Count(c.n, c.noun)).String())
		}
	}
	if asked != nil {
		parts = append(parts, fmt.Sprintf("--fail-on %s (%s)", strings.Join(f.Values, ","), strings.Join(asked, ", ")))
	}
	if f.Forbidden > 0 {
		parts = append(parts, text.New("--policy (%v)", text.Count(f.Forbidden, "error")).String())
	}
	return strings.Join(parts, ", ")
}
