package impact

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// WriteRules are those of the findings on a write that changes a definition, from the worst to the
// least: what the comparison of both definitions finds in addition is left to schema impact.
func WriteRules() finding.Rules {
	return slices.DeleteFunc(Rules(), func(r finding.Rule) bool {
		return r.Name != versionRemoved.Name &&
			!slices.ContainsFunc(onObjects, func(o *effectRule) bool { return o.Name == r.Name })
	})
}

// onObjects are the rules on live objects whose findings belong to the write of a definition.
var onObjects = []*effectRule{
	versionNamed, writeRefused, dataPruned, applyRefused, entryLost, ownerWidened, ownerUnprotected, applyChanges,
	objectInvalid,
}

// Harmless reports whether what Examine finds is notes only: then live objects need not be asked about.
func Harmless(examined []report.Finding) bool {
	return !slices.ContainsFunc(examined, func(f report.Finding) bool { return f.Severity != report.SeverityNote })
}

// Written are the findings on the write that changes the definition of a kind, the worst first: each
// has all that one rule finds on live objects. Of what Examine finds, versions that are gone are among them.
func (f *Effects) Written(k Kind, examined []report.Finding) []report.Finding {
	var out []report.Finding
	add := func(one report.Finding) {
		// The fields are those of the live objects.
		one.Field, one.Fields = "", nil
		out = append(out, one)
	}
	for _, one := range examined {
		if one.Rule == versionRemoved.Name {
			add(one)
		}
	}
	for _, rule := range onObjects {
		var same []report.Finding
		for _, one := range f.Of(k) {
			if one.Rule == rule.Name {
				same = append(same, one)
			}
		}
		if len(same) > 0 {
			add(joined(same))
		}
	}
	rules := Rules()
	slices.SortStableFunc(out, func(a, b report.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(rules.Index(a.Rule), rules.Index(b.Rule)),
		)
	})
	if len(out) > 0 {
		for i, fix := range out[0].Fixes {
			out[0].Fixes[i] = report.Fix{Edit: report.EditImpact, Does: fix.Does.And("; ", rest)}
		}
		if f.passed > 0 {
			// It is about the findings on objects, where there are any.
			i := max(0, slices.IndexFunc(out, func(one report.Finding) bool { return one.Rule != versionRemoved.Name }))
			out[i].Message = out[i].Message.And("; ", text.New(
				"only the first %v of %v live objects were asked about", text.Number(f.asked), text.Number(f.asked+f.passed)))
		}
	}
	return out
}

// rest is said once: it is the same command for all findings.
var rest = text.New("schema impact shows all that the change does")

// mostJoined is how many effects of one rule a finding names.
const mostJoined = 3

// joined is one finding of those of a rule.
func joined(list []report.Finding) report.Finding {
	one := list[0]
	for _, other := range list[1:] {
		if other.Manager != one.Manager {
			one.Manager = ""
		}
		for _, t := range other.Objects {
			if len(one.Objects) < report.MaxFields && !slices.Contains(one.Objects, t) {
				one.Objects = append(slices.Clone(one.Objects), t)
			}
		}
	}
	for _, other := range list[1:min(len(list), mostJoined)] {
		one.Message = one.Message.And("; ", other.Message)
	}
	if more := len(list) - mostJoined; more > 0 {
		one.Message = one.Message.And("; ", text.New("and %v more", text.Number(more)))
	}
	return one
}
