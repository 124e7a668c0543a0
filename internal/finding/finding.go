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
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Finding is one thing that is wrong with one object, or with one file where
// Target is empty.
type Finding struct {
	Rule     string          `json:"rule" secret:"public"`
	Severity report.Severity `json:"severity"`
	Target   report.Target   `json:"target"`
	// Source is where the object starts; of what is wrong with a manifest,
	// the line of the manifest.
	Source report.Source `json:"source"`
	// Field is the field path that it is about, the first of Fields; empty
	// where it is about the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fields are all field paths that it is about, sorted. They may be cut:
	// Message counts them.
	Fields []string `json:"fields,omitempty" secret:"path"`
	// Manager is the field manager that it is about; may be empty.
	Manager string `json:"manager,omitempty" secret:"public"`
	// Cause is the same for findings on one manager that are reported as one; empty for
	// others.
	Cause string `json:"-" secret:"public"`
	// Policy is the rule of a policy that forbids it; nil for other findings.
	Policy *report.Source `json:"policy,omitempty"`
	// Objects are the live objects that it is about, where that is not Target; they may
	// be cut: Message counts them.
	Objects []report.Target `json:"objects,omitempty"`
	// Message says who and what, in a clause.
	Message text.Text `json:"message"`
	// Also is what other rules find on the same field; nil for nothing.
	Also []Aside `json:"also,omitempty"`
	// Why says why it matters.
	Why string `json:"why" secret:"public"`
	// Fixes are ways to fix it, the best one first.
	Fixes []Fix `json:"fixes"`
	// InClient are settings of the client that applies, which fix it; empty for a client
	// whose settings are not known.
	InClient []report.ClientFix `json:"inClient,omitempty"`
}

// Aside is what another rule finds on the field of a finding.
type Aside struct {
	Rule     string          `json:"rule" secret:"public"`
	Severity report.Severity `json:"severity"`
	Message  text.Text       `json:"message"`
}

// and is the finding with another on the same field beside it.
func (f Finding) and(other Finding) Finding {
	f.Also = append(append(slices.Clone(f.Also), Aside{other.Rule, other.Severity, other.Message}), other.Also...)
	for _, fix := range other.Fixes {
		same := func(own Fix) bool { return own.Does.String() == fix.Does.String() }
		if !slices.ContainsFunc(f.Fixes, same) {
			f.Fixes = append(slices.Clone(f.Fixes), fix)
		}
	}
	return f
}

// Fix is a way to fix a finding.
type Fix struct {
	// Command is the command line for a POSIX shell; absent where something is to be edited.
	Command shell.Line `json:"command,omitzero" secret:"ours"`
	// Does says what the command does, or what to edit.
	Does text.Text `json:"does"`
}

// MaxFields is how many field paths a finding lists.
const MaxFields = 50

// About gives the finding with the field paths that it is about.
func (f Finding) About(fields ...string) Finding {
	f.Fields = slices.Clone(fields[:min(len(fields), MaxFields)])
	if len(fields) > 0 {
		f.Field = fields[0]
	}
	return f
}

// Compare orders findings by severity, rule, object and place.
func (r Rules) Compare(a, b Finding) int {
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

func (r Rules) sort(list []Finding) { slices.SortStableFunc(list, r.Compare) }

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
	Finding Finding `json:"finding"`
	// By is the place of the suppression, or the annotation.
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
}

// Fits reports whether the suppression is for a finding.
func (s Suppression) Fits(f Finding) bool {
	return fits(s.Rule, f.Rule) && fits(s.Namespace, f.Target.Namespace) && fits(s.Name, f.Target.Name) && s.fitsKind(f) && s.fitsField(f)
}

// Expired reports whether the last day is over.
func (s Suppression) Expired(now time.Time) bool {
	return !s.Expires.IsZero() && !now.Before(s.Expires.AddDate(0, 0, 1))
}

func (s Suppression) fitsKind(f Finding) bool {
	kind := f.Target.Kind
	if group, _, ok := strings.Cut(f.Target.APIVersion, "/"); ok {
		if fits(s.Kind, kind+"."+group) {
			return true
		}
	}
	return fits(s.Kind, kind)
}

// fitsField asks for all fields of a finding to be suppressed.
func (s Suppression) fitsField(f Finding) bool {
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
func suppress(list []Finding, by []Suppression, now time.Time) (told []Finding, hidden []Suppressed, idle []Idle) {
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
