package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Kubectl adds to risks what kubectl does beyond the write of a run: it moves
// client-side entries and applies again, which the answer to the write does not show.
// Of an apply that conflicts, that is what it does with force.
func Kubectl(risks []report.Risk, run client.Run) []report.Risk {
	f := finder{Result: run.First()}
	for _, loss := range run.Losses() {
		r := f.risk(RemovedByKubectl, loss.Field, firstOf(loss.Owners), text.New("kubectl removes it: %v, and the manifest lacks this one", f.moves(loss.Owners)))
		switch {
		case loss.Kind == report.Removed && loss.Dropped:
			r.Severity = report.SeverityWarning
			r.Message = text.New("kubectl removes it: %v, and the manifest no longer has this one", f.moves(loss.Owners))
		case loss.Kind != report.Removed:
			r.Severity = report.SeverityWarning
			r.Message = text.New("kubectl resets it from %v to %v: %v, and the manifest lacks this one",
				text.ValueOf(loss.Field, loss.Before), text.ValueOf(loss.Field, loss.After), f.moves(loss.Owners))
		}
		risks = append(risks, r)
	}
	if step, refused := run.Refused(); refused && step.Request == client.ApplyAgain {
		moved := run.Moved()
		risks = append(risks, f.risk(RemovedByKubectl, "", firstOf(moved),
			text.New("%v, which the server refuses (%v): kubectl only warns, and every later apply of this manifest is refused", f.moves(moved), text.Number(step.Result.Code))))
	}
	slices.SortStableFunc(risks, compare)
	return risks
}

// moves is what kubectl does after the apply.
func (f *finder) moves(owners []string) text.Text {
	return text.New("kubectl apply moves all fields of %v to %v and applies again", text.Names(owners), text.By(f.Manager))
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
