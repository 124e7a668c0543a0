package settle

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
)

// enforcers is the admissions enforcer of AKS, where it has no entry on the object yet, and
// other objects of the inputs show it: it adds its terms to the selector of each webhook. What
// it has an entry for, that says.
func (w Write) enforcers(before *ownership.Object) ([]other, bool) {
	terms := w.Enforced.Terms
	wrote := func() bool {
		return slices.ContainsFunc(before.Owners().Readable(), func(e managedfields.Entry) bool {
			return e.Manager == writers.Enforcer
		})
	}
	if len(terms) == 0 || !writers.IsWebhookConfiguration(w.Asked.Kind.GroupKind()) ||
		w.Result.Manager == writers.Enforcer || disabled(writers.Enforcer, w.Result.Object) || wrote() {
		return nil, true
	}
	return []other{{manager: writers.Enforcer, partial: w.Enforced.Guessed,
		next: func(o *ownership.Object) (ownership.Next, bool) {
			var body any = o.Live
			differs := false
			for _, path := range selectorPaths(o) {
				has, _ := value(o.Shape, o.Live, path).([]any)
				if all := withTerms(has, terms); len(all) > len(has) {
					body, differs = fieldtree.With(o.Shape, body, path, all), true
				}
			}
			object, _ := body.(map[string]any)
			if !differs {
				return ownership.Next{}, false
			}
			return update(o, writers.Enforcer, "", object)
		}}}, true
}

// selectorPaths are the match expressions of the namespaces of each webhook.
func selectorPaths(o *ownership.Object) (out []fieldpath.Path) {
	hooks, _ := o.Live["webhooks"].([]any)
	for _, hook := range hooks {
		if element, ok := o.Shape.Field("webhooks").Element(hook); ok {
			out = append(out, append(fieldpath.MakePathOrDie("webhooks"), element,
				fieldpath.FieldNameElement("namespaceSelector"), fieldpath.FieldNameElement("matchExpressions")))
		}
	}
	return out
}

// withTerms are match expressions with those that they lack.
func withTerms(has, terms []any) []any {
	out := slices.Clone(has)
	for _, term := range terms {
		if !slices.ContainsFunc(has, func(one any) bool { return reflect.DeepEqual(one, term) }) {
			out = append(out, term)
		}
	}
	return out
}
