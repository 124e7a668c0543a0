package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/report"
)

// Kubectl adds to risks what kubectl does beyond the write of a run: it moves
// client-side entries and applies again, which the answer to the write does not show.
// Of an apply that conflicts, that is what it does with force.
func Kubectl(risks []report.Risk, run client.Run) []report.Risk {
	f := finder{Result: run.First()}
	for _, loss := range run.Losses() {
		fact := report.Fact{Kind: KubectlRemoves, Manager: f.Manager, Others: loss.Owners, Before: value(loss.Before), After: value(loss.After)}
		r := f.risk(RemovedByKubectl, loss.Field, firstOf(loss.Owners), fact)
		if loss.Kind != report.Removed {
			r.Severity, r.Fact.Kind = report.SeverityWarning, KubectlResets
		}
		risks = append(risks, r)
	}
	if step, refused := run.Refused(); refused && step.Request == client.ApplyAgain {
		moved := run.Moved()
		fact := report.Fact{Kind: KubectlStuck, Manager: f.Manager, Others: moved, Count: step.Result.Code}
		risks = append(risks, f.risk(RemovedByKubectl, "", firstOf(moved), fact))
	}
	slices.SortStableFunc(risks, compare)
	return risks
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
