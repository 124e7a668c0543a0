package risk

import (
	"github.com/ssactl/ssactl/internal/finding"
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

// rules are in the order of importance, which is that of how much they explain: of
// several about one field the first speaks.
var rules = finding.Rules{
	{Name: ForbiddenOwner, Severity: report.SeverityError,
		Title: "The write takes ownership that the policy of `--policy` does not allow.",
		Fix:   "remove the field from the manifest, or allow it in the policy."},
	{Name: ReplicasAutoscaled, Severity: report.SeverityError,
		Title: "The write sets replicas that an autoscaler among the inputs writes.",
		Fix:   "remove the field from the manifest; the autoscaler decides it."},
	{Name: RemovedByKubectl, Severity: report.SeverityError,
		Title: "kubectl moves client-side entries to its own, applies again, and removes what the manifest lacks.",
		Fix:   "add the field to the manifest, unless it is to go."},
	{Name: InjectedField, Severity: report.SeverityWarning,
		Title: "The manifest sets a field that an injector writes.",
		Fix:   "remove the field from the manifest; the injector sets it."},
	{Name: Takeover, Severity: report.SeverityWarning,
		Title: "Most of an object is taken by force from the tool that applied it before."},
	{Name: AtomicReplaced, Severity: report.SeverityWarning,
		Title: "A whole list or map of another field manager is replaced.",
		Fix:   "agree with its owner on one manifest that has the whole value."},
	{Name: TakenByForce, Severity: report.SeverityWarning,
		Title: "A field is taken from its field manager, or its value is overwritten."},
	{Name: RemovedWithOthers, Severity: report.SeverityWarning,
		Title: "What other field managers own is removed together with what the manifest drops.",
		Fix:   "keep the field in the manifest, or ask its other owners first."},
	{Name: FallsBackToDefault, Severity: report.SeverityWarning,
		Title: "A field that the manifest drops falls back to the server's default.",
		Fix:   "keep the field in the manifest, unless the default is meant."},
	{Name: DroppedStays, Severity: report.SeverityNote,
		Title: "A field that the manifest drops stays, as another field manager owns it."},
	{Name: StoredDifferently, Severity: report.SeverityNote,
		Title: "The server stores another spelling than the one in the manifest."},
}

// Rules are all rules, in the order of importance.
func Rules() finding.Rules { return rules }
