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

// Rule is one rule. What it finds is said in internal/render/view.
type Rule struct {
	Name string
	// Severity is the least that a risk of it has.
	Severity report.Severity
}

// rules are in the order of importance, which is that of how much they explain: of
// several about one field the first speaks.
var rules = []Rule{
	{ForbiddenOwner, report.SeverityError},
	{ReplicasAutoscaled, report.SeverityError},
	{RemovedByKubectl, report.SeverityError},
	{InjectedField, report.SeverityWarning},
	{Takeover, report.SeverityWarning},
	{AtomicReplaced, report.SeverityWarning},
	{TakenByForce, report.SeverityWarning},
	{RemovedWithOthers, report.SeverityWarning},
	{FallsBackToDefault, report.SeverityWarning},
	{DroppedStays, report.SeverityNote},
	{StoredDifferently, report.SeverityNote},
}

// Rules lists the rules in the order of importance. The slice is the caller's own.
func Rules() []Rule { return slices.Clone(rules) }

// Is reports whether there is a rule of that name.
func Is(name string) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == name })
}

func place(name string) int {
	return slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
}
