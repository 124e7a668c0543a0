package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
)

// Severity is how much a finding matters.
type Severity string

// The severities, from most to least.
const (
	// Error: the next write of somebody is refused, or ownership is lost.
	Error Severity = "error"
	// Warning: the next write does not do what its manifest says, or a secret
	// is shown where it should not be.
	Warning Severity = "warning"
	// Note: nothing goes wrong by itself, but it is good to know.
	Note Severity = "note"
)

// Severities are all of them, from most to least.
func Severities() []Severity { return []Severity{Error, Warning, Note} }

// AtLeast reports whether s matters as much as t, or more.
func (s Severity) AtLeast(t Severity) bool { return s.rank() <= t.rank() }

func (s Severity) rank() int { return slices.Index(Severities(), s) }

// Rule is one thing that may be wrong. Names and severities are stable: other
// programs know findings by them. What it is in words stands in internal/render/view.
type Rule struct {
	// Name is in kebab-case.
	Name string
	// Severity is that of most findings; some matter less.
	Severity Severity
}

// Rules are those of a command, in the order in which findings of one severity are
// reported.
type Rules []Rule

// Index is where a rule stands; -1 for none.
func (r Rules) Index(name string) int {
	return slices.IndexFunc(r, func(rule Rule) bool { return rule.Name == name })
}

// Of is the rule of a name, which is one of them.
func (r Rules) Of(name string) Rule { return r[r.Index(name)] }

// Names are those of the rules, in their order.
func (r Rules) Names() []string {
	var out []string
	for _, rule := range r {
		out = append(out, rule.Name)
	}
	return out
}

// Check finds a pattern that is no rule's.
func (r Rules) Check(s Selection) error {
	for _, pattern := range slices.Concat(s.Only, s.Skip) {
		if !slices.ContainsFunc(r, func(rule Rule) bool { return fieldpattern.Glob(pattern, rule.Name) }) {
			return fmt.Errorf("no rule is named %q: there are %s", pattern, strings.Join(r.Names(), ", "))
		}
	}
	return nil
}

// Selection says which rules count, by name or pattern with *.
type Selection struct {
	// Only are the rules to ask; none means all.
	Only []string
	// Skip are rules to leave out.
	Skip []string
}

// Has reports whether a rule counts.
func (s Selection) Has(rule string) bool {
	return (len(s.Only) == 0 || matchesAny(s.Only, rule)) && !matchesAny(s.Skip, rule)
}

// matchesAny compares with patterns in which * stands for any text: paths and names
// have brackets and slashes.
func matchesAny(patterns []string, s string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fieldpattern.Glob(p, s) })
}
