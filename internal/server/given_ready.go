package server

import (
	"strings"

	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/labels"
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

// hasLimitRanges: without any, the namespace may still have some.
func (g *givenObjects) hasLimitRanges(a admission.Attributes) bool {
	limits, err := g.informers.Core().V1().LimitRanges().Lister().LimitRanges(a.GetNamespace()).List(labels.Everything())
	return err == nil && len(limits) > 0
}

// hasPriorityClass: the plug-in refuses a Pod whose class it does not find,
// which is only right when it is known not to be there.
func (g *givenObjects) hasPriorityClass(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if !ok || a.GetOperation() != admission.Create || pod.Spec.PriorityClassName == "" {
		return true
	}
	name := pod.Spec.PriorityClassName
	_, err := g.informers.Scheduling().V1().PriorityClasses().Lister().Get(name)
	// No class has a name that none can have, and the system's own are known.
	return err == nil || len(validation.IsDNS1123Subdomain(name)) > 0 || strings.HasPrefix(name, scheduling.SystemPriorityClassPrefix)
}

func (g *givenObjects) knowsRuntimeClass(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if !ok || pod.Spec.RuntimeClassName == nil {
		return true
	}
	_, err := g.informers.Node().V1().RuntimeClasses().Lister().Get(*pod.Spec.RuntimeClassName)
	return err == nil
}

func (g *givenObjects) knowsStorageClass(a admission.Attributes) bool {
	claim, ok := a.GetObject().(*api.PersistentVolumeClaim)
	if !ok || helper.PersistentVolumeClaimHasClass(claim) {
		return true
	}
	classes, err := g.informers.Storage().V1().StorageClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

// knowsClaimsClass: only a bound claim that grows needs its class, which has to
// allow that.
func (g *givenObjects) knowsClaimsClass(a admission.Attributes) bool {
	claim, ok := a.GetObject().(*api.PersistentVolumeClaim)
	old, hadOld := a.GetOldObject().(*api.PersistentVolumeClaim)
	if !ok || !hadOld || a.GetSubresource() != "" || !grows(old, claim) || old.Status.Phase != api.ClaimBound {
		return true
	}
	class := helper.GetPersistentVolumeClaimClass(claim)
	if class == "" || class != helper.GetPersistentVolumeClaimClass(old) {
		return true
	}
	_, err := g.informers.Storage().V1().StorageClasses().Lister().Get(class)
	return err == nil
}

func grows(old, claim *api.PersistentVolumeClaim) bool {
	before, after := old.Spec.Resources.Requests[api.ResourceStorage], claim.Spec.Resources.Requests[api.ResourceStorage]
	return after.Cmp(before) > 0
}

func (g *givenObjects) knowsIngressClass(a admission.Attributes) bool {
	ingress, ok := a.GetObject().(*networking.Ingress)
	if _, annotated := ingress.GetAnnotations()[networkingv1beta1.AnnotationIngressClass]; !ok || annotated || ingress.Spec.IngressClassName != nil {
		return true
	}
	classes, err := g.informers.Networking().V1().IngressClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

func (g *givenObjects) knowsNamespace(a admission.Attributes) bool {
	_, known, err := g.informers.Core().V1().Namespaces().Informer().GetIndexer().GetByKey(a.GetNamespace())
	return err == nil && known
}

// hasServiceAccount: a Pod without one gets that of the name default; mirror
// Pods must have none.
func (g *givenObjects) hasServiceAccount(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if _, mirror := pod.GetAnnotations()[api.MirrorPodAnnotationKey]; !ok || mirror {
		return ok
	}
	name := pod.Spec.ServiceAccountName
	if name == "" {
		name = serviceaccount.DefaultServiceAccountName
	}
	_, err := g.informers.Core().V1().ServiceAccounts().Lister().ServiceAccounts(a.GetNamespace()).Get(name)
	return err == nil
}

// knowsNode: the answer for a Pod that is bound to a node, or is being bound, depends
// on that node.
func (g *givenObjects) knowsNode(a admission.Attributes) bool {
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
	_, err := g.informers.Core().V1().Nodes().Lister().Get(name)
	return err == nil
}

// knowsPodsOf: the Pods of a Namespace are looked at where the PodSecurity level
// that it enforces is tightened.
func (g *givenObjects) knowsPodsOf(a admission.Attributes) bool {
	namespace, ok := a.GetObject().(*api.Namespace)
	old, hadOld := a.GetOldObject().(*api.Namespace)
	if !ok || !hadOld || !tightens(old.Labels, namespace.Labels) {
		return true
	}
	pods, err := g.informers.Core().V1().Pods().Lister().Pods(namespace.Name).List(labels.Everything())
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
