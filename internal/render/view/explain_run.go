package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// grouped says of many applies once why they are refused, with the options as the first
// object that has each cause shows them.
func (o Options) grouped(d explain.Document) []model.Block {
	o.Brief = true
	w := NewRun(o)
	w.explains = true
	for _, e := range d.Objects {
		f := FactsOf(conflictedAnswer(e))
		for i, h := range f.hits {
			at := slices.IndexFunc(e.Conflicts, func(c explain.Conflict) bool { return h.rule == conflicting && c.Field == h.field })
			if at >= 0 {
				f.hits[i].options = func() []model.Block { return options(e.Conflicts[at]) }
			}
		}
		w.Add(f)
	}
	return append(w.look(w.causes.sorted()), w.cautious(len(d.Objects))...)
}

// conflictedAnswer is the answer that is explained, with its conflicts.
func conflictedAnswer(e explain.Explanation) report.Result {
	r := explainedAnswer(e)
	for _, c := range e.Conflicts {
		for _, owner := range c.Owners {
			r.Conflicts = append(r.Conflicts, report.Conflict{
				Writer: owner.Writer, Field: c.Field, Live: c.Live.Value, LiveMissing: c.Live.Missing,
				Applied: c.Yours.Value, AppliedMissing: c.Yours.Missing, Source: c.Source, Advice: c.Advice(),
			})
		}
	}
	return r
}
