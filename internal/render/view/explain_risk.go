package view

import (
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// explainedRisks are what systems of CI show of the risks of an apply that would
// succeed.
func (o Options) explainedRisks(e explain.Explanation) []model.Finding {
	t := e.Target
	var out []model.Finding
	for _, r := range e.Risks {
		f := model.Finding{
			Rule: ruleRisk.ID, Level: severities[r.Severity].level, Title: "Risky change: " + words.Object(t), Message: riskText(r).String(),
			File: e.Source.File, Line: e.Source.Line, Class: class(t), Object: qualified(t), Name: t.Name, Field: r.Field,
			Identity: []string{ruleRisk.ID, r.Rule, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, r.Field, r.Manager},
		}
		f.Fails, f.Enforced = o.fails(r), o.fails(r)
		if r.Source != nil {
			f.File, f.Line = r.Source.File, r.Source.Line
		}
		out = append(out, f)
	}
	return out
}
