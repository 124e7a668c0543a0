package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// contested is one field that an apply conflicts about, with all of its owners.
type contested struct {
	report.Conflict
	owners []report.Conflict
}

// contestedOf are the fields of a conflict, each once.
func contestedOf(r report.Result) []contested {
	var out []contested
	for i := 0; i < len(r.Conflicts); {
		j := i + 1
		for j < len(r.Conflicts) && r.Conflicts[j].Field == r.Conflicts[i].Field {
			j++
		}
		out = append(out, contested{r.Conflicts[i], r.Conflicts[i:j]})
		i = j
	}
	return out
}

// conflicted is what force would do, and the server's answer: who owns the fields, and what
// to do, stands above.
func conflicted(o page.Options, r report.Result) []model.Block {
	var out []model.Block
	if len(r.Conflicts) > 0 && !r.Confidence.Has(report.RuleNoManagedFields) {
		if settings(o) {
			out = append(out, page.ClientParts(page.ResultDocument(r).InClient)...)
		}
		out = append(out, withForce(o, r)...)
	}
	return append(out, serverAnswer(o, r)...)
}

// settings reports whether a format has room for the settings of clients in full.
func settings(o page.Options) bool { return o.Verbose || o.Listing || o.Differences && !o.Several }

// withForce is what the same apply would do with force, as far as the conflicts do
// not say it.
func withForce(o page.Options, r report.Result) []model.Block {
	f := r.Forced
	switch {
	case f == nil:
		return nil
	case f.Outcome.Refused():
		blocks := Causes(o, f.Causes)
		if f.Status != nil {
			blocks = append(blocks, model.Quote{Text: f.Status.Message})
		}
		return []model.Block{page.Part("With --force-conflicts it would still be refused", blocks...)}
	}
	told := func(field string) bool {
		return !o.Verbose && !o.Differences && slices.ContainsFunc(r.Conflicts, func(c report.Conflict) bool { return managedfields.Within(field, c.Field) })
	}
	rest := slices.DeleteFunc(withoutNoise(f.Changes), func(c report.Change) bool { return told(c.Field) })
	if len(rest) == 0 {
		return nil
	}
	return []model.Block{page.Part(fmt.Sprintf("With --force-conflicts it would be %s", strings.ToLower(string(f.Outcome))), listed(o, changesWhy(rest)))}
}
