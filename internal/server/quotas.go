package server

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/quota/v1/install"
)

// quotas is upstream's check of a request against the ResourceQuotas of its
// namespace (apiserver, pkg/admission/plugin/resourcequota), without the queue
// that bundles requests there: what counts are status.hard and status.used of
// each, as they are known.
type quotas struct {
	*admission.Handler
	given    *givenObjects
	measures func() (measures, error)
}

var _ admission.ValidationInterface = (*quotas)(nil)

func newQuotas(given *givenObjects) *quotas {
	return &quotas{
		Handler:  admission.NewHandler(admission.Create, admission.Update),
		given:    given,
		measures: sync.OnceValues(func() (measures, error) { return newMeasures(given) }),
	}
}

// measures say how much of a quota an object takes.
type measures struct {
	registry quota.Registry
	ignored  map[schema.GroupResource]struct{}
}

func newMeasures(given *givenObjects) (measures, error) {
	configuration, err := install.NewQuotaConfigurationForAdmission(given.informers, nil)
	if err != nil {
		return measures{}, err
	}
	return measures{generic.NewRegistry(configuration.Evaluators()), configuration.IgnoredResources()}, nil
}

// of gives the measure of a resource: one that only counts objects where there is
// no other; nil for what no quota counts.
func (m measures) of(resource schema.GroupResource) quota.Evaluator {
	if _, ignored := m.ignored[resource]; ignored {
		return nil
	}
	if found := m.registry.Get(resource); found != nil {
		return found
	}
	return generic.NewObjectCountEvaluator(resource, nil, "")
}

// Validate refuses a request that exceeds a quota, and notes what an accepted one
// uses. If several are exceeded, it names the first by
// name; a server names any.
func (q *quotas) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	known, err := q.measures()
	if err != nil {
		return err
	}
	measure := known.of(a.GetResource().GroupResource())
	if !inNamespace(a) || measure == nil || !measure.Handles(a) {
		return nil
	}
	before := q.given.quotas(a.GetNamespace())
	after, err := resourcequota.CheckRequest(before, a, measure, nil)
	if err != nil || a.IsDryRun() {
		return err
	}
	for i := range after {
		if !equality.Semantic.DeepEqual(before[i].Status.Used, after[i].Status.Used) {
			recordIn(ctx).also(&after[i])
		}
	}
	return nil
}

// counts reports whether a request uses anything that a quota may count.
func (q *quotas) counts(a admission.Attributes) bool {
	known, err := q.measures()
	if err != nil {
		return false
	}
	measure := known.of(a.GetResource().GroupResource())
	if !inNamespace(a) || measure == nil || !measure.Handles(a) {
		return false
	}
	used, err := measure.Usage(a.GetObject())
	if err != nil || a.GetOperation() == admission.Create {
		return err == nil
	}
	before, err := measure.Usage(a.GetOldObject())
	return err == nil && !quota.IsZero(quota.SubtractWithNonNegativeResult(used, before))
}

// quotas gives the ResourceQuotas of a namespace, sorted by name.
func (g *givenObjects) quotas(namespace string) []corev1.ResourceQuota {
	if !g.knows(schema.GroupKind{Kind: "ResourceQuota"}) {
		return nil
	}
	found, err := g.informers.Core().V1().ResourceQuotas().Lister().ResourceQuotas(namespace).List(labels.Everything())
	if err != nil {
		return nil
	}
	var all []corev1.ResourceQuota
	for _, one := range found {
		all = append(all, *one)
	}
	return all
}

func (g *givenObjects) hasQuotas(a admission.Attributes) bool {
	return inNamespace(a) && len(g.quotas(a.GetNamespace())) > 0
}

// mostlyCounted reports whether a request takes of what quotas are mostly about: the
// resources of Pods, and storage.
func mostlyCounted(a admission.Attributes) bool {
	switch obj := a.GetObject().(type) {
	case *api.Pod:
		return a.GetOperation() == admission.Create || a.GetSubresource() == "resize"
	case *api.PersistentVolumeClaim:
		old, hadOld := a.GetOldObject().(*api.PersistentVolumeClaim)
		return !hadOld || grows(old, obj)
	}
	return false
}
