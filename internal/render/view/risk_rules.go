package view

import "github.com/ssactl/ssactl/internal/plan/risk"

// RiskRule is a rule of risks in words. Why they matter stands in docs/risks.md.
func RiskRule(name string) RuleText { return riskRules[name] }

// riskRules are what the rules find.
var riskRules = map[string]RuleText{
	risk.ForbiddenOwner:     {Title: "The write takes ownership that the policy of `--policy` does not allow."},
	risk.ReplicasAutoscaled: {Title: "The write sets replicas that an autoscaler among the inputs writes."},
	risk.RemovedByKubectl:   {Title: "kubectl moves client-side entries to its own, applies again, and removes what the manifest lacks."},
	risk.AtomicReplaced:     {Title: "A whole list or map of another field manager is replaced."},
	risk.Takeover:           {Title: "Most of an object is taken by force from the tool that applied it before."},
	risk.TakenByForce:       {Title: "A field is taken by force from its field manager."},
	risk.RemovedWithOthers:  {Title: "What other field managers own is removed together with what the manifest drops."},
	risk.FallsBackToDefault: {Title: "A field that the manifest drops falls back to the server's default."},
	risk.InjectedField:      {Title: "The manifest sets a field that an injector writes."},
	risk.DroppedStays:       {Title: "A field that the manifest drops stays, as another field manager owns it."},
	risk.StoredDifferently:  {Title: "The server stores another spelling than the one in the manifest."},
}
