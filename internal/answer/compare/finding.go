package compare

import (
	"regexp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// key is what makes two findings on one object the same: the rule and the field, whatever
// its values and lines. What is about no field is the same where it says the same.
type key struct{ rule, field, says string }

func keyOf(f report.Finding) key {
	k := key{rule: f.Rule, field: f.Field}
	if f.Field != "" {
		return k
	}
	switch f.Rule {
	case report.RuleCaveat:
		k.says = f.Caveat
		if k.says == "" {
			k.says = placeless(f.Message.String())
		}
	case report.RuleRefused, report.RuleNoAnswer:
		k.says = placeless(f.Lead.String() + " " + f.Quote)
	case report.RuleServerWarning, report.RuleInputNotice, report.RuleWrittenBetween, report.RuleRejectedBefore:
		k.says = placeless(f.Message.String())
	}
	return k
}

// places are the places of files in messages: a file may be renamed, and its lines moved.
var places = regexp.MustCompile(`\blines? \d+|, document \d+|[^\s("']+:\d+\b|[^\s("']+\.(?:ya?ml|json)\b`)

// placeless is a message without the places that it names.
func placeless(message string) string { return places.ReplaceAllString(message, "#") }

// side has the findings of a result with their worst severities, those included that another
// one on the same field has taken in.
type side map[key]report.Severity

func found(list []report.Finding) side {
	out := side{}
	for _, f := range list {
		out.add(keyOf(f), f.Severity)
		for _, a := range asides(f) {
			out.add(key{rule: a.Rule, field: f.Field}, a.Severity)
		}
	}
	return out
}

// asides are what other rules find on the field of a finding. One that is only evidence of the
// finding says the same, as severe.
func asides(f report.Finding) []report.Aside {
	list := slices.Clone(f.Others)
	for _, rule := range f.Also {
		if !slices.ContainsFunc(list, func(a report.Aside) bool { return a.Rule == rule }) {
			list = append(list, report.Aside{Rule: rule, Severity: f.Severity, Message: f.Message})
		}
	}
	return list
}

func (s side) add(k key, severity report.Severity) {
	if is, has := s[k]; !has || severity.Rank() < is.Rank() {
		s[k] = severity
	}
}

// has reports whether a side has a finding, at least as severe: one that gets worse is new, and
// one that gets milder is fixed as what it was.
func (s side) has(k key, severity report.Severity) bool {
	is, has := s[k]
	return has && is.Rank() <= severity.Rank()
}

// causes are the findings of a result with their causes: those that the change causes, then
// those that stood before, then those that it fixes, each in their order. Where unasked, the
// manifests differ and there is no answer, so that no answer before says that it stands.
func causes(was, r report.Result, unasked bool) []report.Finding {
	before, after := found(was.Findings), found(r.Findings)
	var caused, stood, fixed []report.Finding
	for _, f := range r.Findings {
		own, others := apart(f, before)
		caused, stood = append(caused, others...), append(stood, own...)
		if f.Rule == report.RuleNoAnswer && unasked {
			f.Cause = report.CausedByChange
			caused, stood = append(caused, f), stood[:len(stood)-len(own)]
		}
	}
	for _, f := range was.Findings {
		_, gone := apart(f, after)
		for _, f := range gone {
			if r.Removed && f.Rule == report.RuleCaveat {
				// Nothing is asked about the object any more: a doubt of the answer is not mended.
				continue
			}
			f.Cause = report.FixedByChange
			fixed = append(fixed, f)
		}
	}
	return slices.Concat([]report.Finding{}, caused, stood, fixed)
}

// apart splits a finding into what the other side has, and what it does not have. A finding of
// several rules on one field is one of each side where only some are on the other. One that is
// worse than on the other side is new, unless a rule that is new makes it so.
func apart(f report.Finding, other side) (stands, rest []report.Finding) {
	was, own := other[keyOf(f)]
	var both []string
	var new []report.Aside
	worse, explained := own && f.Severity.Rank() < was.Rank(), false
	for _, a := range asides(f) {
		if other.has(key{rule: a.Rule, field: f.Field}, a.Severity) {
			both = append(both, a.Rule)
			continue
		}
		new, explained = append(new, a), explained || a.Severity.Rank() <= f.Severity.Rank()
	}
	f.Cause = report.CausedByChange
	switch {
	case !own || worse && !explained:
		// What others say of the field is part of what is new.
		return nil, []report.Finding{f}
	case len(new) == 0:
		f.Cause = report.StoodBefore
		return []report.Finding{f}, nil
	}
	stood := f
	stood.Cause, stood.Also = report.StoodBefore, both
	stood.Others = slices.DeleteFunc(slices.Clone(f.Others), func(a report.Aside) bool {
		return !slices.Contains(both, a.Rule)
	})
	if worse {
		stood.Severity = was
	}
	return []report.Finding{stood}, []report.Finding{alone(f, new)}
}

// alone is a finding of the first of rules that another finding had taken in.
func alone(f report.Finding, rules []report.Aside) report.Finding {
	first := rules[0]
	f.Rule, f.Severity, f.Message = first.Rule, first.Severity, first.Message
	f.Others, f.Also = rules[1:], rulesOf(rules[1:])
	return f
}

func rulesOf(list []report.Aside) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.Rule)
	}
	return out
}

// risks are those of a result with their causes.
func risks(was, r report.Result) []report.Finding {
	if r.Risks == nil {
		return nil
	}
	before, list := found(was.Risks), slices.Clone(r.Risks)
	for i, f := range list {
		list[i].Cause = report.StoodBefore
		if _, rest := apart(f, before); rest != nil {
			list[i].Cause = report.CausedByChange
		}
	}
	return list
}
