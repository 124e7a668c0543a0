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
			k.says = placeless(f.Message.String(), f)
		}
	case report.RuleRefused, report.RuleNoAnswer:
		k.says = placeless(f.Lead.String()+" "+f.Quote, f)
	case report.RuleServerWarning, report.RuleInputNotice:
		k.says = placeless(f.Message.String(), f)
	}
	return k
}

// places are the places of files in messages: a file may be renamed, and its lines moved.
var places = regexp.MustCompile(`\blines? \d+|, document \d+|[^\s("']+:\d+\b|[^\s("']+\.(?:ya?ml|json)\b`)

// placeless is a message without the places that it names.
func placeless(message string, _ report.Finding) string { return places.ReplaceAllString(message, "#") }

// found are the findings of a result by their keys, those included that another one on the
// same field has taken in.
func found(list []report.Finding) map[key]bool {
	out := map[key]bool{}
	for _, f := range list {
		out[keyOf(f)] = true
		for _, a := range f.Others {
			out[key{rule: a.Rule, field: f.Field}] = true
		}
	}
	return out
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
			f.Cause = report.FixedByChange
			fixed = append(fixed, f)
		}
	}
	return slices.Concat([]report.Finding{}, caused, stood, fixed)
}

// apart splits a finding into what the other side has, and what it does not have. A finding
// of several rules on one field is one of each side where only some are on the other.
func apart(f report.Finding, other map[key]bool) (stands, rest []report.Finding) {
	own := other[keyOf(f)]
	var both, new []report.Aside
	for _, a := range f.Others {
		if other[key{rule: a.Rule, field: f.Field}] {
			both = append(both, a)
		} else {
			new = append(new, a)
		}
	}
	f.Cause = report.CausedByChange
	switch {
	case !own:
		// What others say of the field is part of what is new.
		return nil, []report.Finding{f}
	case len(new) == 0:
		f.Cause = report.StoodBefore
		return []report.Finding{f}, nil
	}
	stood := f
	stood.Cause, stood.Others, stood.Also = report.StoodBefore, both, rulesOf(both)
	rest = []report.Finding{alone(f, new)}
	return []report.Finding{stood}, rest
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
		list[i].Cause = report.CausedByChange
		if before[keyOf(f)] {
			list[i].Cause = report.StoodBefore
		}
	}
	return list
}
