package explain

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/answers"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// grouped says of many applies once why they are refused, with the options as the first
// object that has each cause shows them.
func grouped(o page.Options, d conflict.Document) []model.Block {
	o.Brief = true
	w := answers.NewRun(o)
	w.Explains = true
	for _, e := range d.Objects {
		f := answers.FactsOf(conflictedAnswer(e))
		for i, h := range f.Hits {
			at := slices.IndexFunc(e.Conflicts, func(c conflict.Conflict) bool {
				return h.Rule == answers.Conflicting && c.Field == h.Field && c.Recommended != conflict.Migrate
			})
			if at >= 0 {
				f.Hits[i].Options = func() []model.Block { return options(e.Conflicts[at]) }
			}
		}
		w.Add(f)
	}
	return append(w.Look(w.Causes.Sorted()), w.Cautious(len(d.Objects))...)
}

// conflictedAnswer is the answer that is explained, with its conflicts.
func conflictedAnswer(e conflict.Explanation) report.Result {
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
