package rules

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// whyRisky is why what an accepted apply does is a finding.
const whyRisky = "This is what the next apply of the manifest does to the object or to other field managers, though it is accepted."

// applyRisks are the rules of what an apply that is accepted does, but for those that are
// rules of live objects too.
func applyRisks() []finding.Rule {
	var out []finding.Rule
	for _, r := range slices.Concat(risk.Rules(), impact.WriteRules()) {
		if r.Name == report.RuleForbiddenOwner || r.Name == replicasAutoscaled.Name {
			continue
		}
		r.Why = whyRisky
		out = append(out, r)
	}
	return out
}

// findRisks reports what ssactl apply reports of the manifest and the live object, or of the
// deletion behind the manifests, under the same rules, as severe, in the same words. What it says
// of a field, rules of the live object alone do not say again.
func findRisks(s *examined) {
	list := s.Deletion
	if s.Manifest != nil {
		if list = s.Manifest.Findings; list == nil {
			list = risk.Findings(*s.Manifest)
		}
	}
	for _, k := range list {
		// Who may own what is found of the live object, the manager of the manifest included.
		if k.IsRisk() && k.Rule != report.RuleForbiddenOwner {
			s.addRisk(k)
		}
	}
}

func (s *examined) addRisk(k report.Finding) {
	rule := finding.Rule{Name: k.Rule, Severity: k.Severity, Why: whyRisky}
	var fields []string
	if k.Field != "" {
		fields = []string{k.Field}
	}
	f := s.finding(rule, k.Manager, fields, s.withValues(k))
	f = s.fixedAs(f, k)
	if s.Manifest != nil && s.server.Scaler(s.Target) == "" {
		// An autoscaler is in another file.
		f.Fixes = append(f.Fixes, fix(s.applying(shell.Command("ssactl", "apply")), text.New("shows what the apply does")))
	}
	f.Severity, f.Source, f.Policy, f.Also, f.Others = k.Severity, cmp.Or(k.Source, f.Source), k.Policy, k.Also, k.Others
	s.add(f)
	s.tell(f)
}

// withValues is what a risk says, with the values of the field where the rule does not say
// them.
func (s *examined) withValues(k report.Finding) text.Text {
	if k.Field == "" {
		return k.Message
	}
	says := text.New("%v: %v", text.Path(k.Field), k.Message)
	c, changes := s.changeOf(k.Field)
	composite := managedfields.Composite(c.Before) || managedfields.Composite(c.After)
	if !changes || composite || !s.mayTell(k.Field) || k.Rule != risk.ReplicasAutoscaled && k.Rule != risk.TakenByForce {
		return says
	}
	return says.And(
		": ",
		text.New(
			"%v becomes %v",
			value(k.Field, c.Before, c.Kind == report.Added),
			value(k.Field, c.After, c.Kind == report.Removed),
		),
	)
}

// changeOf is the change of a field by the apply; false for none.
func (s *examined) changeOf(field string) (report.Change, bool) {
	i := slices.IndexFunc(s.Manifest.Changes, func(c report.Change) bool { return c.Field == field })
	if i < 0 {
		return report.Change{}, false
	}
	return s.Manifest.Changes[i], true
}

// saidByRisk reports whether a risk of the apply speaks of a field, or of what it is in.
func (s *examined) saidByRisk(field string) bool {
	return slices.ContainsFunc(s.Manifest.Risks, func(k report.Finding) bool {
		return k.Field != "" && managedfields.Within(field, k.Field)
	})
}
