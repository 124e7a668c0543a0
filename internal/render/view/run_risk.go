package view

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// riskGroups are the risks of a run. Those of one rule about one field of a kind
// are a group.
type riskGroups struct {
	groups
	of   map[*group]*riskGroup
	list []*riskGroup
}

// riskGroup is a risk that objects of a kind have in common.
type riskGroup struct {
	*group
	// risk is the first, and differ is true where others have other messages.
	risk    report.Risk
	differ  bool
	objects named
}

func (k *riskGroups) add(object int, target report.Target, r report.Risk) {
	g := k.groups.add(object, target, report.Writer{}, r.Field, "", r.Rule, string(r.Severity))
	if g == nil {
		return
	}
	one := k.of[g]
	if one == nil {
		if k.of == nil {
			k.of = map[*group]*riskGroup{}
		}
		one = &riskGroup{group: g, risk: r}
		k.of[g], k.list = one, append(k.list, one)
	}
	one.differ = one.differ || r.Message != one.risk.Message
	one.objects.add(target, r.Source)
}

// block are the risks, the most important first, with what to do about each rule.
func (k *riskGroups) block() []model.Block {
	if k.list == nil {
		return nil
	}
	slices.SortStableFunc(k.list, func(a, b *riskGroup) int {
		return cmp.Or(cmp.Compare(a.risk.Severity.Rank(), b.risk.Severity.Rank()), byFields(a.group, b.group))
	})
	l := model.List{Shown: shown}
	for _, g := range k.list {
		l.Items = append(l.Items, g.item())
	}
	return []model.Block{part("Risky changes", l)}
}

func (g *riskGroup) item() model.Item {
	message := g.risk.Message
	if g.differ {
		message = "for one, " + message
	}
	item := model.Item{Text: model.Textf("%v %v: %v (%v)", riskWord(g.risk), g.text(), message, g.risk.Rule)}
	if g.objects.n > 1 {
		item.Blocks = append(item.Blocks, model.Paragraph{Text: g.objects.text()})
	} else if place := words.Place(g.risk.Source); place != "" {
		item.Text = model.Textf("%v, %v", item.Text, model.Faint.Of(place))
	}
	if cure := riskCures[g.risk.Rule]; cure != "" {
		item.Blocks = append(item.Blocks, paragraph("%v %v", model.Strong.Of("Recommended:"), cure))
	}
	return item
}

// riskCures are what to do about risks, by their rules. What is taken by force has
// its price instead.
var riskCures = map[string]string{
	risk.ReplicasAutoscaled: "leave the field out of the manifest; the autoscaler decides.",
	risk.AtomicReplaced:     "agree with its owner on one manifest that has the whole value.",
	risk.RemovedWithOthers:  "keep the field in the manifest, or ask its other owners first.",
	risk.FallsBackToDefault: "keep the field in the manifest, unless the default is meant.",
	risk.InjectedField:      "leave the field out of the manifest; the injector sets it.",
}
