package migrate

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// migrateGroup is what is the same for several objects of a run.
type migrateGroup struct {
	verdict model.Text
	objects []migration.Migration
}

// namedObjects is how many objects of a group are named.
const namedObjects = 5

// migrateGroups are the objects of a run, grouped by verdict, the blocked ones first;
// those with nothing to migrate and nothing to say are counted only.
func migrateGroups(list []migration.Migration) []model.Block {
	var groups []*migrateGroup
	at := map[string]*migrateGroup{}
	for _, verdict := range []migration.Verdict{migration.Failed, migration.Blocked, migration.Migrates, migration.NothingToDo} {
		for _, m := range list {
			if m.Verdict != verdict || verdict == migration.NothingToDo && len(m.Findings) == 0 {
				continue
			}
			placeless := m
			placeless.Source = report.Source{}
			text := migrateVerdict(placeless)
			g := at[text.String()]
			if g == nil {
				g = &migrateGroup{verdict: text}
				at[text.String()], groups = g, append(groups, g)
			}
			g.objects = append(g.objects, m)
		}
	}
	var out []model.Block
	for i, g := range groups {
		out = append(out, model.List{Apart: i > 0, Items: []model.Item{g.item()}})
	}
	return out
}

func (g *migrateGroup) item() model.Item {
	item := model.Item{Text: page.Titled(g.objects[0].Target, migrateVerdict(g.objects[0]))}
	if len(g.objects) > 1 {
		item = model.Item{Text: model.Textf("%v: %v", words.Count(len(g.objects), "object"), g.verdict)}
		var names []string
		for _, m := range g.objects {
			names = append(names, words.Object(m.Target))
		}
		item.Blocks = append(item.Blocks, page.Paragraph("%v", model.Faint.Of(words.Some(names, namedObjects, len(names)))))
	}
	item.Blocks = append(item.Blocks, g.nextApplies()...)
	if remarks := g.remarks(); remarks.Items != nil {
		item.Blocks = append(item.Blocks, remarks)
	}
	return item
}

// nextApplies count what the next applies do now, and after the migration.
func (g *migrateGroup) nextApplies() []model.Block {
	var n, conflicts, changes, left int
	for _, m := range g.objects {
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
func (g *migrateGroup) remarks() model.List {
	key := func(f finding.Finding) string {
		if f.Severity == report.SeverityError {
			return f.Rule + f.Field + f.Message.String()
		}
		return f.Rule
	}
	l := model.List{}
	at := map[string]int{}
	objects := map[string]map[report.Target]bool{}
	for _, m := range g.objects {
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
