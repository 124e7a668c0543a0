package impact

import (
	"fmt"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
)

// Fates are what becomes of all live objects: as many as there are, each effect is
// kept once.
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
	c := change{rule: f.Rule, severity: rules.Of(f.Rule).Severity, what: f.says(), fix: fateFix[f.Rule]}
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

// says what becomes of whom, and how many objects have that.
func (f fate) says() string {
	field := f.Field
	if field == "" {
		field = "the object"
	}
	text := map[string]string{
		KindRemoved:      "the kind is no longer served",
		VersionNamed:     fmt.Sprintf("the entry of %s makes every write fail", f.Manager),
		WriteRefused:     field + " makes every write fail",
		ApplyRefused:     fmt.Sprintf("the next apply of %s is rejected for %s", f.Manager, field),
		EntryLost:        fmt.Sprintf("the entry of %s is dropped", f.Manager),
		DataPruned:       field + " is dropped",
		OwnerWidened:     fmt.Sprintf("%s comes to own all of %s", f.Manager, field),
		OwnerUnprotected: fmt.Sprintf("%s no longer protects what it owns in %s", f.Manager, field),
		ApplyChanges:     fmt.Sprintf("the next apply of %s changes %s", f.Manager, field),
		ObjectInvalid:    field + " is invalid",
		ObjectDefaulted:  field + " is filled in",
	}[f.Rule]
	if f.Detail != "" {
		text += " (" + f.Detail + ")"
	}
	return fmt.Sprintf("%s: %s, such as %s", text, count(f.n, "live object"), f.some())
}

// few objects are named in a sentence.
const few = 3

func (f fate) some() string {
	var out []string
	for _, t := range f.first[:min(len(f.first), few)] {
		out = append(out, strings.TrimPrefix(t.Namespace+"/"+t.Name, "/"))
	}
	return strings.Join(out, ", ")
}

var fateFix = map[string]string{
	KindRemoved:      "save the objects first, or keep the definition",
	VersionNamed:     program.In("have the manager write at a version that stays, or take its entry out (ssactl clear), before the change"),
	WriteRefused:     "repair the objects before the change",
	ApplyRefused:     "change the manifest together with the definition",
	EntryLost:        "have the manager apply at a version that stays, before the change",
	DataPruned:       "move the data to a field that stays, before the change",
	OwnerWidened:     "let one manager own the field, and take it out of the manifests of all others",
	OwnerUnprotected: "have the manager apply its unchanged manifest right after the change, before anybody else writes",
	ApplyChanges:     "compare the manifest with what is meant",
	ObjectInvalid:    "repair the objects, best before the change",
}

// versionOf is the version of an API version.
func versionOf(apiVersion string) string {
	return apiVersion[strings.LastIndex(apiVersion, "/")+1:]
}

// Unsimulated are objects of which nothing could be said, or not all, and why, each
// reason once.
type Unsimulated struct{ n map[string]int }

// Add notes one of which nothing is known.
func (u *Unsimulated) Add(kind string, err error) {
	u.add("could not be simulated: " + kind + ": " + firstLine(err.Error()))
}

// AddConversion notes one that a webhook converts.
func (u *Unsimulated) AddConversion(kind, versions string) {
	u.add(fmt.Sprintf("of kind %s: a webhook converts between %s; that was not simulated", kind, versions))
}

func (u *Unsimulated) add(reason string) {
	if u.n == nil {
		u.n = map[string]int{}
	}
	u.n[reason]++
}

// Notices say it, sorted.
func (u *Unsimulated) Notices() []string {
	var out []string
	for reason, n := range u.n {
		out = append(out, count(n, "live object")+" "+reason)
	}
	slices.Sort(out)
	return out
}
