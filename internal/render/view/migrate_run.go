package view

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// migrateGroup is what is the same for several objects of a run.
type migrateGroup struct {
	verdict model.Text
	objects []migrate.Migration
}

// namedObjects is how many objects of a group are named.
const namedObjects = 5

// migrateGroups are the objects of a run by what becomes of them, the blocked ones first;
// those with nothing to migrate are counted only.
func migrateGroups(list []migrate.Migration) []model.Block {
	var groups []*migrateGroup
	at := map[string]*migrateGroup{}
	for _, verdict := range []migrate.Verdict{migrate.Failed, migrate.Blocked, migrate.Migrates} {
		for _, m := range list {
			if m.Verdict != verdict {
				continue
			}
			m.Source = report.Source{}
			text := migrateVerdict(m)
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
	item := model.Item{Text: model.Textf("%v: %v", words.Count(len(g.objects), "object"), g.verdict)}
	var names []string
	for _, m := range g.objects[:min(len(g.objects), namedObjects)] {
		names = append(names, words.Object(m.Target))
	}
	named := strings.Join(names, ", ")
	if more := len(g.objects) - len(names); more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	item.Blocks = append(item.Blocks, paragraph("%v", model.Faint.Of(named)))
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
		changes += len(m.Next.After.Changes)
		left += len(m.Next.After.Conflicts)
	}
	if n == 0 {
		return nil
	}
	then := words.Count(changes, "change")
	if left > 0 {
		then += ", " + words.Count(left, "conflict")
	}
	return []model.Block{paragraph("next apply (simulated): %v now; after the migration %v", words.Count(conflicts, "conflict"), then)}
}

// remarks are the findings, each rule once.
func (g *migrateGroup) remarks() model.List {
	l := model.List{}
	said := map[string]int{}
	for _, m := range g.objects {
		counted := map[string]bool{}
		for _, f := range m.Findings {
			if !counted[f.Rule] {
				said[f.Rule]++
			}
			counted[f.Rule] = true
		}
	}
	for _, m := range g.objects {
		for _, f := range m.Findings {
			n := said[f.Rule]
			if delete(said, f.Rule); n == 0 {
				continue
			}
			item := migrateRemark(f)
			if n > 1 {
				item.Text = model.Textf("%v (%v)", item.Text, words.Count(n, "object"))
			}
			l.Items = append(l.Items, item)
		}
	}
	return l
}
