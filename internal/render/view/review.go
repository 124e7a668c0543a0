package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// Review shows what decisions make of manifests: what is edited in which file, and
// what is left to force. The objects of both documents are the same ones.
func Review(d resolve.Document, applies explain.Document, forced []Question, o Options) []model.Block {
	var out []model.Block
	for _, r := range d.Objects {
		l := model.List{}
		for _, step := range r.Steps {
			if step.Outcome != resolve.NotAsked {
				l.Items = append(l.Items, resolvedStep(step, r))
			}
		}
		switch {
		case l.Items == nil && r.After.Refused() && r.After != report.Conflicted:
			out = append(out, model.Paragraph{Apart: out != nil, Text: titled(r.Target, resolved(r))}, model.Quote{Text: r.Message})
		case l.Items != nil:
			title := model.Item{Text: titled(r.Target, resolved(r)), Blocks: []model.Block{l}}
			out = append(out, model.List{Apart: out != nil, Items: []model.Item{title}})
		}
	}
	if after := o.forcing(d, applies, forced); after != nil {
		out = append(out, after...)
	}
	for _, f := range d.Files {
		out = append(out, part("The edit of "+f.File, unified(f.Diff)))
	}
	return out
}

// forcing names what only force resolves, and the command.
func (o Options) forcing(d resolve.Document, applies explain.Document, forced []Question) []model.Block {
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
			files, commands = append(files, e.Source.File), append(commands, o.forceCommand(e)...)
		}
	}
	concerned := func(object int) bool { return slices.Contains(files, applies.Objects[object].Source.File) }
	blocks := append([]model.Block{l}, commands...)
	if undecidedSteps(d, concerned) > len(forced) {
		blocks = append(blocks, paragraph(forceTakesAll))
	}
	return []model.Block{part("Left to force, which no edit does", blocks...)}
}

// forceTakesAll is said where force takes more than what it is recommended for.
const forceTakesAll = "--force-conflicts takes ownership of every conflicting field: resolve the others first."

// forceCommand is the apply with force of the file of an object, or where that is said
// to the client that applies.
func (o Options) forceCommand(e explain.Explanation) []model.Block {
	if line := o.of(e).of(operands{}).force(); line != "" {
		return []model.Block{model.Command{Line: line}}
	}
	return inClient(explain.ClientOf(e.Manager), string(explain.Force))
}

// undecidedSteps are the conflicts of the objects concerned that nothing was edited for.
func undecidedSteps(d resolve.Document, concerned func(object int) bool) int {
	n := 0
	for i, r := range d.Objects {
		if r.After != report.Conflicted || !concerned(i) {
			continue
		}
		for _, s := range r.Steps {
			if s.Outcome == resolve.NotAsked {
				n++
			}
		}
	}
	return n
}

// Edited shows how somebody edited the text of a file.
func Edited(diff string) []model.Block { return []model.Block{unified(diff)} }
