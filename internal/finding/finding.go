// Package finding is what commands that find faults have in common: a rule, a finding, how
// findings are suppressed, and the report of a run.
//
//	rule.go      rules, and which of them count
//	finding.go   what a rule found, how to fix it, and what is not to be reported
//	report.go    the answer
//
// A rule stands with its check and its sentences in the package of its command.
package finding

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// Compare orders findings by severity, rule, object and place.
func (r Rules) Compare(a, b report.Finding) int {
	order := cmp.Or(
		cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		cmp.Compare(r.Index(a.Rule), r.Index(b.Rule)),
		compareTargets(a.Target, b.Target),
		cmp.Compare(a.Source.File, b.Source.File),
		cmp.Compare(a.Source.Document, b.Source.Document),
		cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Manager, b.Manager),
	)
	if order != 0 {
		return order
	}
	return cmp.Compare(a.Message.String(), b.Message.String())
}

func compareTargets(a, b report.Target) int {
	return cmp.Or(
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion),
	)
}

func (r Rules) sort(list []report.Finding) { slices.SortStableFunc(list, r.Compare) }

// Suppression says which findings are not to be reported. In every text but the
// reason, * stands for anything; an empty one fits all.
type Suppression struct {
	Rule string `json:"rule"`
	// Kind is the kind, or KIND.GROUP.
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Field     string `json:"field,omitempty"`
	Reason    string `json:"reason,omitempty"`
	// Expires is the last day on which it counts; zero means for ever.
	Expires time.Time `json:"-"`
	// Source is where it stands.
	Source report.Source `json:"source"`
}

// Suppressed is a finding that is not told, and why.
type Suppressed struct {
	Finding report.Finding `json:"finding"`
	// By is the place of the suppression, or the annotation.
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
}

// Fits reports whether the suppression is for a finding.
func (s Suppression) Fits(f report.Finding) bool {
	return fits(s.Rule, f.Rule) && fits(s.Namespace, f.Target.Namespace) && fits(s.Name, f.Target.Name) && s.fitsKind(f) &&
		s.fitsField(f)
}

// Expired reports whether the last day is over.
func (s Suppression) Expired(now time.Time) bool {
	return !s.Expires.IsZero() && !now.Before(s.Expires.AddDate(0, 0, 1))
}

func (s Suppression) fitsKind(f report.Finding) bool {
	kind := f.Target.Kind
	if group, _, ok := strings.Cut(f.Target.APIVersion, "/"); ok {
		if fits(s.Kind, kind+"."+group) {
			return true
		}
	}
	return fits(s.Kind, kind)
}

// fitsField asks for all fields of a finding to be suppressed.
func (s Suppression) fitsField(f report.Finding) bool {
	if s.Field == "" {
		return true
	}
	return len(f.Fields) > 0 && !slices.ContainsFunc(f.Fields, func(field string) bool { return !fits(s.Field, field) })
}

func fits(pattern, s string) bool { return pattern == "" || fieldpattern.Glob(pattern, s) }

// Ignored are the rules that are not to be reported of an object: names or patterns,
// separated by commas, in an annotation of it.
func Ignored(object map[string]any, annotation string) []string {
	text, _ := fieldtree.Value(object, "metadata", "annotations", annotation).(string)
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// suppress parts findings into those to tell and those not to, and gives the
// suppressions that fitted none.
func suppress(
	list []report.Finding,
	by []Suppression,
	now time.Time,
) (told []report.Finding, hidden []Suppressed, idle []Idle) {
	used := make([]bool, len(by))
	for _, f := range list {
		i := slices.IndexFunc(by, func(s Suppression) bool { return !s.Expired(now) && s.Fits(f) })
		if i < 0 {
			told = append(told, f)
			continue
		}
		used[i] = true
		hidden = append(hidden, Suppressed{Finding: f, By: place(by[i].Source), Reason: by[i].Reason})
	}
	for i, s := range by {
		switch {
		case s.Expired(now):
			idle = append(idle, Idle{Suppression: s, Why: "expired on " + s.Expires.Format(time.DateOnly)})
		case !used[i]:
			idle = append(idle, Idle{Suppression: s, Why: "fits no finding"})
		}
	}
	return told, hidden, idle
}
