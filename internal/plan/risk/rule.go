package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// The names of the rules.
const (
	// ForbiddenOwner: the policy does not let the manager own a field.
	ForbiddenOwner = report.RuleForbiddenOwner
	// ReplicasAutoscaled: the manifest sets replicas that an autoscaler writes.
	ReplicasAutoscaled = "replicas-autoscaled"
	// Takeover: most of the object is taken from the tool that applied it before.
	Takeover = "takeover"
	// TakenByForce: a field is taken from its field manager.
	TakenByForce = "taken-by-force"
	// RemovedByKubectl: kubectl moves client-side entries, applies again, and so
	// removes what the manifest lacks.
	RemovedByKubectl = "kubectl-removes"
	// AtomicReplaced: a whole list or map of another field manager is replaced.
	AtomicReplaced = "atomic-replaced"
	// RemovedWithOthers: what others own goes with what is removed.
	RemovedWithOthers = "removed-with-others"
	// FallsBackToDefault: a dropped field gets the server's default.
	FallsBackToDefault = "falls-back-to-default"
	// InjectedField: the manifest sets a field that an injector writes.
	InjectedField = "injected-field"
	// DroppedStays: a dropped field stays, as somebody else owns it.
	DroppedStays = "dropped-stays"
	// StoredDifferently: the server stores another spelling than what is applied.
	StoredDifferently = "stored-differently"
)

// Rule is one rule.
type Rule struct {
	Name string
	// Severity is the least that a risk of it has.
	Severity report.Severity
	// Title is what it finds, in a sentence, and Fix what to do about it; empty where
	// the risk itself says it.
	Title, Fix string
}

// rules are in the order of importance, which is that of how much they explain: of
// several about one field the first speaks.
var rules = []Rule{
	{ForbiddenOwner, report.SeverityError,
		"The write takes ownership that the policy of `--policy` does not allow.",
		"remove the field from the manifest, or allow it in the policy."},
	{ReplicasAutoscaled, report.SeverityError,
		"The write sets replicas that an autoscaler among the inputs writes.",
		"remove the field from the manifest; the autoscaler decides it."},
	{RemovedByKubectl, report.SeverityError,
		"kubectl moves client-side entries to its own, applies again, and removes what the manifest lacks.",
		"add the field to the manifest, unless it is to go."},
	{InjectedField, report.SeverityWarning,
		"The manifest sets a field that an injector writes.",
		"remove the field from the manifest; the injector sets it."},
	{Takeover, report.SeverityWarning,
		"Most of an object is taken by force from the tool that applied it before.", ""},
	{AtomicReplaced, report.SeverityWarning,
		"A whole list or map of another field manager is replaced.",
		"agree with its owner on one manifest that has the whole value."},
	{TakenByForce, report.SeverityWarning,
		"A field is taken by force from its field manager.", ""},
	{RemovedWithOthers, report.SeverityWarning,
		"What other field managers own is removed together with what the manifest drops.",
		"keep the field in the manifest, or ask its other owners first."},
	{FallsBackToDefault, report.SeverityWarning,
		"A field that the manifest drops falls back to the server's default.",
		"keep the field in the manifest, unless the default is meant."},
	{DroppedStays, report.SeverityNote,
		"A field that the manifest drops stays, as another field manager owns it.", ""},
	{StoredDifferently, report.SeverityNote,
		"The server stores another spelling than the one in the manifest.", ""},
}

// Rules lists the rules in the order of importance. The slice is the caller's own.
func Rules() []Rule { return slices.Clone(rules) }

// RuleOf is the rule of a risk; false for a name that no rule has.
func RuleOf(name string) (Rule, bool) {
	if i := place(name); i >= 0 {
		return rules[i], true
	}
	return Rule{}, false
}

// Is reports whether there is a rule of that name.
func Is(name string) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == name })
}

func place(name string) int {
	return slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
}
