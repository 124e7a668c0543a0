package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Rule is one thing that may be wrong. Names and severities are stable: other programs
// know findings by them.
type Rule struct {
	// Name is in kebab-case.
	Name string
	// Severity is that of most findings; some matter less.
	Severity report.Severity
	// Title is what the rule finds, as a sentence, and Why says why that matters, in a
	// sentence or two.
	Title, Why string
	// By says what findings of the rule have in common that are reported as one.
	By report.Grouping
	// Fix is what to do about it, in a clause; empty where that depends.
	Fix string
}

// On starts a finding of the rule on an object at a place, which says who and what.
// Without fixes, it has that of the rule.
func (r Rule) On(target report.Target, source report.Source, message text.Text, fixes ...report.Fix) report.Finding {
	f := report.Finding{
		Rule:     r.Name,
		Severity: r.Severity,
		Target:   target,
		Source:   source,
		Message:  message,
		Why:      text.Text{Format: r.Why},
		By:       r.By,
		Fixes:    []report.Fix{},
	}
	if len(fixes) == 0 && r.Fix != "" {
		fixes = []report.Fix{{Does: text.Text{Format: program.In(r.Fix)}}}
	}
	f.Fixes = append(f.Fixes, fixes...)
	return f
}

// At is the rule where it weighs more or less than most often.
func (r Rule) At(severity report.Severity) Rule {
	r.Severity = severity
	return r
}

// Rules are those of a command, in the order in which findings of one severity are
// reported.
type Rules []Rule

// Index is where a rule stands; -1 for none.
func (r Rules) Index(name string) int {
	return slices.IndexFunc(r, func(rule Rule) bool { return rule.Name == name })
}

// Of is the rule of a name; the zero Rule for none.
func (r Rules) Of(name string) Rule {
	if i := r.Index(name); i >= 0 {
		return r[i]
	}
	return Rule{}
}

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

// PortsByProtocol is a rule of audit and lint.
var PortsByProtocol = Rule{
	Name: "ports-differ-by-protocol", Severity: report.SeverityNote,
	Title: "Ports differ by their protocol only.",
	Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one.",
	Fix:   "apply the manifest server-side only",
}

// Ports are items of a list that share all keys but the protocol.
type Ports struct {
	// Name is what they share, as containerPort=53.
	Name string
	// Items are their places, the first of each protocol, and Protocols are those.
	Items     []int
	Protocols []string
}

// PortsOf are the ports of a list that differ by their protocol, which the schema may have
// a default for. Lists that are keyed otherwise have none.
func PortsOf(list []any, shape managedfields.Shape) []Ports {
	if keys := shape.Keys(); len(keys) < 2 || !slices.Contains(keys, "protocol") {
		return nil
	}
	var all []Ports
	places := map[string]int{}
	for i, item := range list {
		name, protocol := portOf(item, shape)
		if protocol == "" {
			continue
		}
		at, known := places[name]
		if !known {
			at, all = len(all), append(all, Ports{Name: name})
			places[name] = at
		}
		if p := &all[at]; !slices.Contains(p.Protocols, protocol) {
			p.Items, p.Protocols = append(p.Items, i), append(p.Protocols, protocol)
		}
	}
	return slices.DeleteFunc(all, func(p Ports) bool { return len(p.Items) < 2 })
}

// portOf is what a port is known by; an empty protocol is that of no port.
func portOf(item any, shape managedfields.Shape) (name, protocol string) {
	element, ok := shape.Element(item)
	if !ok || element.Key == nil {
		return "", ""
	}
	var rest []string
	for _, f := range *element.Key {
		if v := f.Value.Unstructured(); f.Name == "protocol" {
			protocol, _ = v.(string)
		} else {
			rest = append(rest, fmt.Sprint(f.Name, "=", v))
		}
	}
	return strings.Join(rest, ","), protocol
}
