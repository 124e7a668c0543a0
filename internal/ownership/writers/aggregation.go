package writers

import (
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// Aggregator is the field manager of the controller that writes the rules of ClusterRoles which
// are made of others (pkg/controller/clusterroleaggregation).
const Aggregator = "clusterrole-aggregation-controller"

// ClusterRoles is their kind.
var ClusterRoles = schema.GroupKind{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}

// Roles are the ClusterRoles of the inputs, from which others are put together. The zero value has none.
type Roles struct{ byName map[string]role }

type role struct {
	labels labels.Set
	rules  []any
}

// ownRoles are some that every server makes: inputs with all of them have those of a whole cluster.
var ownRoles = []string{"admin", "cluster-admin", "edit", "view"}

// Add adds a ClusterRole, in the place of one of its name.
func (r *Roles) Add(object map[string]any) {
	if r.byName == nil {
		r.byName = map[string]role{}
	}
	one := role{labels: labels.Set{}}
	has, _ := fieldtree.Value(object, "metadata", "labels").(map[string]any)
	for key, v := range has {
		one.labels[key], _ = v.(string)
	}
	one.rules, _ = object["rules"].([]any)
	r.byName[nameOf(object)] = one
}

// Whole reports whether the roles are those of a whole cluster, as far as that can be seen.
func (r Roles) Whole() bool {
	return !slices.ContainsFunc(ownRoles, func(name string) bool { _, has := r.byName[name]; return !has })
}

// Of are the rules of a ClusterRole that is made of others, as the controller puts them together:
// those of each role that one of the selectors matches, by their names, each rule once. Selected is
// how many roles they are of; a selector that cannot be read matches none.
func (r Roles) Of(name string, aggregationRule any) (rules []any, selected int) {
	rules = []any{}
	rule, _ := aggregationRule.(map[string]any)
	selectors, _ := rule["clusterRoleSelectors"].([]any)
	for _, one := range selectors {
		matches := selectorOf(one)
		for _, other := range r.names() {
			if other == name || !matches.Matches(r.byName[other].labels) {
				continue
			}
			selected++
			for _, add := range r.byName[other].rules {
				if !slices.ContainsFunc(rules, func(has any) bool { return reflect.DeepEqual(has, add) }) {
					rules = append(rules, add)
				}
			}
		}
	}
	return rules, selected
}

func (r Roles) names() []string { return slices.Sorted(maps.Keys(r.byName)) }

func selectorOf(v any) labels.Selector {
	object, _ := v.(map[string]any)
	var selector metav1.LabelSelector
	if object == nil || runtime.DefaultUnstructuredConverter.FromUnstructured(object, &selector) != nil {
		return labels.Nothing()
	}
	out, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		return labels.Nothing()
	}
	return out
}
