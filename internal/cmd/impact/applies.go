package impact

import (
	"context"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

var applyRefused = &effectRule{finding.Rule{
	Name: "apply-refused", Severity: report.SeverityError,
	Title: "The next apply of a field manager is rejected.",
	Why:   "It was accepted before the change, with the same manifest.",
	Fix:   "change the manifest together with the definition",
}, func(e Effect) text.Text {
	return text.New("the next apply of %v is rejected for %v", e.by(), e.field())
}}

var applyChanges = &effectRule{finding.Rule{
	Name: "apply-changes", Severity: report.SeverityWarning,
	Title: "The next apply of an unchanged manifest changes the object.",
	Why:   "It changed nothing before.",
	Fix:   "compare the manifest with what is meant",
}, func(e Effect) text.Text { return text.New("the next apply of %v changes %v", e.by(), e.field()) }}

// applies send once more what each manager applied last, as far as its entry says it:
// an unchanged manifest. Of entries at another version than the object's that is not
// known without a conversion.
func (t *trial) applies() []part {
	var out []part
	for _, e := range managedfields.Of(t.Live).Readable() {
		if e.Operation == managedfields.Apply && e.Subresource != "scale" && e.APIVersion == t.Target.APIVersion && !t.Was.Deduced {
			out = append(out, func(t *trial, ctx context.Context) error { return t.apply(ctx, e) })
		}
	}
	return out
}

func (t *trial) apply(ctx context.Context, e managedfields.Entry) error {
	if t.written.refused() {
		return nil
	}
	body, err := engine.Extract(t.Was.ParseableType, t.Live, e.Set)
	if err != nil {
		return err
	}
	next := *t
	next.kind = gvk.FromAPIVersionAndKind(e.APIVersion, t.kind.Kind)
	answer, err := next.do(ctx, api.Request{Verb: api.Apply, Manager: e.Manager, Subresource: e.Subresource}, body)
	if err != nil {
		return err
	}
	if answer.refused() {
		t.refused(applyRefused, e.Manager, answer)
		return nil
	}
	for _, leaf := range engine.Difference(t.is, t.written.object, answer.object) {
		if name := leaf.Path[0].FieldName; name == nil || *name != "metadata" && *name != "apiVersion" {
			t.effect(Effect{Rule: applyChanges, Field: general(t.is, leaf.Path), Manager: e.Manager, Detail: string(leaf.Kind)})
		}
	}
	return nil
}
