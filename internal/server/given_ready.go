package server

import (
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
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
	_, err := g.informers.Scheduling().V1().PriorityClasses().Lister().Get(pod.Spec.PriorityClassName)
	return err == nil
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
	if !ok || claim.Spec.StorageClassName != nil {
		return true
	}
	classes, err := g.informers.Storage().V1().StorageClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

// knowsClaimsClass: only a claim that grows needs its class, which has to
// allow that.
func (g *givenObjects) knowsClaimsClass(a admission.Attributes) bool {
	claim, ok := a.GetObject().(*api.PersistentVolumeClaim)
	old, hadOld := a.GetOldObject().(*api.PersistentVolumeClaim)
	if !ok || !hadOld || a.GetSubresource() != "" || !grows(old, claim) || claim.Spec.StorageClassName == nil {
		return true
	}
	_, err := g.informers.Storage().V1().StorageClasses().Lister().Get(*claim.Spec.StorageClassName)
	return err == nil
}

func grows(old, claim *api.PersistentVolumeClaim) bool {
	before, after := old.Spec.Resources.Requests[api.ResourceStorage], claim.Spec.Resources.Requests[api.ResourceStorage]
	return after.Cmp(before) > 0
}

func (g *givenObjects) knowsIngressClass(a admission.Attributes) bool {
	ingress, ok := a.GetObject().(*networking.Ingress)
	if !ok || ingress.Spec.IngressClassName != nil || ingress.Annotations[networkingv1beta1.AnnotationIngressClass] != "" {
		return true
	}
	classes, err := g.informers.Networking().V1().IngressClasses().Lister().List(labels.Everything())
	return err == nil && len(classes) > 0
}

func (g *givenObjects) knowsNamespace(a admission.Attributes) bool {
	_, err := g.informers.Core().V1().Namespaces().Lister().Get(a.GetNamespace())
	return err == nil
}

// knowsNode: a resize is judged against the node that the Pod runs on.
func (g *givenObjects) knowsNode(a admission.Attributes) bool {
	pod, ok := a.GetObject().(*api.Pod)
	if !ok || a.GetSubresource() != "resize" || pod.Spec.NodeName == "" {
		return true
	}
	_, err := g.informers.Core().V1().Nodes().Lister().Get(pod.Spec.NodeName)
	return err == nil
}
