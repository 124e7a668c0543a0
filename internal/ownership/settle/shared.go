package settle

import (
	"reflect"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
)

const aggregator = "clusterrole-aggregation-controller"

// aggregation is the controller that writes the rules of a ClusterRole which is made of
// others (pkg/controller/clusterroleaggregation), where the write changes them. It applies
// with force what the others have, which is what the live object had.
func (w Write) aggregation(before *ownership.Object) []other {
	kind := w.Asked.Kind
	rules, had := before.Live["rules"]
	aggregated := kind.Kind == "ClusterRole" && kind.Group == "rbac.authorization.k8s.io" &&
		fieldtree.Value(before.Live, "aggregationRule") != nil
	if !aggregated || !had || w.Result.Manager == aggregator || reflect.DeepEqual(rules, w.Result.Object["rules"]) {
		return nil
	}
	return []other{{manager: aggregator, next: func(o *ownership.Object) (ownership.Next, bool) {
		if fieldtree.Value(o.Live, "aggregationRule") == nil || reflect.DeepEqual(o.Live["rules"], rules) {
			return ownership.Next{}, false
		}
		apply := o.First(ownership.By(aggregator)).With(fieldpath.MakePathOrDie("rules"), rules)
		apply.Write.Manager, apply.Write.Subresource, apply.Write.Force = aggregator, "", true
		return apply.Now(), true
	}}}
}

// tracking is how a client marks the objects that one of its settings has: by which field,
// and how the name of the setting stands in it.
type tracking struct {
	kind, field string
	name        func(mark string) string
}

var trackings = []tracking{
	{"Application", ".metadata.annotations.argocd.argoproj.io/tracking-id", func(mark string) string {
		name, _, _ := strings.Cut(mark, ":")
		if _, plain, qualified := strings.Cut(name, "_"); qualified {
			return plain
		}
		return name
	}},
	{"Application", ".metadata.labels.app.kubernetes.io/instance", strings.Clone},
	{"Kustomization", ".metadata.labels.kustomize.toolkit.fluxcd.io/name", strings.Clone},
}

// rivals is the same client with another of its settings, which the live object is marked
// with and which the inputs have: it applies what its entry has, with force.
func (w Write) rivals(before *ownership.Object) []other {
	for _, c := range w.Result.Changes {
		for _, t := range trackings {
			was, _ := c.Before.(string)
			is, _ := c.After.(string)
			name := t.name(was)
			if c.Field != t.field || was == "" || is == "" || name == t.name(is) || !w.Has(t.kind, name) {
				continue
			}
			for _, e := range before.Owners().Readable() {
				if e.Manager != w.Result.Manager || e.Operation != managedfields.Apply || e.Subresource != "" {
					continue
				}
				applied, err := before.Last(e)
				if err != nil {
					return nil
				}
				return []other{
					{manager: e.Manager, by: t.kind + " " + name, next: func(o *ownership.Object) (ownership.Next, bool) {
						again := applied
						again.Write.Force = true
						return again.To(o.Live), true
					}},
				}
			}
		}
	}
	return nil
}
