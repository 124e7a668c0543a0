package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// said is a finding of a rule on a field; those of rules behind the first are taken in by it.
func said(field string, rules ...string) report.Finding {
	f := report.Finding{
		Rule:     rules[0],
		Field:    field,
		Severity: report.SeverityWarning,
		Message:  text.New("%v", text.Name(rules[0])),
	}
	for _, other := range rules[1:] {
		f = f.And(
			report.Finding{Rule: other, Field: field, Severity: f.Severity, Message: text.New("%v", text.Name(other))},
		)
	}
	return f
}

// severe is a finding as an error.
func severe(f report.Finding) report.Finding {
	f.Severity = report.SeverityError
	return f
}

// evident is a finding for which another rule is evidence.
func evident(f report.Finding, rule string) report.Finding {
	f.Also = append(slices.Clone(f.Also), rule)
	return f
}

// written is an accepted write with findings, whose object has their fields.
func written(name string, list ...report.Finding) Written {
	object := map[string]any{}
	r := report.Result{Target: report.Target{APIVersion: "v1", Kind: "ConfigMap", Name: name},
		Outcome: report.Configured, Code: 200, Operation: report.Apply, Findings: list, Risks: list, Changes: []report.Change{}}
	for _, f := range list {
		object[f.Field] = f.Rule
		r.Changes = append(r.Changes, report.Change{Field: f.Field, Kind: report.Added, After: f.Rule})
	}
	r.Object = object
	return Written{Result: r, Manifest: fmt.Appendf(nil, "%v", object)}
}

// refused is a write that is refused.
func refused(name, message, manifest string) Written {
	return Written{Manifest: []byte(manifest), Result: report.Result{
		Target: report.Target{APIVersion: "v1", Kind: "ConfigMap", Name: name}, Outcome: report.Invalid, Code: 422,
		Findings: []report.Finding{{Rule: report.RuleRefused, Severity: report.SeverityError, Quote: message}},
	}}
}

// compared are the causes of all findings of a run after a change, a line each, the objects
// that differ, and what was counted.
func compared(before, after []Written) (causes, differ []string, c report.Comparison) {
	var b Before
	for _, w := range before {
		b.Add(w)
	}
	note := func(r report.Result, differs bool) {
		for _, f := range r.Findings {
			for _, rule := range append([]string{f.Rule}, f.Also...) {
				causes = append(causes, fmt.Sprintf("%s %s %s %s", r.Target.Name, f.Field, rule, f.Cause))
			}
		}
		if differs {
			differ = append(differ, r.Target.Name)
		}
	}
	for _, w := range after {
		note(b.Compare(w, false))
	}
	for _, r := range b.Gone() {
		note(r, true)
	}
	slices.Sort(causes)
	return causes, differ, b.Tally
}

func TestCompare(t *testing.T) {
	for name, test := range map[string]struct {
		before, after []Written
		causes        []string
		differ        []string
	}{
		"the same": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", said(".x", "r"))},
			[]string{"a .x r Before"}, nil,
		},
		"another field": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", said(".y", "r"))},
			[]string{"a .x r Fixed", "a .y r Change"}, []string{"a"},
		},
		"a rule more on the field": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", said(".x", "r", "s"))},
			[]string{"a .x r Before", "a .x s Change"}, []string{"a"},
		},
		"taken in by a worse one": {
			[]Written{written("a", said(".x", "s"))}, []Written{written("a", said(".x", "r", "s"))},
			[]string{"a .x r Change", "a .x s Change"}, []string{"a"},
		},
		"a worse one": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", severe(said(".x", "r")))},
			[]string{"a .x r Change"}, []string{"a"},
		},
		"a milder one": {
			[]Written{written("a", severe(said(".x", "r")))}, []Written{written("a", said(".x", "r"))},
			[]string{"a .x r Before", "a .x r Fixed"}, []string{"a"},
		},
		"a rule that is evidence of a finding as severe": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", evident(said(".x", "r"), "s"))},
			[]string{"a .x r Before", "a .x s Change"}, []string{"a"},
		},
		"a rule that makes a finding worse": {
			[]Written{written("a", said(".x", "r"))}, []Written{written("a", severe(evident(said(".x", "r"), "s")))},
			[]string{"a .x r Before", "a .x s Change"}, []string{"a"},
		},
		"a new manifest": {
			nil, []Written{written("a", said(".x", "r"))}, []string{"a .x r Change"}, []string{"a"},
		},
		"a removed one": {
			[]Written{written("a", said(".x", "r"))}, nil, []string{"a .x r Fixed"}, []string{"a"},
		},
		"refused for the same, in a file of another name": {
			[]Written{refused("a", "old.yaml:3: spec.x: bad", "1")}, []Written{refused("a", "new.yaml:7: spec.x: bad", "1")},
			[]string{"a  refused Before"}, nil,
		},
		"refused for the same, and the manifest differs": {
			[]Written{refused("a", "spec.x: bad", "1")}, []Written{refused("a", "spec.x: bad", "2")},
			[]string{"a  refused Before"}, []string{"a"},
		},
		"refused for another reason": {
			[]Written{refused("a", "spec.x: bad", "1")}, []Written{refused("a", "spec.y: bad", "2")},
			[]string{"a  refused Change", "a  refused Fixed"}, []string{"a"},
		},
		"the second of two manifests": {
			[]Written{written("a", said(".x", "r")), written("a", said(".y", "r"))},
			[]Written{written("a", said(".x", "r")), written("a", said(".y", "s"))},
			[]string{"a .x r Before", "a .y r Fixed", "a .y s Change"}, []string{"a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			causes, differ, _ := compared(test.before, test.after)
			if diff := cmp.Diff(test.causes, causes); diff != "" {
				t.Errorf("causes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.differ, differ); diff != "" {
				t.Errorf("differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDecisive: what is refused as before does not count, and what is refused by the change
// does, as does a changed manifest without an answer.
func TestDecisive(t *testing.T) {
	failed := func(manifest string) Written {
		w := refused("a", "no definition", manifest)
		w.Outcome, w.Code, w.Findings[0].Rule = report.Failed, 0, report.RuleNoAnswer
		return w
	}
	for name, test := range map[string]struct {
		before, after   Written
		refused, failed int
	}{
		"as before":             {refused("a", "bad", "1"), refused("a", "bad", "1"), 0, 0},
		"accepted before":       {written("a"), refused("a", "bad", "1"), 1, 0},
		"accepted now":          {refused("a", "bad", "1"), written("a"), 0, 0},
		"no answer as before":   {failed("1"), failed("1"), 0, 0},
		"no answer to a change": {failed("1"), failed("2"), 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, c := compared([]Written{test.before}, []Written{test.after})
			r, f := report.Summary{Comparison: &c, Failed: 9, Invalid: 9}.Decisive()
			if r != test.refused || f != test.failed {
				t.Errorf("%d refused, %d without an answer; want %d, %d", r, f, test.refused, test.failed)
			}
		})
	}
}

// TestLaws: over random runs, what both sides have is never caused, a run compared with
// itself has no difference, and the sides swapped swap what is caused and what is fixed.
func TestLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 45))
	run := func() []Written {
		var out []Written
		for _, name := range []string{"a", "b", "c", "d"} {
			if random.IntN(4) == 0 {
				continue
			}
			var list []report.Finding
			for _, field := range []string{".x", ".y", ".z"} {
				if rules := []string{"r", "s", "t"}[:random.IntN(4)]; len(rules) > 0 && random.IntN(2) == 0 {
					f := said(field, rules[random.IntN(len(rules)):]...)
					if random.IntN(3) == 0 {
						f = severe(f)
					}
					list = append(list, f)
				}
			}
			out = append(out, written(name, list...))
		}
		return out
	}
	// weights are how severe each finding is, 0 for none.
	weights := func(list []Written) map[string]int {
		has := map[string]int{}
		for _, w := range list {
			for _, f := range w.Findings {
				at := fmt.Sprintf("%s %s %s", w.Target.Name, f.Field, f.Rule)
				has[at] = max(has[at], 3-f.Severity.Rank())
			}
		}
		return has
	}
	for n := range 2000 {
		before, after := run(), run()
		causes, _, c := compared(before, after)
		_, _, back := compared(after, before)
		was, is := weights(before), weights(after)
		for finding := range is {
			if was[finding] >= is[finding] && slices.Contains(causes, finding+" Change") {
				t.Fatalf("run %d: %s is on both sides, and caused", n, finding)
			}
			if was[finding] > 0 && was[finding] <= is[finding] && slices.Contains(causes, finding+" Fixed") {
				t.Fatalf("run %d: %s is on both sides, and fixed", n, finding)
			}
			if was[finding] == 0 && !slices.Contains(causes, finding+" Change") {
				// Taken in by another one before.
				if !slices.Contains(causes, finding+" Before") {
					t.Fatalf("run %d: %s has no cause", n, finding)
				}
			}
		}
		if c.Differ != back.Differ || c.Differ+c.Same != back.Differ+back.Same {
			t.Fatalf("run %d: %d differ, %d are the same; swapped %d and %d", n, c.Differ, c.Same, back.Differ, back.Same)
		}
		if _, differ, same := compared(after, after); differ != nil || same.Caused.Total()+same.Fixed.Total() > 0 {
			t.Fatalf("run %d: compared with itself: %v differ", n, differ)
		}
		if (c.Caused.Total() == 0) != (back.Fixed.Total() == 0) {
			t.Fatalf("run %d: %d caused, and swapped %d fixed", n, c.Caused.Total(), back.Fixed.Total())
		}
	}
}
