package view

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// riskGroups are the risks of a run. Those of one rule about one field of a kind
// are a group.
type riskGroups struct {
	groups
	risks keyed[*group, riskGroup]
}

// riskGroup is a risk that objects of a kind have in common.
type riskGroup struct {
	*group
	// risk is the first, and differ is true where others have other messages.
	risk    report.Risk
	differ  bool
	objects places
	// there is true where the live object of the first has the field, owned where each
	// manager owned it before, taken where each takes it from others.
	there, owned, taken bool
	edits               edits
}

// risked is a risk with what the field was before the write.
type risked struct {
	report.Risk
	there, owned, taken bool
}

// riskedIn are the risks of a write, without those that the price covers.
func riskedIn(r report.Result) []risked {
	var out []risked
	for _, k := range r.Risks {
		if priced(r, k) {
			continue
		}
		one := risked{Risk: k, there: k.Field != "" && r.Outcome != report.Created, owned: true}
		for _, c := range r.Changes {
			one.there = one.there && (c.Field != k.Field || c.Kind != report.Added)
		}
		for _, t := range r.Transfers {
			if t.Field == k.Field {
				one.owned = one.owned && (t.Manager != r.Manager || t.Kind != report.Acquired && t.Kind != report.Shared)
				one.taken = one.taken || t.Kind == report.Overridden || t.Kind == report.TransferRemoved && t.Manager != r.Manager
			}
		}
		one.owned = one.owned && one.there
		out = append(out, one)
	}
	return out
}

func (k *riskGroups) add(object int, f Facts, r risked) {
	g := k.groups.add(object, f.target, report.Writer{}, r.Field, f.applier, r.Rule, string(r.Severity))
	if g == nil {
		return
	}
	one := k.risks.of(g, func() *riskGroup { return &riskGroup{group: g, risk: r.Risk, there: r.there, owned: true, taken: true} })
	one.differ = one.differ || r.Message.String() != one.risk.Message.String()
	one.owned, one.taken = one.owned && r.owned, one.taken && r.taken
	one.objects.add(f.target, r.Source)
	one.edits.add(f.target, r.Field)
}

// risky are the risks, the most important first, with what to do about each rule.
func (w *Run) risky() []model.Block {
	list := w.risks.risks.list
	if list == nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *riskGroup) int {
		return cmp.Or(cmp.Compare(a.risk.Severity.Rank(), b.risk.Severity.Rank()), byFields(a.group, b.group))
	})
	l, said := model.List{Shown: shown}, map[string]bool{}
	for _, g := range list {
		item := g.item()
		for _, line := range w.riskCommands(g) {
			if !said[line] {
				said[line] = true
				item.Blocks = append(item.Blocks, model.Command{Line: line})
			}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{part("Risky changes", l)}
}

func (g *riskGroup) item() model.Item {
	message := model.Textf("%v", g.risk.Message)
	if g.differ {
		message = model.Textf("for one, %v", message)
	}
	item := model.Item{Text: model.Textf("%v %v: %v (%v)", riskWord(g.risk), g.text(), message, g.risk.Rule)}
	if g.objects.n > 1 {
		item.Blocks = append(item.Blocks, paragraph("%v", g.objects.text()))
	} else if place := words.Place(g.risk.Source); place != "" {
		item.Text = model.Textf("%v, %v", item.Text, model.Faint.Of(place))
	}
	if fix := risk.Rules().Of(g.risk.Rule).Fix; fix != "" {
		item.Blocks = append(item.Blocks, paragraph("%v %v", model.Strong.Of("Recommended:"), fix))
	}
	return item
}

// riskCommands are the commands that help with a group: replicas are left to the
// autoscaler, of what is owned already by a transfer, as dropping it sets the default;
// a line that removes what an injector put there is deleted; of others it says who owns
// the field of the first, and what happens when its owner drops it. None helps where the
// live object has no such field, a note asks for no decision, or there are more objects
// than a command names.
func (w *Run) riskCommands(g *riskGroup) []string {
	live := w.liveInputs()
	switch {
	case !w.applies() || live == nil || g.risk.Severity == report.SeverityNote:
		return nil
	case !g.there:
		return nil
	case stopped[g.risk.Rule] && g.taken:
		return g.edits.commands(w.o.run(g.applier, g.first.Subresource), explain.StopManaging)
	case g.risk.Rule == risk.ReplicasAutoscaled && g.owned:
		return g.transfers(live, w.o.Repeated)
	}
	object := operandsOf([]report.Target{g.first}, w.o.Repeated)[0]
	return some(shell.Command("ssactl", "owners").With(live...).With(object.in...).On(object.names...).On(g.risk.Field).String())
}

// stopped are the rules about fields that a manifest is better without.
var stopped = map[string]bool{risk.ReplicasAutoscaled: true, risk.InjectedField: true}

// transfers hand the field of the objects over to its controller.
func (g *riskGroup) transfers(live, flags []shell.Flag) []string {
	if g.edits.many {
		return nil
	}
	var targets []report.Target
	for _, e := range g.edits.list {
		targets = append(targets, e.target)
	}
	var out []string
	for _, objects := range operandsOf(targets, flags) {
		line := shell.Command("ssactl", "transfer").With(live...).With(objects.in...).With(shell.Value("--from", g.applier), shell.Switch("--to-controller"))
		out = append(out, line.On(objects.names...).On(g.risk.Field).String())
	}
	return out
}

// liveInputs are the flags that name the live objects, for commands on these; empty for
// none.
func (w *Run) liveInputs() []shell.Flag {
	var out []shell.Flag
	for _, f := range w.o.Inputs {
		if f.Is("--live") {
			out = append(out, f.As("-f"))
		}
	}
	if out == nil {
		return nil
	}
	for _, f := range w.o.Repeated {
		if !f.Is("-k") {
			out = append(out, f)
		}
	}
	return out
}
