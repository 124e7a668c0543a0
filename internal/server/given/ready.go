package given

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apiserver/pkg/admission"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
	podsecurity "k8s.io/pod-security-admission/api"
)

// Whether the given objects suffice for a request: what was not given may still
// be in the cluster.

// HasLimitRanges reports whether the namespace has any: without, it may still have some.
func (g *Objects) HasLimitRanges(a admission.Attributes) bool {
	limits, err := g.Informers.Core().V1().LimitRanges().Lister().LimitRanges(a.GetNamespace()).List(labels.Everything())
	return err == nil && len(limits) > 0
}

// HasPriorityClass reports whether the class of a Pod is given. The plug-in refuses a Pod
// with an unknown class, which is right only if the class is known to be absent.
func (g *Objects) HasPriorityClass(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if !ok || a.GetOperation() != admission.Create || pod.Spec.PriorityClassName == "" {
		return true
	}
	name := pod.Spec.PriorityClassName
	_, err := g.Informers.Scheduling().V1().PriorityClasses().Lister().Get(name)
	// No class has a name that none can have, and the system's own are known.
	return err == nil || len(validation.IsDNS1123Subdomain(name)) > 0 ||
		strings.HasPrefix(name, scheduling.SystemPriorityClassPrefix)
}

// KnowsRuntimeClass reports whether the Pod's RuntimeClass was given, if it names one.
func (g *Objects) KnowsRuntimeClass(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if !ok || pod.Spec.RuntimeClassName == nil {
		return true
	}
	_, err := g.Informers.Node().V1().RuntimeClasses().Lister().Get(*pod.Spec.RuntimeClassName)
	return err == nil
}

// KnowsStorageClass reports whether StorageClasses were given, for a claim that names none.
func (g *Objects) KnowsStorageClass(a admission.Attributes) bool {
	claim, ok := a.GetObject().(*api.PersistentVolumeClaim)
	if !ok || helper.PersistentVolumeClaimHasClass(claim) {
		return true
	}
	classes, err := g.Informers.Storage().V1().StorageClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

// KnowsClaimsClass reports whether the class of a claim is given, or not needed: only a
// bound claim that grows needs its class, which has to allow that.
func (g *Objects) KnowsClaimsClass(a admission.Attributes) bool {
	claim, ok := a.GetObject().(*api.PersistentVolumeClaim)
	old, hadOld := a.GetOldObject().(*api.PersistentVolumeClaim)
	if !ok || !hadOld || a.GetSubresource() != "" || !Grows(old, claim) || old.Status.Phase != api.ClaimBound {
		return true
	}
	class := helper.GetPersistentVolumeClaimClass(claim)
	if class == "" || class != helper.GetPersistentVolumeClaimClass(old) {
		return true
	}
	_, err := g.Informers.Storage().V1().StorageClasses().Lister().Get(class)
	return err == nil
}

// Grows reports whether a claim asks for more storage than before.
func Grows(old, claim *api.PersistentVolumeClaim) bool {
	before, after := old.Spec.Resources.Requests[api.ResourceStorage], claim.Spec.Resources.Requests[api.ResourceStorage]
	return after.Cmp(before) > 0
}

// KnowsIngressClass reports whether IngressClasses were given, for an Ingress that names none.
func (g *Objects) KnowsIngressClass(a admission.Attributes) bool {
	ingress, ok := a.GetObject().(*networking.Ingress)
	if _, annotated := ingress.GetAnnotations()[networkingv1beta1.AnnotationIngressClass]; !ok || annotated ||
		ingress.Spec.IngressClassName != nil {
		return true
	}
	classes, err := g.Informers.Networking().V1().IngressClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

// KnowsNamespace reports whether the Namespace of a request was given.
func (g *Objects) KnowsNamespace(a admission.Attributes) bool {
	_, known, err := g.Informers.Core().V1().Namespaces().Informer().GetIndexer().GetByKey(a.GetNamespace())
	return err == nil && known
}

// HasServiceAccount reports whether the account of a Pod is given: a Pod without one gets
// that of the name default; mirror Pods must have none.
func (g *Objects) HasServiceAccount(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if _, mirror := pod.GetAnnotations()[api.MirrorPodAnnotationKey]; !ok || mirror {
		return ok
	}
	name := pod.Spec.ServiceAccountName
	if name == "" {
		name = serviceaccount.DefaultServiceAccountName
	}
	_, err := g.Informers.Core().V1().ServiceAccounts().Lister().ServiceAccounts(a.GetNamespace()).Get(name)
	return err == nil
}

// KnowsNode reports whether the node of a Pod is given, or not needed: the answer for a Pod
// that is bound to a node, or is being bound, depends on that node.
func (g *Objects) KnowsNode(a admission.Attributes) bool {
	name := ""
	switch obj := a.GetObject().(type) {
	case *api.Pod:
		if old, ok := a.GetOldObject().(*api.Pod); ok && old.Generation == obj.Generation {
			return true
		}
		name = obj.Spec.NodeName
	case *api.Binding:
		name = obj.Target.Name
	}
	if name == "" {
		return true
	}
	_, err := g.Informers.Core().V1().Nodes().Lister().Get(name)
	return err == nil
}

// KnowsPodsOf reports whether the Pods of a Namespace are given, or not needed: they are
// looked at where the PodSecurity level that it enforces is tightened.
func (g *Objects) KnowsPodsOf(a admission.Attributes) bool {
	namespace, ok := a.GetObject().(*api.Namespace)
	old, hadOld := a.GetOldObject().(*api.Namespace)
	if !ok || !hadOld || !tightens(old.Labels, namespace.Labels) {
		return true
	}
	pods, err := g.Informers.Core().V1().Pods().Lister().Pods(namespace.Name).List(labels.Everything())
	return err == nil && len(pods) > 0
}

// tightens reports whether the enforced level changes to one that existing Pods
// may violate (pod-security-admission, admission/admission.go).
func tightens(before, after map[string]string) bool {
	none := podsecurity.LevelVersion{Level: podsecurity.LevelPrivileged, Version: podsecurity.LatestVersion()}
	defaults := podsecurity.Policy{Enforce: none, Audit: none, Warn: none}
	from, _ := podsecurity.PolicyToEvaluate(before, defaults)
	to, errs := podsecurity.PolicyToEvaluate(after, defaults)
	return len(errs) == 0 && from.Enforce != to.Enforce && to.Enforce.Level != podsecurity.LevelPrivileged &&
		(from.Enforce.Version != to.Enforce.Version || podsecurity.CompareLevels(to.Enforce.Level, from.Enforce.Level) > 0)
}

// Quotas gives the ResourceQuotas of a namespace, sorted by name.
func (g *Objects) Quotas(namespace string) []corev1.ResourceQuota {
	if !g.Knows(schema.GroupKind{Kind: "ResourceQuota"}) {
		return nil
	}
	found, err := g.Informers.Core().V1().ResourceQuotas().Lister().ResourceQuotas(namespace).List(labels.Everything())
	if err != nil {
		return nil
	}
	var all []corev1.ResourceQuota
	for _, one := range found {
		all = append(all, *one)
	}
	return all
}

// HasQuotas reports whether ResourceQuotas of the namespace were given.
func (g *Objects) HasQuotas(a admission.Attributes) bool {
	return InNamespace(a) && len(g.Quotas(a.GetNamespace())) > 0
}
