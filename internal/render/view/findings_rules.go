package view

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/render/model"
)

// RuleText is what a rule is in words: what it finds, as a sentence, and why that
// matters, in a sentence or two.
type RuleText struct{ Title, Why string }

// AuditRule is a rule of audit in words.
func AuditRule(name string) RuleText { return auditRules[name] }

// LintRule is a rule of lint in words.
func LintRule(name string) RuleText { return lintRules[name] }

// ImpactRule is a rule of schema impact in words.
func ImpactRule(name string) RuleText { return impactRules[name] }

// withTexts is a report with the texts of its rules and suppressions; write has those of
// a finding.
func withTexts(d findings.Report, rules map[string]RuleText, write func(*findings.Finding)) findings.Report {
	d.Rules, d.Findings, d.Suppressed = slices.Clone(d.Rules), slices.Clone(d.Findings), slices.Clone(d.Suppressed)
	for i, r := range d.Rules {
		d.Rules[i].Title = rules[r.Rule].Title
	}
	said := func(f *findings.Finding) {
		f.Why = rules[f.Rule].Why
		write(f)
	}
	for i := range d.Findings {
		said(&d.Findings[i])
	}
	for i := range d.Suppressed {
		said(&d.Suppressed[i].Finding)
	}
	d.IdleSuppressions = slices.Clone(d.IdleSuppressions)
	for i, s := range d.IdleSuppressions {
		d.IdleSuppressions[i].Why = idleText(s)
	}
	return d
}

// idleText is why a suppression hides nothing.
func idleText(i findings.Idle) string {
	if i.Kind == findings.Expired {
		return "expired on " + i.Suppression.Expires.Format(time.DateOnly)
	}
	return "fits no finding"
}

// ruleModels are rules for systems of CI.
func ruleModels(list findings.Rules, texts map[string]RuleText) []model.Rule {
	var out []model.Rule
	for _, r := range list {
		t := texts[r.Name]
		out = append(out, model.Rule{
			ID: "ssactl/" + r.Name, Name: camel(r.Name), Level: severities[r.Severity].level, Short: t.Title, Help: t.Title + " " + t.Why,
		})
	}
	return out
}
