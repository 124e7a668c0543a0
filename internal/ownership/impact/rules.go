package impact

import (
	"path"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// ReportKind is the kind of the report document.
const ReportKind = "SchemaImpactReport"

// Rules are all of them, from the worst to the least.
func Rules() finding.Rules {
	return finding.Rules{
		definitionRejected, kindRemoved, versionRemoved, versionNamed.Rule, writeRefused.Rule,
		dataPruned.Rule, applyRefused.Rule, entryLost.Rule,

		becomesAtomic, becomesGranular, listTypeChanged, listKeysChanged, ownerWidened.Rule,
		ownerUnprotected.Rule, applyChanges.Rule, objectInvalid.Rule, fieldRemoved, typeChanged,
		unknownPruned, validationTightened, defaultChanged, defaultInAtomic, subresourceChanged,
		conversionChanged,

		defaultAdded, defaultRemoved, objectDefaulted.Rule, unknownKept, storageChanged,
		namesChanged, versionAdded, fieldAdded,
	}
}

// Effects are the effects on all live objects. However many objects there are, each effect
// is kept once.
type Effects struct {
	order []effectKey
	by    map[effectKey]*sharedEffect
	// asked and passed are how many objects were asked about, and how many were not.
	asked, passed int
}

type effectKey struct {
	kind gvk.GroupKind
	Effect
}

// sharedEffect is an effect with the objects that have it.
type sharedEffect struct {
	Effect
	n     int
	first []report.Target
}

// Add notes the effects on an object.
func (f *Effects) Add(target report.Target, effects []Effect) {
	f.asked++
	if f.by == nil {
		f.by = map[effectKey]*sharedEffect{}
	}
	kind := gvk.FromAPIVersionAndKind(target.APIVersion, target.Kind).GroupKind()
	for _, e := range effects {
		key := effectKey{kind, e}
		key.Detail = ""
		if f.by[key] == nil {
			f.by[key] = &sharedEffect{Effect: e}
			f.order = append(f.order, key)
		}
		at := f.by[key]
		at.n++
		if len(at.first) < report.MaxFields {
			at.first = append(at.first, target)
		}
	}
}

// Pass notes an object that is not asked about.
func (f *Effects) Pass() { f.passed++ }

// Of are the findings on a kind: one for each effect, at the line of the new definition
// that has the field.
func (f *Effects) Of(k Kind) []report.Finding {
	s := &subject{Kind: k}
	var out []report.Finding
	for _, key := range f.order {
		if key.kind != k.GroupKind {
			continue
		}
		of := f.by[key]
		c := change{rule: of.Rule.Rule, severity: of.Rule.Severity, says: of.message()}
		if of.Field != "" {
			c.fields, c.source = []string{of.Field}, s.lineOf(path.Base(of.first[0].APIVersion), of.Field)
		}
		found := s.finding(c)
		found.Manager, found.Objects = of.Manager, of.first
		if s.builtin() {
			found.Target.APIVersion = of.first[0].APIVersion
		}
		out = append(out, found)
	}
	return out
}

// mostNames is how many objects a sentence names.
const mostNames = 3

// message is the effect on live objects, with a few names.
func (f sharedEffect) message() text.Text {
	says := f.Rule.says(f.Effect)
	if f.Detail != "" {
		says = text.New("%v (%v)", says, text.Said(f.Detail))
	}
	var names []text.Text
	for _, t := range f.first[:min(len(f.first), mostNames)] {
		names = append(names, text.New("%v", text.Name(strings.TrimPrefix(t.Namespace+"/"+t.Name, "/"))))
	}
	return text.New("%v: %v, such as %v", says, text.Count(f.n, "live object"), text.Join(names, ", "))
}
