package view

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// tabled reports whether the fields of a refused write are rows of the table of
// conflicts.
func tabled(r report.Result) bool {
	return r.Outcome == report.Conflicted && len(r.Conflicts) > 0 && !r.Confidence.Has(report.RuleNoManagedFields)
}

// onlyOwnership reports whether a write changes no field, takes nothing from
// anybody, and leaves nothing to look at.
func onlyOwnership(r report.Result) bool {
	if r.Outcome != report.Configured || r.Operation == report.Delete || r.Changes == nil || len(withoutNoise(r.Changes)) > 0 {
		return false
	}
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden {
			return false
		}
	}
	return len(r.Warnings)+len(r.Notices)+len(r.Risks) == 0
}

// unseen counts the objects that are not shown one by one.
func (w *Run) unseen() []model.Block {
	if !w.o.Brief || w.ownership.n == 0 {
		return nil
	}
	return []model.Block{model.Paragraph{Apart: true, Label: model.Say("Only ownership changes:"), Text: model.Say(w.ownership.text())}}
}

// warnings are those of the server, each once.
type warnings struct{ keyed[string, warning] }

type warning struct {
	text  string
	first report.Target
	n     int
}

func (k *warnings) add(text string, target report.Target) {
	if one := k.of(text, func() *warning { return &warning{text: text, first: target} }); one != nil {
		one.n++
	}
}

// warned are the warnings with the objects that get them.
func (w *Run) warned() []model.Block {
	if !w.o.Brief || w.warnings.list == nil {
		return nil
	}
	l := model.List{Marked: true, Shown: shown}
	for _, one := range w.warnings.list {
		where := words.Object(one.first) + words.Where(one.first)
		if one.n > 1 {
			where = fmt.Sprintf("%d objects, first %s", one.n, where)
		}
		l.Items = append(l.Items, model.Item{Text: model.Textf("%v (%v)", one.text, where)})
	}
	return []model.Block{part("Warnings of the API server", l)}
}
