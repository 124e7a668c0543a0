package server

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
	schedulingapiv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
)

// givenObjects are the cluster's other objects, as far as they were among the
// user's files: what admission plug-ins look up.
type givenObjects struct {
	informers informers.SharedInformerFactory
}

// newGivenObjects puts the objects where the plug-ins' listers look. Kinds
// that no plug-in looks up are passed over. The PriorityClasses that a server
// makes for itself are always there.
func newGivenObjects(objects [][]byte) (*givenObjects, error) {
	g := &givenObjects{informers: informers.NewSharedInformerFactory(nil, 0)}
	for _, class := range schedulingapiv1.SystemPriorityClasses() {
		class = class.DeepCopy()
		legacyscheme.Scheme.Default(class)
		if err := g.informers.Scheduling().V1().PriorityClasses().Informer().GetIndexer().Add(class); err != nil {
			return nil, err
		}
	}
	for _, raw := range objects {
		if err := g.add(raw); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// add keeps an object. What cannot be read is as if it were not given: where
// it is to be written itself, the server's answer says what is wrong with it.
func (g *givenObjects) add(raw []byte) error {
	obj, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if err != nil {
		return nil
	}
	indexer := g.indexer(obj)
	if indexer == nil {
		return nil
	}
	legacyscheme.Scheme.Default(obj)
	if err := indexer.Add(obj); err != nil {
		return fmt.Errorf("keep given %s: %w", kind.Kind, err)
	}
	return nil
}

func (g *givenObjects) indexer(obj runtime.Object) cache.Indexer {
	switch obj.(type) {
	case *schedulingv1.PriorityClass:
		return g.informers.Scheduling().V1().PriorityClasses().Informer().GetIndexer()
	case *storagev1.StorageClass:
		return g.informers.Storage().V1().StorageClasses().Informer().GetIndexer()
	case *networkingv1.IngressClass:
		return g.informers.Networking().V1().IngressClasses().Informer().GetIndexer()
	case *nodev1.RuntimeClass:
		return g.informers.Node().V1().RuntimeClasses().Informer().GetIndexer()
	case *corev1.LimitRange:
		return g.informers.Core().V1().LimitRanges().Informer().GetIndexer()
	case *corev1.Namespace:
		return g.informers.Core().V1().Namespaces().Informer().GetIndexer()
	case *corev1.Node:
		return g.informers.Core().V1().Nodes().Informer().GetIndexer()
	}
	return nil
}

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
