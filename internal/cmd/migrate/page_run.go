package migrate

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// groups are the objects of a run by their verdicts, the blocked ones first; those with
// nothing to migrate and nothing to say are counted only.
func groups(list []migration.Migration) []model.Block {
	order := []migration.Verdict{migration.Failed, migration.Blocked, migration.Migrates, migration.NothingToDo}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b migration.Migration) int {
		return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
	})
	return page.Grouped(list, func(m migration.Migration) model.Text {
		if m.Verdict == migration.NothingToDo && len(m.Findings) == 0 {
			return nil
		}
		m.Source = report.Source{}
		return migrateVerdict(m)
	}, func(m migration.Migration) (report.Target, model.Text) { return m.Target, migrateVerdict(m) }, func(list []migration.Migration) []model.Block {
		blocks := nextApplies(list)
		if remarks := remarks(list); remarks.Items != nil {
			blocks = append(blocks, remarks)
		}
		return blocks
	})
}

// nextApplies count what the next applies do now, and after the migration.
func nextApplies(list []migration.Migration) []model.Block {
	var n, conflicts, changes, left int
	for _, m := range list {
		if m.Next == nil {
			continue
		}
		n++
		conflicts += len(m.Next.Before.Conflicts)
		changes += len(changesOf(m.Next.After))
		left += len(m.Next.After.Conflicts)
	}
	if n == 0 {
		return nil
	}
	then := words.Count(changes, "change")
	if left > 0 {
		then += ", " + words.Count(left, "conflict")
	}
	return []model.Block{page.Paragraph("next apply (simulated): %v now; after the migration %v", words.Count(conflicts, "conflict"), then)}
}

// remarks are the findings, each rule once, and each that blocks.
func remarks(list []migration.Migration) model.List {
	key := func(f report.Finding) string {
		if f.Severity == report.SeverityError {
			return f.Rule + f.Field + f.Message.String()
		}
		return f.Rule
	}
	l := model.List{}
	at := map[string]int{}
	objects := map[string]map[report.Target]bool{}
	for _, m := range list {
		for _, f := range m.Findings {
			k := key(f)
			if objects[k] == nil {
				at[k], objects[k] = len(l.Items), map[report.Target]bool{}
				l.Items = append(l.Items, migrateRemark(f))
			}
			objects[k][m.Target] = true
		}
	}
	for k, i := range at {
		if n := len(objects[k]); n > 1 {
			l.Items[i].Text = model.Textf("%v (%v)", l.Items[i].Text, words.Count(n, "object"))
		}
	}
	return l
}

var severityLabels = map[report.Severity]model.Text{
	report.SeverityError: {model.Bad.Of("error")}, report.SeverityWarning: {model.Changed.Of("warning")}, report.SeverityNote: {model.Faint.Of("note")},
}

// migrateRemark is a finding with what to do about it.
func migrateRemark(f report.Finding) model.Item {
	return model.Item{Label: severityLabels[f.Severity], Text: migrateNote(f)}
}

func migrateNote(f report.Finding) model.Text {
	text := model.Textf("%v: %v", f.Rule, f.Message)
	if f.Field != "" {
		text = model.Textf("%v: %v: %v", f.Rule, model.Field.Of(f.Field), f.Message)
	}
	for _, fix := range f.Fixes {
		text = model.Textf("%v (%v)", text, fix.Does)
	}
	return text
}
