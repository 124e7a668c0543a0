package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

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
