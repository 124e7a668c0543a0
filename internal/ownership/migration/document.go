package migration

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
)

// DocumentKind is the kind of the document that a run fills.
const DocumentKind = "Migration"

// Document is one run: a Migration for each object, in their order.
type Document = report.Document[Summary, Migration]

// Summary counts a run.
type Summary struct {
	Total       int `json:"total"`
	Migrates    int `json:"migrates"`
	NothingToDo int `json:"nothingToDo"`
	Blocked     int `json:"blocked"`
	Failed      int `json:"failed"`
	// Managers counts, by manager that objects are migrated from, the objects;
	// the most frequent first.
	Managers []ManagerCount `json:"managers"`
	// Targets counts the objects by who gets the fields.
	Targets []ManagerCount `json:"targets"`
	// Rules counts the objects with a finding of a rule, by rule.
	Rules []RuleCount `json:"rules"`
	// Conflicting counts the objects whose next apply conflicts, before and
	// after: those to migrate, and those with nothing to migrate whose manifest
	// is given.
	ConflictingBefore int `json:"conflictingBefore"`
	ConflictingAfter  int `json:"conflictingAfter"`
}

// ManagerCount is how many objects a manager is found on.
type ManagerCount struct {
	Manager string `json:"manager" secret:"public"`
	Objects int    `json:"objects"`
}

// RuleCount is how many objects have a finding.
type RuleCount struct {
	Rule     string          `json:"rule" secret:"public"`
	Severity report.Severity `json:"severity"`
	Objects  int             `json:"objects"`
}

// NewDocument counts the migrations, which it keeps in their order.
func NewDocument(run report.Run, objects []Migration) Document {
	return Document{
		Head:    run.Head(DocumentKind),
		Summary: summarize(objects),
		Objects: report.List(objects),
		Ending:  run.Ending,
	}
}

func summarize(objects []Migration) Summary {
	s := Summary{Total: len(objects)}
	managers, targets, rules := map[string]int{}, map[string]int{}, map[RuleCount]int{}
	for _, m := range objects {
		seen := map[any]bool{}
		for _, f := range m.Findings {
			if rule := (RuleCount{Rule: f.Rule, Severity: f.Severity}); !seen[rule] {
				seen[rule] = true
				rules[rule]++
			}
		}
		switch m.Verdict {
		case NothingToDo:
			s.NothingToDo++
		case Blocked:
			s.Blocked++
		case Failed:
			s.Failed++
		case Migrates:
			s.Migrates++
			targets[m.To.Manager]++
			for _, b := range m.Evidence {
				if b.Migrated && !seen[b.Manager] {
					seen[b.Manager] = true
					managers[b.Manager]++
				}
			}
		}
		if m.Next != nil && m.Next.Before.Outcome == report.Conflicted {
			s.ConflictingBefore++
		}
		if m.Next != nil && m.Next.After.Outcome == report.Conflicted {
			s.ConflictingAfter++
		}
	}
	s.Managers, s.Targets, s.Rules = counts(managers), counts(targets), ruleCounts(rules)
	return s
}

func counts(of map[string]int) []ManagerCount {
	out := []ManagerCount{}
	for name, n := range of {
		out = append(out, ManagerCount{name, n})
	}
	slices.SortFunc(out, func(a, b ManagerCount) int {
		return cmp.Or(cmp.Compare(b.Objects, a.Objects), cmp.Compare(a.Manager, b.Manager))
	})
	return out
}

func ruleCounts(of map[RuleCount]int) []RuleCount {
	out := []RuleCount{}
	for r, n := range of {
		r.Objects = n
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

// Missing are the names of From that no object has an entry of, in their
// order. Without objects, none is missing.
func Missing(objects []Migration, from []string) []string {
	if len(objects) == 0 {
		return nil
	}
	found := map[string]bool{}
	for _, m := range objects {
		for _, e := range m.Before {
			found[e.Manager] = true
		}
		if m.Verdict == Failed {
			return nil
		}
	}
	return slices.DeleteFunc(slices.Clone(from), func(name string) bool { return found[name] })
}
