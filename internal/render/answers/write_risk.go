package answers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// Look is what stands right under the title: conflicts, and risks of what the server
// accepts. Of many objects they are said together.
func Look(o page.Options, r report.Result) []model.Block {
	if o.Brief && o.Several {
		return nil
	}
	w := NewRun(o)
	on := o.OnResult(r)
	w.one = &on
	r.Notices = nil
	if r.Outcome.Refused() && (r.Outcome != report.Conflicted || len(r.Conflicts) == 0 || r.Confidence.Has(report.RuleNoManagedFields)) {
		r.Outcome, r.Conflicts = report.Unchanged, nil
	}
	w.Add(FactsOf(r))
	return w.Look(w.Causes.Sorted())
}

// riskCommands are what follows the advice on a risk of one object; none where no edit
// does.
func riskCommands(o page.Options, r report.Result, k report.Risk) []string {
	on := o.OnResult(r)
	taken := slices.ContainsFunc(r.Transfers, func(t report.Transfer) bool {
		return t.Field == k.Field && (t.Kind == report.Overridden || t.Kind == report.TransferRemoved && t.Manager != r.Manager)
	})
	switch {
	case k.Rule == risk.Takeover:
		return Some(on.Migrate(k.Manager))
	case stopped[k.Rule] && taken && r.Operation == report.Apply:
		return Some(on.Resolve(page.Resolving(conflict.StopManaging, []string{k.Field})...))
	}
	return nil
}

// SeverityWord is a severity at the beginning of a line.
func SeverityWord(s report.Severity) model.Span {
	return page.Severities[s].Role.Of(string(s))
}

// RiskText is a risk with its rule, which --fail-on takes.
func RiskText(r report.Risk) model.Text {
	if r.Field == "" {
		return model.Textf("%v (%v)", r.Message, r.Rule)
	}
	return model.Textf("%v: %v (%v)", model.Field.Of(r.Field), r.Message, r.Rule)
}
