package impact

import (
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/report"
)

// Fates are the effects on all live objects. However many objects there are, each effect
// is kept once.
type Fates struct {
	order []fateKey
	by    map[fateKey]*fate
}

type fateKey struct {
	kind gvk.GroupKind
	Effect
}

// fate is an effect with the objects that have it.
type fate struct {
	Effect
	n     int
	first []report.Target
}

// Add notes the effects on an object.
func (f *Fates) Add(target report.Target, effects []Effect) {
	if f.by == nil {
		f.by = map[fateKey]*fate{}
	}
	kind := gvk.FromAPIVersionAndKind(target.APIVersion, target.Kind).GroupKind()
	for _, e := range effects {
		key := fateKey{kind, e}
		key.Detail = ""
		if f.by[key] == nil {
			f.by[key] = &fate{Effect: e}
			f.order = append(f.order, key)
		}
		at := f.by[key]
		at.n++
		if len(at.first) < findings.MaxFields {
			at.first = append(at.first, target)
		}
	}
}

// Of are the findings on a kind: one for each effect, at the line of the new definition
// that has the field.
func (f *Fates) Of(k Kind) []findings.Finding {
	s := &subject{Kind: k}
	var out []findings.Finding
	for _, key := range f.order {
		if key.kind == k.GroupKind {
			out = append(out, s.fate(*f.by[key]))
		}
	}
	return out
}

func (s *subject) fate(f fate) findings.Finding {
	c := change{rule: f.Rule, severity: rules.Of(f.Rule).Severity, fact: report.Fact{Kind: fateKinds[f.Rule], Manager: f.Manager, Text: f.Detail, Count: f.n}}
	if v := versionOf(f.first[0].APIVersion); f.Field != "" {
		c.source = s.lineOf(v, f.Field)
	}
	out := s.finding(c)
	out.Manager, out.Objects = f.Manager, f.first
	if f.Field != "" {
		out = out.About(f.Field)
	}
	if s.builtin() {
		out.Target.APIVersion = f.first[0].APIVersion
	}
	return out
}

// fateKinds map a rule to its effect.
var fateKinds = map[string]FactKind{
	KindRemoved:      Unserved,
	VersionNamed:     EntryFails,
	WriteRefused:     WritesFail,
	ApplyRefused:     ApplyFails,
	EntryLost:        EntryGoes,
	DataPruned:       Pruned,
	OwnerWidened:     Widens,
	OwnerUnprotected: Unprotects,
	ApplyChanges:     ApplyAlters,
	ObjectInvalid:    Invalid,
	ObjectDefaulted:  FilledIn,
}

// versionOf is the version of an API version.
func versionOf(apiVersion string) string {
	return apiVersion[strings.LastIndex(apiVersion, "/")+1:]
}

// Unsimulated are objects that were not simulated, or only in part, and why, each
// reason once.
type Unsimulated struct{ list []report.Fact }

// Add adds an object that was not simulated.
func (u *Unsimulated) Add(kind string, err error) {
	reason, _, _ := strings.Cut(err.Error(), "\n")
	u.add(report.Fact{Kind: NotSimulated, Text: kind, Is: reason})
}

// AddConversion notes one that a webhook converts.
func (u *Unsimulated) AddConversion(kind string, c Conversion) {
	u.add(report.Fact{Kind: ByWebhook, Text: kind, Version: c.Written, At: c.Stored})
}

func (u *Unsimulated) add(fact report.Fact) {
	for i, f := range u.list {
		if f.Kind == fact.Kind && f.Text == fact.Text && f.Is == fact.Is && f.Version == fact.Version && f.At == fact.At {
			u.list[i].Count++
			return
		}
	}
	fact.Count = 1
	u.list = append(u.list, fact)
}

// Facts are what was not simulated, in the order in which it was noted.
func (u *Unsimulated) Facts() []report.Fact { return u.list }
