package migrate

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

var severityLabels = map[report.Severity]model.Text{
	report.SeverityError: {model.Bad.Of("blocks")}, report.SeverityWarning: {model.Changed.Of("warning")}, report.SeverityNote: {model.Faint.Of("note")},
}

// migrateRemark is a finding with what to do about it.
func migrateRemark(f finding.Finding) model.Item {
	return model.Item{Label: severityLabels[f.Severity], Text: migrateNote(f)}
}

func migrateNote(f finding.Finding) model.Text {
	text := model.Textf("%v: %v", f.Rule, f.Message)
	if f.Field != "" {
		text = model.Textf("%v: %v: %v", f.Rule, model.Field.Of(f.Field), f.Message)
	}
	for _, fix := range f.Fixes {
		text = model.Textf("%v (%v)", text, fix.Does)
	}
	return text
}

// migrateFinding is the same for systems of CI.
func migrateFinding(m migration.Migration, f finding.Finding) model.Finding {
	t := m.Target
	out := model.Finding{
		Rule: migrateRuleID(f.Rule), Level: page.Severities[f.Severity].Level, Title: f.Rule + ": " + words.Object(t),
		Message: migrateNote(f).String(), Fails: f.Severity == report.SeverityError,
		File: m.Source.File, Line: m.Source.Line, Class: page.Class(t), Object: page.Qualified(t), Name: t.Name, Field: f.Field,
		Identity: []string{f.Rule, t.APIVersion, t.Kind, t.Namespace, t.Name, f.Field},
	}
	return out
}

func migrateRuleID(rule string) string { return "ssactl/migrate/" + rule }

// migrateRules are the rules that found something, the heaviest first, with the severity
// of the heaviest finding.
func migrateRules(list []migration.RuleCount) []model.Rule {
	var found finding.Rules
	for _, r := range list {
		if found.Index(r.Rule) < 0 {
			found = append(found, migration.Rules().Of(r.Rule).At(r.Severity))
		}
	}
	return page.RuleModels("migrate/", found)
}
