package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// decisions are the conflicts of a run. Those of one owner about which the advice
// is the same are one decision.
type decisions struct {
	groups
	list []*decision
	// contested are the fields that conflict, each counted once; advised are those by
	// what is recommended.
	contested int
	advised   map[explain.ResolutionKind]int
}

// decision is what one manager owns, with one advice on all of it.
type decision struct {
	owner                report.Writer
	applier, subresource string
	advice               *report.Advice
	groups               []*group
	edits                edits
}

// contest counts a field, for any owner.
func (d *decisions) contest(c contested) {
	if d.advised == nil {
		d.advised = map[explain.ResolutionKind]int{}
	}
	d.contested++
	d.advised[recommendedIn(c.Advice)]++
}

func (d *decisions) add(object int, f Facts, c contested, owner report.Writer) {
	g := d.groups.add(object, f.target, owner, c.Field, f.applier, recommendation(c.Advice).String(), f.target.Subresource)
	if g == nil {
		return
	}
	one := d.of(g, f, c)
	one.edits.add(f.target, c.Field)
	if g.fields == 1 {
		one.groups = append(one.groups, g)
	}
}

// of is the decision of a group.
func (d *decisions) of(g *group, f Facts, c contested) *decision {
	i := slices.IndexFunc(d.list, func(one *decision) bool {
		return one.owner == g.owner && one.applier == f.applier && one.subresource == f.target.Subresource && sameAdvice(one.advice, c.Advice)
	})
	if i < 0 {
		i = len(d.list)
		d.list = append(d.list, &decision{owner: g.owner, applier: f.applier, subresource: f.target.Subresource, advice: c.Advice})
	}
	return d.list[i]
}

func (d *decision) fields() int {
	n := 0
	for _, g := range d.groups {
		n += g.fields
	}
	return n
}

// decide are the conflicts by who owns the fields, each with one recommendation
// and the command that follows it; then once the options.
func (w *Run) decide() []model.Block {
	list := w.decisions.list
	if list == nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *decision) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(b.fields(), a.fields()))
	})
	l, said := model.List{Shown: shown}, map[string]bool{}
	for _, d := range list {
		l.Items = append(l.Items, w.decision(d, said))
	}
	out := []model.Block{part("Conflicts by field manager", l)}
	if w.o.Brief {
		out = append(out, part("Options to resolve a conflict", optionsOnce(), paragraph("Each of them simulated, field by field:"),
			model.Command{Line: w.o.run(list[0].applier, list[0].subresource).explain()}))
	}
	return out
}

// last puts force behind the others, which are to be resolved before.
func last(d *decision) int {
	if recommendedIn(d.advice) == explain.Force {
		return 1
	}
	return 0
}

// decision is an item of the list. A command or a setting that an item before it has is
// not said again.
func (w *Run) decision(d *decision, said map[string]bool) model.Item {
	slices.SortStableFunc(d.groups, byFields)
	who := explain.ManagerKindOf(d.owner, d.applier)
	item := model.Item{Text: model.Textf("%v owns %v; %v", writerOf(d.owner), words.Count(d.fields(), "field"), ManagerKind(who))}
	fields := model.List{Shown: shownFields}
	for _, g := range d.groups {
		fields.Items = append(fields.Items, model.Item{Text: g.text()})
	}
	item.Blocks = []model.Block{fields, paragraph("%v", recommendation(d.advice))}
	lines := w.decisionCommands(d)
	key := strings.Join(lines, "\n")
	if key != "" && said[key] {
		item.Blocks = append(item.Blocks, paragraph("The command above does this too."))
		return item
	}
	said[key] = true
	item.Blocks = append(item.Blocks, commands(lines)...)
	if d.advice != nil && !said[d.applier+" "+d.advice.InClient] {
		said[d.applier+" "+d.advice.InClient] = true
		item.Blocks = append(item.Blocks, w.setting(d)...)
	}
	if recommendedIn(d.advice) == explain.Force && !w.agreed() {
		item.Blocks = append(item.Blocks, paragraph(forceTakesAll))
	}
	return item
}

// agreed reports whether one option is recommended for all conflicts.
func (w *Run) agreed() bool {
	first := w.decisions.list[0]
	kind := recommendedIn(first.advice)
	return !slices.ContainsFunc(w.decisions.list, func(d *decision) bool {
		return recommendedIn(d.advice) != kind || d.applier != first.applier || d.subresource != first.subresource
	})
}

// decisionCommands are the commands that follow the advice for all objects, and do
// nothing else; where no edit does, the one that shows what each option would do.
func (w *Run) decisionCommands(d *decision) []string {
	on := w.o.run(d.applier, d.subresource)
	kind := recommendedIn(d.advice)
	var lines []string
	switch all := resolvingAll(kind); {
	case kind == explain.Migrate:
		return some(on.migrate(d.owner.Manager))
	case kind == explain.Force:
		return some(on.force())
	case all == nil:
	case len(w.decisions.list) == 1:
		return some(on.resolve(all...))
	case w.agreedOn(d):
		return some(on.resolve(shell.Value("--owned-by", d.owner.Manager), all[0]))
	default:
		lines = d.edits.commands(on, kind)
	}
	if lines == nil {
		return some(on.explain())
	}
	return lines
}

// setting is what follows the advice in the client that applies; empty for none.
func (w *Run) setting(d *decision) []model.Block {
	if d.advice == nil {
		return nil
	}
	return inClient(explain.ClientOf(d.applier), d.advice.InClient)
}

// agreedOn reports whether one option is recommended for all conflicts with a
// manager.
func (w *Run) agreedOn(d *decision) bool {
	return !slices.ContainsFunc(w.decisions.list, func(one *decision) bool {
		return one.owner.Manager == d.owner.Manager && recommendedIn(one.advice) != recommendedIn(d.advice)
	})
}

// timings name the objects that cost most.
func timings(t *stream.Timings) []model.Block {
	if t == nil {
		return nil
	}
	table := func(title, column string, list []stream.Timing, cost func(stream.Timing) string) model.Section {
		t := model.Table{Columns: []model.Column{{Title: column, Right: true}, {Title: "OBJECT"}}}
		for _, o := range list {
			t.Rows = append(t.Rows, []model.Text{model.Say(cost(o)), model.Say(words.Object(o.Target) + words.Where(o.Target))})
		}
		return part(title, t)
	}
	return []model.Block{
		table("Slowest objects", "TIME", t.Slowest, func(o stream.Timing) string { return o.Took.Round(10 * time.Microsecond).String() }),
		table("Largest objects (manifest and live object)", "SIZE", t.Largest, func(o stream.Timing) string { return sizeText(o.Bytes) }),
	}
}

// sizeText is a number of bytes in the unit that fits.
func sizeText(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
