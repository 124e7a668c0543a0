package admission

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	"k8s.io/kubernetes/pkg/quota/v1/install"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	podpriority "k8s.io/kubernetes/plugin/pkg/admission/priority"

	"github.com/ssactl/ssactl/internal/server/given"
)

// namespaceLifecycle is upstream's plug-in, which waits for a moment where a namespace is
// not known that something is created in. Here nothing becomes known meanwhile.
type namespaceLifecycle struct {
	*lifecycle.Lifecycle
	given *given.Objects
}

// Admit refuses what is created in a namespace that does not exist or that is terminating.
func (n *namespaceLifecycle) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if a.GetOperation() == admission.Create && given.InNamespace(a) && !n.given.KnowsNamespace(a) {
		return apierrors.NewNotFound(corev1.Resource("namespaces"), a.GetNamespace())
	}
	return n.Lifecycle.Admit(ctx, a, o)
}

// priorities is upstream's plug-in, for which there are no PriorityClasses but those
// that are given: it notes where another, the default of all Pods, would count.
type priorities struct {
	*podpriority.Plugin
	given *given.Objects
}

var (
	_ admission.MutationInterface   = priorities{}
	_ admission.ValidationInterface = priorities{}

	priorityClassKind = schema.GroupKind{Group: scheduling.GroupName, Kind: "PriorityClass"}
)

// Admit sets the priority of a new Pod.
func (p priorities) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	pod, ok := a.GetObject().(*api.Pod)
	if ok && a.GetOperation() == admission.Create && pod.Spec.PriorityClassName == "" &&
		!p.given.Knows(priorityClassKind) {
		RecordIn(ctx).note("PriorityClasses were not given, so that the priority of the default one was not set.")
	}
	return p.Plugin.Admit(ctx, a, o)
}

// Validate refuses a second default.
func (p priorities) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	class, ok := a.GetObject().(*scheduling.PriorityClass)
	old, hadOld := a.GetOldObject().(*scheduling.PriorityClass)
	if ok && class.GlobalDefault && !(hadOld && old.GlobalDefault) {
		others := p.given.Known(priorityClassKind)
		if _, err := p.given.Informers.Scheduling().V1().PriorityClasses().Lister().Get(class.Name); err == nil {
			others--
		}
		if others <= 0 {
			RecordIn(ctx).note("No other PriorityClasses were given; another one may already be the default.")
		}
	}
	return p.Plugin.Validate(ctx, a, o)
}

// quotas is upstream's check of ResourceQuotas (apiserver,
// pkg/admission/plugin/resourcequota) without its queue: status.hard and status.used count
// as they are known.
type quotas struct {
	*admission.Handler
	given         *given.Objects
	configuration func() (quota.Configuration, error)
}

var _ admission.ValidationInterface = (*quotas)(nil)

func newQuotas(given *given.Objects) *quotas {
	return &quotas{
		Handler: admission.NewHandler(admission.Create, admission.Update),
		given:   given,
		configuration: sync.OnceValues(func() (quota.Configuration, error) {
			return install.NewQuotaConfigurationForAdmission(given.Informers, nil)
		}),
	}
}

// measureOf gives the measure of a request, which only counts objects where there is no
// other for the resource; nil where no quota counts the request.
func (q *quotas) measureOf(a admission.Attributes) (quota.Evaluator, error) {
	configuration, err := q.configuration()
	if err != nil || !given.InNamespace(a) {
		return nil, err
	}
	resource := a.GetResource().GroupResource()
	if _, ignored := configuration.IgnoredResources()[resource]; ignored {
		return nil, nil
	}
	measure := generic.NewRegistry(configuration.Evaluators()).Get(resource)
	if measure == nil {
		measure = generic.NewObjectCountEvaluator(resource, nil, "")
	}
	if !measure.Handles(a) {
		return nil, nil
	}
	return measure, nil
}

// Validate refuses a request that exceeds a quota, and notes what an accepted one uses. If
// several are exceeded, it names the first by name; a server names any.
func (q *quotas) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	measure, err := q.measureOf(a)
	if measure == nil {
		return err
	}
	before := q.given.Quotas(a.GetNamespace())
	after, err := resourcequota.CheckRequest(before, a, measure, nil)
	if err != nil || a.IsDryRun() {
		return err
	}
	for i := range after {
		if !equality.Semantic.DeepEqual(before[i].Status.Used, after[i].Status.Used) {
			RecordIn(ctx).also(&after[i])
		}
	}
	return nil
}

// counts reports whether a request uses anything that a quota may count.
func (q *quotas) counts(a admission.Attributes) bool {
	measure, _ := q.measureOf(a)
	if measure == nil {
		return false
	}
	used, err := measure.Usage(a.GetObject())
	if err != nil || a.GetOperation() == admission.Create {
		return err == nil
	}
	before, err := measure.Usage(a.GetOldObject())
	return err == nil && !quota.IsZero(quota.SubtractWithNonNegativeResult(used, before))
}

// mostlyCounted reports whether a request takes of what quotas are mostly about: the
// resources of Pods, and storage.
func mostlyCounted(a admission.Attributes) bool {
	switch obj := a.GetObject().(type) {
	case *api.Pod:
		return a.GetOperation() == admission.Create || a.GetSubresource() == "resize"
	case *api.PersistentVolumeClaim:
		old, hadOld := a.GetOldObject().(*api.PersistentVolumeClaim)
		return !hadOld || given.Grows(old, obj)
	}
	return false
}

// limits judges by a LimitRange as upstream does, and sorts the errors.
type limits struct {
	*limitranger.DefaultLimitRangerActions
}

var _ limitranger.LimitRangerActions = limits{}

// ValidateLimit refuses what a LimitRange does not allow.
func (l limits) ValidateLimit(limit *corev1.LimitRange, resource string, obj runtime.Object) error {
	err := l.DefaultLimitRangerActions.ValidateLimit(limit, resource, obj)
	if all := utilerrors.Aggregate(nil); errors.As(err, &all) {
		sorted := slices.SortedFunc(
			slices.Values(all.Errors()),
			func(a, b error) int { return strings.Compare(a.Error(), b.Error()) },
		)
		return utilerrors.NewAggregate(sorted)
	}
	return err
}
