package resolve

import (
	"slices"

	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// Review shows what decisions make of manifests: what is edited in which file, and
// what is left to force. The objects of both documents are the same ones.
func Review(d Document, applies conflict.Document, forced []interactive.Question, o page.Options) []model.Block {
	var out []model.Block
	for _, r := range d.Objects {
		l := model.List{}
		for _, step := range r.Steps {
			if step.Outcome != NotAsked {
				l.Items = append(l.Items, resolvedStep(step, r))
			}
		}
		switch {
		case l.Items == nil && r.After.Refused() && r.After != report.Conflicted:
			out = append(out, model.Paragraph{Apart: out != nil, Text: page.Titled(r.Target, resolved(r))}, model.Quote{Text: r.Message})
		case l.Items != nil:
			title := model.Item{Text: page.Titled(r.Target, resolved(r)), Blocks: []model.Block{l}}
			out = append(out, model.List{Apart: out != nil, Items: []model.Item{title}})
		}
	}
	if after := forcing(o, d, applies, forced); after != nil {
		out = append(out, after...)
	}
	for _, f := range d.Files {
		out = append(out, page.Part("The edit of "+f.File, unified(f.Diff)))
	}
	return out
}

// forcing names what only force resolves, and the command.
func forcing(o page.Options, d Document, applies conflict.Document, forced []interactive.Question) []model.Block {
	if len(forced) == 0 {
		return nil
	}
	l := model.List{}
	var files []string
	var commands []model.Block
	for _, q := range forced {
		l.Items = append(l.Items, model.Item{Text: model.Textf("%v of %v", q.Title, q.Of)})
		e := applies.Objects[q.Object]
		if !slices.Contains(files, e.Source.File) {
			files, commands = append(files, e.Source.File), append(commands, forceCommand(o, e)...)
		}
	}
	concerned := func(object int) bool { return slices.Contains(files, applies.Objects[object].Source.File) }
	blocks := append([]model.Block{l}, commands...)
	if undecidedSteps(d, concerned) > len(forced) {
		blocks = append(blocks, page.Paragraph(page.ForceTakesAll))
	}
	return []model.Block{page.Part("Left to force, which no edit does", blocks...)}
}

// forceCommand is the apply with force of the file of an object, or where that is said
// to the client that applies.
func forceCommand(o page.Options, e conflict.Explanation) []model.Block {
	if line := o.Of(e).Of(page.Operands{}).Force(); line != "" {
		return []model.Block{model.Command{Line: line}}
	}
	return page.InClient(conflict.ClientOf(e.Manager), string(conflict.Force))
}

// undecidedSteps are the conflicts of the objects concerned that nothing was edited for.
func undecidedSteps(d Document, concerned func(object int) bool) int {
	n := 0
	for i, r := range d.Objects {
		if r.After != report.Conflicted || !concerned(i) {
			continue
		}
		for _, s := range r.Steps {
			if s.Outcome == NotAsked {
				n++
			}
		}
	}
	return n
}

// Edited shows how somebody edited the text of a file.
func Edited(diff string) []model.Block { return []model.Block{unified(diff)} }
