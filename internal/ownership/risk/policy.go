package risk

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// maxForbidden is how many fields of one rule are risks of their own.
const maxForbidden = 5

// Forbidden adds to risks what a policy forbids: ownership that the manager has after
// the write and had not before. Of an apply that conflicts, that is what it would own
// with force. The object says what is known of its kind; the locator may be nil.
func Forbidden(risks []report.Risk, r report.Result, p policy.Policy, o policy.Object, at report.Locator) []report.Risk {
	o.Live = r.Object
	if r.Forced != nil {
		o.Live = r.Forced.Object
	}
	if o.Live == nil || r.Deleted {
		return risks
	}
	f := finder{Result: r}
	role := managedfields.Role{Manager: r.Manager, Operation: f.entryOperation(), Subresource: r.Target.Subresource}
	violations := p.Added(o, role, managedfields.Of(r.Live), managedfields.Of(o.Live))
	if violations == nil {
		return risks
	}
	out := slices.Clone(risks)
	for _, v := range violations {
		out = append(out, f.forbidden(v, at)...)
	}
	return settled(out)
}

// forbidden are the fields of a violation; of many, the rest are one risk.
func (f *finder) forbidden(v policy.Violation, at report.Locator) []report.Risk {
	var out []report.Risk
	for i, path := range v.Paths {
		rest := len(v.Paths) - i
		if i == maxForbidden && rest > 1 {
			return append(out, f.against(v, "", text.New("%v would own %v", text.By(f.Manager), text.Count(rest, "more field"))))
		}
		risk := f.against(v, path.String(), f.wouldOwn(path.String()))
		risk.Source = sourceAt(at, path)
		out = append(out, risk)
	}
	return out
}

func (f *finder) against(v policy.Violation, field string, says text.Text) report.Risk {
	place := v.Rule.Source
	return report.Risk{Rule: ForbiddenOwner, Severity: v.Rule.Severity, Field: field, Manager: f.Manager, Message: text.New("%v: %v", says, v.Rule.Says()), Policy: &place}
}

// wouldOwn says of one field from whom force takes it.
func (f *finder) wouldOwn(field string) text.Text {
	transfers := f.Transfers
	if f.Forced != nil {
		transfers = f.Forced.Transfers
	}
	for _, t := range transfers {
		if t.Field == field && t.Kind == report.Overridden {
			return text.New("%v would own the field, taken from %v", text.By(f.Manager), text.By(t.Manager))
		}
	}
	return text.New("%v would own the field", text.By(f.Manager))
}

// sourceAt is the line of the manifest that asks for a field; nil for none.
func sourceAt(at report.Locator, path fieldpath.Path) *report.Source {
	if at == nil {
		return nil
	}
	if source, ok := at.Line(path); ok {
		return &source
	}
	return nil
}
