package cmd

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/parity"
)

// unsettled are the recorded runs of which something is found that does not last, by how their
// names begin, with the rule, and why that is right. Nothing else may be found: no other writer
// of a recorded run writes by itself.
var unsettled = map[string]string{
	"runs argocd 24": "never-settles: an autoscaler's entry has the replicas that the manifest sets",

	"runs helm3 13":       "not-idempotent: the manifest has a uid, which only a new object takes",
	"runs kubectl 1":      "not-idempotent: the first apply takes the entry of earlier ones over, which has ports that the manifest lacks",
	"runs kubectl 5":      "not-idempotent: the entry that is taken over has a field that cannot be removed",
	"runs kubectl 38":     "not-idempotent: the entry that is taken over is on the last-applied configuration of another manifest",
	"drawn-42 kubectl 13": "not-idempotent: the entry that is taken over has a template that cannot change",
	"drawn-42 flux 50":    "not-idempotent: Flux takes the entry before-first-apply over, and then removes what its manifest lacks",
	"drawn-42 argocd 24":  "not-idempotent: the client-side patch removes the spec, which the last-applied configuration lacks",
}

// checkLasting checks what is found of an answer to a recorded run: only what is known to be so
// does not last. A client that deletes the object and creates it again says so of itself.
func checkLasting(t *testing.T, run parity.ClientRun, doc report.Report) {
	t.Helper()
	name, _, _ := strings.Cut(run.Name, ":")
	rule, why, known := strings.Cut(unsettled[name], ": ")
	for _, r := range doc.Results {
		for _, f := range r.Findings {
			switch {
			case f.Rule != "never-settles" && f.Rule != "not-idempotent":
			case strings.HasPrefix(f.Message.String(), "each run deletes the object"):
			case known && rule == f.Rule:
				t.Logf("%s: %s", f.Rule, why)
			default:
				t.Errorf("%s: %s %s: %s", run.Command, f.Rule, f.Field, f.Message)
			}
		}
	}
}
