package pasted

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Mentioned are the explanations that refusals are about, with the conflicts over their
// fields alone. An object that is not named by a refusal is found by its fields.
func Mentioned(list []Refusal, answers []conflict.Explanation) []conflict.Explanation {
	var out []conflict.Explanation
	for _, e := range answers {
		var conflicts []conflict.Conflict
		refused := false
		for _, r := range list {
			if !r.names(e.Target) {
				continue
			}
			for _, c := range e.Conflicts {
				over := func(other conflict.Conflict) bool { return other.Field == c.Field }
				if r.over(c.Field) && !slices.ContainsFunc(conflicts, over) {
					conflicts = append(conflicts, c)
				}
			}
			refused = refused ||
				len(r.Causes) > 0 && e.Outcome.Refused() && e.Outcome != report.Conflicted &&
					(r.Target.Name != "" || r.sharesCause(e.Causes))
		}
		if conflicts == nil && !refused {
			continue
		}
		if e.Conflicts = conflicts; len(conflicts) < 2 {
			e.Together = nil
		}
		out = append(out, e)
	}
	return out
}

// names reports whether a refusal may be about an object: of what its text does not say,
// anything may be meant.
func (r Refusal) names(t report.Target) bool {
	said := func(text, of string) bool { return text == "" || text == of }
	group, _ := words.GroupVersion(r.Target.APIVersion)
	of, _ := words.GroupVersion(t.APIVersion)
	return said(r.Target.Kind, t.Kind) && said(r.Target.Name, t.Name) && said(r.Target.Namespace, t.Namespace) &&
		said(group, of)
}

func (r Refusal) over(field string) bool {
	for _, c := range r.Conflicts {
		if c.Field == field {
			return true
		}
	}
	return false
}

func (r Refusal) sharesCause(causes []report.Cause) bool {
	return slices.ContainsFunc(r.Causes, func(c report.Cause) bool {
		return slices.ContainsFunc(causes, func(other report.Cause) bool { return other.Field == c.Field })
	})
}
