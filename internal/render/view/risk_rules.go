package view

import "github.com/ssactl/ssactl/internal/plan/risk"

// RuleText is what a rule is in words: what it finds, as a sentence, and why that
// matters, in a sentence or two.
type RuleText struct{ Title, Why string }

// RiskRule is a rule of risks in words. Why they matter stands in docs/risks.md.
func RiskRule(name string) RuleText { return RuleText{Title: riskRules[name]} }

// riskRules are what the rules find.
var riskRules = map[string]string{
	risk.ForbiddenOwner:     "The write takes ownership that the policy of `--policy` does not allow.",
	risk.ReplicasAutoscaled: "The write sets replicas that an autoscaler among the inputs writes.",
	risk.AtomicReplaced:     "A whole list or map of another field manager is replaced.",
	risk.TakenByForce:       "A field is taken by force from its field manager.",
	risk.RemovedWithOthers:  "What other field managers own is removed together with what the manifest drops.",
	risk.FallsBackToDefault: "A field that the manifest drops falls back to the server's default.",
	risk.InjectedField:      "The manifest sets a field that an injector writes.",
	risk.DroppedStays:       "A field that the manifest drops stays, as another field manager owns it.",
	risk.StoredDifferently:  "The server stores another spelling than the one in the manifest.",
}
