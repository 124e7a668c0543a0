package finding

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/report"
)

// Report is one run: what is wrong, the worst first.
type Report struct {
	report.Head
	Summary Summary `json:"summary"`
	// Rules are those with findings, in the order of Findings.
	Rules []RuleCount `json:"rules"`
	// Findings are sorted by severity, rule, namespace, kind, name, field.
	Findings []report.Finding `json:"findings"`
	// Suppressed are sorted as Findings are.
	Suppressed []Suppressed `json:"suppressed"`
	// IdleSuppressions are those that hid nothing, in their order.
	IdleSuppressions []Idle `json:"idleSuppressions,omitempty"`
	// Ending: where the run was interrupted, the findings are those of the first
	// objects, without those that only all objects together can make.
	report.Ending
}

// Summary counts.
type Summary struct {
	Objects   int `json:"objects"`
	Manifests int `json:"manifests"`
	Kinds     int `json:"kinds,omitempty"`
	// Findings counts them as the report of a write does.
	Findings   report.FindingCount `json:"findings"`
	Suppressed int                 `json:"suppressed"`
}

// RuleCount is a rule with the number of its findings of one severity.
type RuleCount struct {
	Rule     string          `json:"rule"`
	Severity report.Severity `json:"severity"`
	// Title is what is wrong, as a sentence.
	Title    string `json:"title"`
	Findings int    `json:"findings"`
}

// Idle is a suppression that hides nothing, and why.
type Idle struct {
	Suppression Suppression `json:"suppression"`
	Why         string      `json:"why"`
}

// Run is what was found in a run, and what of it counts.
type Run struct {
	// Kind is that of the report document.
	Kind  string
	Rules Rules
	// Objects and Manifests are how many were examined.
	Objects, Manifests int
	// Kinds are how many were compared; zero where objects are what is examined.
	Kinds    int
	Findings []report.Finding
	// Ignoring are the rules that an object asks to be left alone by, in the
	// annotation.
	Ignoring   map[report.Target][]string
	Annotation string

	// Join makes one finding of those with the same cause; nil where none have one.
	Join func([]report.Finding) report.Finding
	// PerField makes one finding of those on one field of an object: the worst, of the first
	// rule, with the others beside it.
	PerField bool

	Selection    Selection
	Suppressions []Suppression
	Now          time.Time
	report.Run
}

// widestFirst orders sorted findings of one severity by how many objects their rule finds
// something on; rules that find it on as many keep their order.
func widestFirst(list []report.Finding) []report.Finding {
	type group struct {
		severity report.Severity
		rule     string
	}
	seen, objects := map[group]map[report.Target]bool{}, map[group]int{}
	of := func(f report.Finding) group { return group{f.Severity, f.Rule} }
	for _, f := range list {
		g := of(f)
		if seen[g] == nil {
			seen[g] = map[report.Target]bool{}
		}
		for _, t := range append([]report.Target{f.Target}, f.Objects...) {
			if t != (report.Target{}) && !seen[g][t] {
				seen[g][t] = true
				objects[g]++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(objects[of(b)], objects[of(a)]))
	})
	return list
}

// Conclude makes the report of a run.
func Conclude(run Run) Report {
	r := Report{
		Head: run.Head(
			run.Kind,
		), Rules: []RuleCount{}, Findings: []report.Finding{}, Suppressed: []Suppressed{}, Ending: run.Ending,
	}
	all := slices.DeleteFunc(slices.Clone(run.Findings), func(f report.Finding) bool { return !run.Selection.Has(f.Rule) })
	run.Rules.sort(all)
	told, annotated := run.byAnnotation(all)
	told, hidden, idle := suppress(told, run.Suppressions, run.Now)
	if told = run.joined(told); run.PerField {
		told = PerField(told)
	}
	if run.Kinds == 0 {
		told = widestFirst(told)
	}
	r.Findings = append(r.Findings, told...)
	r.Suppressed = append(append(r.Suppressed, annotated...), hidden...)
	slices.SortStableFunc(r.Suppressed, func(a, b Suppressed) int { return run.Rules.Compare(a.Finding, b.Finding) })
	if run.Interrupted == nil {
		r.IdleSuppressions = idle
	}
	r.count(run)
	if run.FailOn != nil {
		failing := *run.FailOn
		for _, f := range r.Findings {
			failing.CountFinding(f)
		}
		r.FailOn = &failing
	}
	return r
}

// byAnnotation separates the findings that annotations of their objects suppress.
func (run Run) byAnnotation(list []report.Finding) (told []report.Finding, hidden []Suppressed) {
	for _, f := range list {
		if matchesAny(run.Ignoring[f.Target], f.Rule) {
			hidden = append(hidden, Suppressed{Finding: f, By: "annotation " + run.Annotation})
			continue
		}
		told = append(told, f)
	}
	return told, hidden
}

// joined has one finding for those of a rule, a manager and a cause, ahead of the others.
func (run Run) joined(list []report.Finding) []report.Finding {
	same := map[[3]string][]report.Finding{}
	key := func(f report.Finding) [3]string { return [3]string{f.Rule, f.Manager, f.Joint} }
	var out []report.Finding
	for _, f := range list {
		if k := key(f); f.Joint == "" || same[k] == nil {
			out = append(out, f)
		}
		same[key(f)] = append(same[key(f)], f)
	}
	for i, f := range out {
		if f.Joint != "" {
			out[i] = run.Join(same[key(f)])
		}
	}
	run.Rules.sort(out)
	return out
}

// PerField makes one finding of those of one object and one field, which are sorted.
func PerField(list []report.Finding) []report.Finding {
	type place struct {
		target report.Target
		field  string
	}
	first := map[place]int{}
	var out []report.Finding
	for _, f := range list {
		at := place{f.Target, f.Field}
		i, known := first[at]
		switch {
		case f.Field == "" || len(f.Fields) > 1:
			out = append(out, f)
		case known:
			out[i] = out[i].And(f)
		default:
			first[at] = len(out)
			out = append(out, f)
		}
	}
	return out
}

func (r *Report) count(run Run) {
	r.Summary = Summary{
		Objects:    run.Objects,
		Manifests:  run.Manifests,
		Kinds:      run.Kinds,
		Suppressed: len(r.Suppressed),
	}
	for _, f := range r.Findings {
		r.Summary.Findings.Count(f.Severity)
		if n := len(r.Rules); n == 0 || r.Rules[n-1].Rule != f.Rule || r.Rules[n-1].Severity != f.Severity {
			r.Rules = append(r.Rules, RuleCount{Rule: f.Rule, Severity: f.Severity, Title: run.Rules.Of(f.Rule).Title})
		}
		r.Rules[len(r.Rules)-1].Findings++
	}
}

// Fails reports whether a finding makes the exit code 1.
func (r Report) Fails(f report.Finding) bool {
	return r.FailOn != nil && r.FailOn.Fails(r.FailOn.FailsBy(f))
}

func place(s report.Source) string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return s.File
}
