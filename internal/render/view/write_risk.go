package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// look is what stands right under the title: conflicts, and risks of what the server
// accepts. Of many objects they are said together.
func (o Options) look(r report.Result) []model.Block {
	if o.Brief && o.Several {
		return nil
	}
	w := NewRun(o)
	on := o.onResult(r)
	w.one = &on
	r.Notices = nil
	if r.Outcome.Refused() && (r.Outcome != report.Conflicted || len(r.Conflicts) == 0 || r.Confidence.Has(report.RuleNoManagedFields)) {
		r.Outcome, r.Conflicts = report.Unchanged, nil
	}
	w.Add(FactsOf(r))
	return w.look(w.causes.sorted())
}

// riskCommands are what follows the advice on a risk of one object; none where no edit
// does.
func (o Options) riskCommands(r report.Result, k report.Risk) []string {
	on := o.onResult(r)
	taken := slices.ContainsFunc(r.Transfers, func(t report.Transfer) bool {
		return t.Field == k.Field && (t.Kind == report.Overridden || t.Kind == report.TransferRemoved && t.Manager != r.Manager)
	})
	switch {
	case k.Rule == risk.Takeover:
		return some(on.migrate(k.Manager))
	case stopped[k.Rule] && taken && r.Operation == report.Apply:
		return some(on.resolve(resolving(explain.StopManaging, []string{k.Field})...))
	}
	return nil
}

// severityWord is a severity at the beginning of a line.
func severityWord(s report.Severity) model.Span {
	return severities[s].role.Of(string(s))
}

// fails reports whether a risk makes the run fail.
func (o Options) fails(r report.Risk) bool { return o.FailOn.Fails(r.Rule, r.Severity) }

// riskText is a risk with its rule, which --fail-on takes.
func riskText(r report.Risk) model.Text {
	if r.Field == "" {
		return model.Textf("%v (%v)", r.Message, r.Rule)
	}
	return model.Textf("%v: %v (%v)", model.Field.Of(r.Field), r.Message, r.Rule)
}
