package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

var severityLabels = map[report.Severity]model.Text{
	report.SeverityError: {model.Bad.Of("blocks")}, report.SeverityWarning: {model.Changed.Of("warning")}, report.SeverityNote: {model.Faint.Of("note")},
}

// migrateRemark is a finding with what to do about it.
func migrateRemark(f migrate.Finding) model.Item {
	return model.Item{Label: severityLabels[f.Severity], Text: migrateNote(f)}
}

func migrateNote(f migrate.Finding) model.Text {
	text := model.Textf("%v: %v", f.Rule, f.Message)
	if f.Field != "" {
		text = model.Textf("%v: %v: %v", f.Rule, model.Field.Of(f.Field), f.Message)
	}
	if !f.Hint.IsZero() {
		text = model.Textf("%v (%v)", text, f.Hint)
	}
	return text
}

// migrateFinding is the same for systems of CI.
func migrateFinding(m migrate.Migration, f migrate.Finding) model.Finding {
	t := m.Target
	out := model.Finding{
		Rule: migrateRuleID(f.Rule), Level: severities[f.Severity].level, Title: f.Rule + ": " + words.Object(t),
		Message: migrateNote(f).String(), Fails: f.Severity == report.SeverityError,
		File: m.Source.File, Line: m.Source.Line, Class: class(t), Object: qualified(t), Name: t.Name, Field: f.Field,
		Identity: []string{f.Rule, t.APIVersion, t.Kind, t.Namespace, t.Name, f.Field},
	}
	return out
}

func migrateRuleID(rule string) string { return "ssactl/migrate/" + rule }

// migrateRules are the rules that found something, the heaviest first.
func migrateRules(list []migrate.RuleCount) []model.Rule {
	var out []model.Rule
	for _, r := range list {
		id := migrateRuleID(r.Rule)
		if slices.ContainsFunc(out, func(known model.Rule) bool { return known.ID == id }) {
			continue
		}
		var name string
		for _, word := range strings.Split(r.Rule, "-") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		out = append(out, model.Rule{ID: id, Name: name, Level: severities[r.Severity].level,
			Short: "Migration to server-side apply: " + strings.ReplaceAll(r.Rule, "-", " ") + ".",
			Help:  "docs/migrate.md explains the rule " + r.Rule + " and what to do about it."})
	}
	return out
}
