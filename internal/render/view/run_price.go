package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// loss is what one manager loses to the writes of a run.
type loss struct {
	owner  report.Writer
	groups []*group
	fields int
}

// formerOf is whose object a write takes over; empty for nobody's.
func formerOf(r report.Result) string {
	for _, k := range r.Risks {
		if k.Rule == risk.Takeover {
			return k.Manager
		}
	}
	return ""
}

// lose is the price of what is taken: who loses which fields, those first who take
// them back, with the command that leaves the fields to them.
func (w *Run) lose() []model.Block {
	if w.taken.list == nil {
		return nil
	}
	l := model.List{Shown: shown}
	for _, one := range w.losses() {
		item := model.Item{Text: model.Textf("%v loses %v; %v", writerOf(one.owner), words.Count(one.fields, "field"), w.nextOf(one))}
		fields := model.List{Shown: shownFields}
		for _, g := range one.groups {
			fields.Items = append(fields.Items, model.Item{Text: g.text()})
		}
		item.Blocks = append([]model.Block{fields}, w.leave(one)...)
		l.Items = append(l.Items, item)
	}
	blocks := []model.Block{l}
	if w.applies() && w.o.Brief && w.decisions.list == nil {
		first := w.taken.list[0]
		blocks = append(blocks, paragraph("What each option would do instead, field by field:"),
			model.Command{Line: w.o.run(first.applier, first.first.Subresource).explain()})
	}
	return []model.Block{part("Ownership taken", blocks...)}
}

// nextOf is what a manager does that has lost fields.
func (w *Run) nextOf(one loss) string {
	next := nextOf(one.owner, one.groups[0].applier, one.fields)
	if w.isFormer(one) {
		return "a takeover: " + next
	}
	return next
}

// isFormer reports whether objects are taken over from a manager.
func (w *Run) isFormer(one loss) bool {
	return one.owner.Operation == managedfields.Update && one.owner.Subresource == "" && w.former[[2]string{one.groups[0].applier, one.owner.Manager}]
}

// leave is how to hand objects over from a manager, or how to leave fields to one that
// takes them back.
func (w *Run) leave(one loss) []model.Block {
	first := one.groups[0]
	switch {
	case !w.applies():
		return nil
	case w.isFormer(one):
		return []model.Block{
			paragraph("To hand them over for good:"),
			model.Command{Line: w.o.run(first.applier, first.first.Subresource).migrate(one.owner.Manager)},
		}
	case !returns(one):
		return nil
	}
	s := w.leaving[[2]string{first.applier, one.owner.Manager}]
	return append([]model.Block{
		paragraph("To leave %v to %v:", words.Them(one.fields), model.Manager.Of(one.owner.Manager)),
		model.Command{Line: w.o.run(first.applier, first.first.Subresource).resolve(shell.Value("--owned-by", one.owner.Manager), shell.Switch("--all-stop-managing"))},
	}, inClient(s.Client, s.Kind)...)
}

// returns reports whether a manager takes back what it loses, without anybody who
// runs it.
func returns(one loss) bool { return one.groups[0].returns() }

// returns reports the same of the owner of a group.
func (g *group) returns() bool {
	again := explain.ManagerKindOf(g.owner, g.applier).Returns
	return again == explain.Always || again == explain.OnSync
}

// returning are the groups of managers that take them back.
func returning(list []*group) []*group {
	return slices.DeleteFunc(slices.Clone(list), func(g *group) bool { return !g.returns() })
}

// losses are those of each manager.
func (w *Run) losses() []loss {
	var out []loss
	for _, g := range w.taken.list {
		i := slices.IndexFunc(out, func(one loss) bool { return one.owner == g.owner })
		if i < 0 {
			i = len(out)
			out = append(out, loss{owner: g.owner})
		}
		out[i].groups, out[i].fields = append(out[i].groups, g), out[i].fields+g.fields
	}
	for _, one := range out {
		slices.SortStableFunc(one.groups, byFields)
	}
	rank := func(one loss) int {
		if returns(one) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b loss) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.fields, a.fields), strings.Compare(a.owner.Manager, b.owner.Manager))
	})
	return out
}

// priced reports whether a risk is that fields are taken, and its price is said.
func priced(r report.Result, k report.Risk) bool {
	if k.Rule != risk.TakenByForce && k.Rule != risk.AtomicReplaced {
		return k.Rule == risk.Takeover
	}
	return slices.ContainsFunc(r.Transfers, func(t report.Transfer) bool { return t.Kind == report.Overridden && t.Field == k.Field })
}
