package impact

import (
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
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
		if len(at.first) < finding.MaxFields {
			at.first = append(at.first, target)
		}
	}
}

// Of are the findings on a kind: one for each effect, at the line of the new definition
// that has the field.
func (f *Fates) Of(k Kind) []finding.Finding {
	s := &subject{Kind: k}
	var out []finding.Finding
	for _, key := range f.order {
		if key.kind == k.GroupKind {
			out = append(out, s.fate(*f.by[key]))
		}
	}
	return out
}

func (s *subject) fate(f fate) finding.Finding {
	c := change{rule: f.Rule.Rule, severity: f.Rule.Severity, says: f.message()}
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

// mostNames is how many objects a sentence names.
const mostNames = 3

// message is the effect on live objects, with a few names.
func (f fate) message() text.Text {
	says := f.Rule.says(f.Effect)
	if f.Detail != "" {
		says = text.New("%v (%v)", says, text.Said(f.Detail))
	}
	var names []string
	for _, t := range f.first[:min(len(f.first), mostNames)] {
		names = append(names, strings.TrimPrefix(t.Namespace+"/"+t.Name, "/"))
	}
	return text.New("%v: %v, such as %v", says, text.Count(f.n, "live object"), text.Name(strings.Join(names, ", ")))
}

// versionOf is the version of an API version.
func versionOf(apiVersion string) string {
	return apiVersion[strings.LastIndex(apiVersion, "/")+1:]
}
