package page

import (
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Many is how many plans are shown in full: of more, those with one verdict are one item.
const Many = 10

// GroupMany shows a document of many plans by groups of them: the counts are its headline, and the
// hint says how each plan is shown.
func GroupMany(d *model.Document, groups []model.Block, hint string) {
	d.Headline, d.Lead = d.Lead, nil
	d.Brief, d.First = true, groups
	d.Blocks = append(d.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of(hint)}})
}

// namedObjects is how many objects of a group are named.
const namedObjects = 5

// Grouped are the objects of a run by what is said of several of them, in the order in which
// that comes first, with what else there is to say of all (more). An object is left out
// where several is nil, and one alone has its own verdict.
func Grouped[T any](
	list []T,
	several func(T) model.Text,
	one func(T) (report.Target, model.Text),
	more func([]T) []model.Block,
) []model.Block {
	type group struct {
		verdict model.Text
		targets []report.Target
		objects []T
	}
	var groups []*group
	at := map[string]*group{}
	for _, object := range list {
		says := several(object)
		if says == nil {
			continue
		}
		g := at[says.String()]
		if g == nil {
			g = &group{verdict: says}
			at[says.String()], groups = g, append(groups, g)
		}
		target, _ := one(object)
		g.targets, g.objects = append(g.targets, target), append(g.objects, object)
	}
	var out []model.Block
	for i, g := range groups {
		item := model.Item{Text: Titled(one(g.objects[0]))}
		if len(g.targets) > 1 {
			item.Text = model.Textf("%v: %v", words.Count(len(g.targets), "object"), g.verdict)
			var names []string
			for _, t := range g.targets {
				names = append(names, words.Object(t))
			}
			item.Blocks = append(item.Blocks, Paragraph("%v", model.Faint.Of(words.Some(names, namedObjects, len(names)))))
		}
		item.Blocks = append(item.Blocks, more(g.objects)...)
		out = append(out, model.List{Apart: i > 0, Items: []model.Item{item}})
	}
	return out
}
