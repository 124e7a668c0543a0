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

// aggregation is the controller that writes the rules of a ClusterRole which is made of
// others (pkg/controller/clusterroleaggregation), where the write changes or owns them. It applies
// with force what the others have:
//
//	the roles of the whole cluster are given   their rules
//	the controller has an entry of the rules   what the live object had, as far as is known
//	some of the roles are given                their rules, but others may be missing
//	none                                       that is not known
func (w Write) aggregation(before *ownership.Object) ([]other, bool) {
	rule := fieldtree.Value(w.Result.Object, "aggregationRule")
	if w.Asked.Kind.GroupKind() != writers.ClusterRoles || rule == nil || w.Result.Manager == writers.Aggregator ||
		!w.touches(".rules") {
		return nil, true
	}
	had, entry := w.aggregated(before)
	rules, selected := w.Roles.Of(w.Asked.Name, rule)
	partial := false
	switch {
	case w.Roles.Whole():
	case entry:
		rules = had
	case selected > 0:
		partial = true
	default:
		return nil, before.Live == nil || reflect.DeepEqual(before.Live["rules"], w.Result.Object["rules"])
	}
	return []other{{manager: writers.Aggregator, partial: partial, next: func(o *ownership.Object) (ownership.Next, bool) {
		has, _ := o.Live["rules"].([]any)
		same := reflect.DeepEqual(has, rules) || len(has) == 0 && len(rules) == 0
		if fieldtree.Value(o.Live, "aggregationRule") == nil || same {
			return ownership.Next{}, false
		}
		apply := o.First(ownership.By(writers.Aggregator)).With(fieldpath.MakePathOrDie("rules"), rules)
		apply.Write.Manager, apply.Write.Subresource, apply.Write.Force = writers.Aggregator, "", true
		return apply.Now(), true
	}}}, true
}

// aggregated are the rules that the live object has by the controller; false where it has no entry of
// them.
func (w Write) aggregated(before *ownership.Object) ([]any, bool) {
	rules, _ := before.Live["rules"].([]any)
	return rules, slices.ContainsFunc(before.Owners().Readable(), func(e managedfields.Entry) bool {
		return e.Manager == writers.Aggregator && managedfields.Covers(e.Set, fieldpath.MakePathOrDie("rules"))
	})
}
