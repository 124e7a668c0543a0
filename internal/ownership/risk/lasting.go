package risk

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Lasting are the risks of a result with what is known of whether it lasts: writers that
// undo each other, and a client that changes the object each time. Where a cycle is about a
// field, it says with certainty what another rule says of the field, and stands for it.
func Lasting(risks []report.Finding, r report.Result, settles *report.Settles, again *report.Again) []report.Finding {
	f := finder{Result: r}
	cycles := f.cycles(settles)
	if len(cycles) == 0 && again == nil {
		return risks
	}
	var out []report.Finding
	for _, k := range risks {
		i := slices.IndexFunc(cycles, func(c report.Finding) bool { return k.Field != "" && c.Field == k.Field })
		switch {
		case i < 0:
			out = append(out, k)
		case rules.Index(k.Rule) < rules.Index(NeverSettles) && !several(settles, k.Field):
			out = append(out, joined(k, cycles[i]))
			cycles = slices.Delete(cycles, i, i+1)
		default:
			cycles[i] = joined(cycles[i], k)
		}
	}
	out = slices.Concat(out, cycles, f.repeated(again))
	slices.SortStableFunc(out, compare)
	return out
}

// several reports whether the client is not the only one that another writer undoes: the cycle
// says more than a rule about one other writer.
func several(settles *report.Settles, field string) bool {
	if settles == nil {
		return false
	}
	others := map[string]bool{}
	for _, s := range settles.Cycle {
		if s.Field == field && s.By != "" {
			others[s.By] = true
		}
	}
	return len(others) > 1
}

// joined is a finding that stands for another one on its field, which is evidence of it but for
// guesses of what an owner does next. A cycle is an error, whatever it is found by; what a
// policy forbids weighs as much as the policy says.
func joined(k, other report.Finding) report.Finding {
	if other.Rule == NeverSettles && k.Rule != ForbiddenOwner {
		k.Severity = other.Severity
	}
	if other.Rule != TakenByForce {
		k.Evidence = k.Evidence.And("; ", other.Message)
	}
	k.Also = append(slices.Clone(k.Also), other.Rule)
	return k
}

// manyFields is from how many fields on a cycle between the same writers is one finding.
const manyFields = 4

// cycles are the fields that writers set in turn.
func (f *finder) cycles(settles *report.Settles) []report.Finding {
	if settles == nil || settles.Result != report.Cycle {
		return nil
	}
	var out []report.Finding
	fields := map[string][]string{}
	var steps []report.CycleStep
	flush := func() {
		if len(steps) == 0 {
			return
		}
		var who []string
		for _, s := range steps {
			who = append(who, s.Name())
		}
		key := strings.Join(who, "\n")
		if fields[key] = append(fields[key], steps[0].Field); len(fields[key]) <= manyFields {
			out = append(out, f.cycle(steps, settles.Confidence == report.Partial))
		}
		steps = nil
	}
	for _, s := range settles.Cycle {
		if len(steps) > 0 && steps[0].Field != s.Field {
			flush()
		}
		steps = append(steps, s)
	}
	flush()
	for _, list := range fields {
		if len(list) <= manyFields {
			continue
		}
		first := slices.IndexFunc(out, func(k report.Finding) bool { return k.Field == list[0] })
		one := out[first].About(list...)
		one.Counted = len(list)
		one.Message = text.New("%v is one of %v that are set in turn: ", text.Path(list[0]), text.Count(len(list), "field")).
			And("", one.Message)
		out = slices.DeleteFunc(out, func(k report.Finding) bool { return slices.Contains(list, k.Field) })
		out = append(out, one)
	}
	return out
}

// cycle is a field with the values that are set in turn; some of them are assumed where no input
// says what a writer writes next.
func (f *finder) cycle(steps []report.CycleStep, assumed bool) report.Finding {
	message := text.Text{}
	manager := ""
	for i, s := range steps {
		who := text.By(s.Writer)
		if s.By != "" {
			who = text.Name(s.By)
		}
		if s.Writer != f.Manager || s.By != "" {
			manager = s.Name()
		}
		switch {
		case s.Removed:
			message = message.And(", ", text.New("%v removes it", who))
		case !managedfields.Composite(s.Value):
			several := "another"
			if i == 0 {
				several = "one value"
			}
			message = message.And(", ", text.New("%v sets %v", who, text.OneValueOf(s.Field, s.Value, several)))
		case i == 0:
			// The difference of the two stands next to it.
			message = message.And(", ", text.New("%v sets one value", who))
		default:
			message = message.And(", ", text.New("%v sets another", who))
		}
	}
	undo := text.New("they undo each other for ever")
	if assumed {
		undo = text.New("they undo each other for ever, as far as is known what they write next")
	}
	return f.risk(NeverSettles, steps[0].Field, manager, message.And(": ", undo))
}

// repeated are the fields that the same client changes when it asks again.
func (f *finder) repeated(again *report.Again) []report.Finding {
	if again == nil {
		return nil
	}
	each := "each run"
	if again.Rests {
		each = "the second run"
	}
	switch {
	case again.Recreated:
		return []report.Finding{f.risk(NotIdempotent, "", f.Manager,
			text.New("each run deletes the object and creates it again"))}
	case again.Refused != nil:
		return []report.Finding{f.risk(NotIdempotent, "", f.Manager,
			text.New("the API server rejects the same write once more: %v", text.Said(again.Refused.Message)))}
	case len(again.Changes) == 0:
		if again.Rests {
			return nil
		}
		return []report.Finding{f.risk(NotIdempotent, "", f.Manager, text.New(
			"each run changes managed fields entries (%v) and no value: the resourceVersion changes each time",
			text.Name(strings.Join(again.Owners, ", "))))}
	}
	var out []report.Finding
	for _, c := range again.Changes {
		one := f.risk(NotIdempotent, c.Field, f.Manager, text.New(each+" changes it, from %v to %v: "+f.whyAgain(c),
			text.ValueOf(c.Field, c.Before), text.ValueOf(c.Field, c.After)))
		out = append(out, one)
	}
	return out
}

// whyAgain is why a second write changes a field.
func (f *finder) whyAgain(c report.Change) string {
	before, isList := c.Before.([]any)
	after, same := c.After.([]any)
	switch {
	case isList && same && reordered(before, after):
		return "the items of the list come in another order"
	case c.Reason == report.ReasonNormalised && c.Kind == report.Removed:
		return "the API server drops the empty value"
	case c.Reason == report.ReasonNormalised:
		return "the API server stores another spelling"
	case c.Reason == report.ReasonDefaulted:
		return "the API server fills in its default"
	case c.Reason == report.ReasonAdmission:
		return "admission changes what was sent"
	case c.Reason == report.ReasonUnowned:
		return "the run before left it to the manager, whose manifest does not have it"
	case f.Outcome == report.Created:
		return "the API server changed the value when it created the object"
	}
	return "the client does not send what it sent before"
}

// reordered reports whether two lists have the same items in another order.
func reordered(a, b []any) bool {
	if len(a) != len(b) || reflect.DeepEqual(a, b) {
		return false
	}
	rest := slices.Clone(b)
	for _, item := range a {
		i := slices.IndexFunc(rest, func(other any) bool { return reflect.DeepEqual(item, other) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// IsLasting reports whether a finding is about whether a write lasts.
func IsLasting(f report.Finding) bool {
	return f.Rule == NeverSettles || f.Rule == NotIdempotent || slices.Contains(f.Also, NeverSettles)
}
