package settle

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
)

const aggregator = "clusterrole-aggregation-controller"

// aggregation is the controller that writes the rules of a ClusterRole which is made of
// others (pkg/controller/clusterroleaggregation), where the write changes them. It applies
// with force what the others have, which is what the live object had. Where the controller
// has no entry of them, it may not be at work, or what the others have is what was written: it
// is false then.
func (w Write) aggregation(before *ownership.Object) ([]other, bool) {
	kind := w.Asked.Kind
	rules, had := before.Live["rules"]
	aggregated := kind.Kind == "ClusterRole" && kind.Group == "rbac.authorization.k8s.io" &&
		fieldtree.Value(before.Live, "aggregationRule") != nil
	if !aggregated || !had || w.Result.Manager == aggregator || reflect.DeepEqual(rules, w.Result.Object["rules"]) {
		return nil, true
	}
	if !slices.ContainsFunc(before.Owners().Readable(), func(e managedfields.Entry) bool {
		return e.Manager == aggregator && managedfields.Covers(e.Set, fieldpath.MakePathOrDie("rules"))
	}) {
		return nil, false
	}
	return []other{{manager: aggregator, next: func(o *ownership.Object) (ownership.Next, bool) {
		if fieldtree.Value(o.Live, "aggregationRule") == nil || reflect.DeepEqual(o.Live["rules"], rules) {
			return ownership.Next{}, false
		}
		apply := o.First(ownership.By(aggregator)).With(fieldpath.MakePathOrDie("rules"), rules)
		apply.Write.Manager, apply.Write.Subresource, apply.Write.Force = aggregator, "", true
		return apply.Now(), true
	}}}, true
}
