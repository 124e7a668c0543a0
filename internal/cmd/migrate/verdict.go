package migrate

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// migrateVerdict is the answer for one object.
func migrateVerdict(m migration.Migration) model.Text {
	switch m.Verdict {
	case migration.Failed:
		return page.NoAnswer(m.Error)
	case migration.Blocked:
		verdict := model.Textf("%v%v", model.Text{model.Bad.Of("blocked")}, blockedBy(m))
		if at := words.Place(&m.Source); at != "" {
			verdict = model.Textf("%v, %v", verdict, model.Faint.Of(at))
		}
		return verdict
	case migration.NothingToDo:
		return model.Say("nothing to migrate")
	}
	becomes := m.To.Manager + " (Apply)"
	if m.Annotation.Effect == migration.Written {
		becomes = m.To.Manager + " (Update)"
	}
	var from []string
	for _, b := range m.Evidence {
		if b.Migrated && !slices.Contains(from, b.Manager) {
			from = append(from, b.Manager)
		}
	}
	switch {
	case len(from) == 1:
		return model.Text{model.Changed.Of(from[0] + " becomes " + becomes)}
	case len(from) > 1:
		return model.Text{model.Changed.Of(strings.Join(from, ", ") + " become " + becomes)}
	case len(m.Gained) > 0:
		return model.Text{model.Changed.Of("the annotation becomes " + becomes)}
	}
	return model.Text{model.Changed.Of("the annotation is dropped")}
}

// changesOf are the changes but the generation, which counts along with whatever else
// changes.
func changesOf(n migration.NextApply) []report.Change {
	return slices.DeleteFunc(
		slices.Clone(n.Changes),
		func(c report.Change) bool { return c.Field == ".metadata.generation" },
	)
}

// blockedBy names the rules that block a plan, behind a colon; empty without
// any.
func blockedBy(m migration.Migration) string {
	var rules []string
	for _, f := range m.Findings {
		if f.Severity == report.SeverityError && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	if rules == nil {
		return ""
	}
	return ": " + strings.Join(rules, ", ")
}
