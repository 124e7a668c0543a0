package server

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// removable is what the types of prerelease versions say of themselves (k8s.io/api,
// zz_generated.prerelease-lifecycle.go).
type removable interface {
	APILifecycleRemoved() (major, minor int)
}

// forgotten are the releases that removed what k8s.io/api has no type of any more,
// by the Deprecated API Migration Guide of Kubernetes.
var forgotten = map[schema.GroupVersionKind]int{
	{Group: "autoscaling", Version: "v2beta1", Kind: "HorizontalPodAutoscaler"}:           25,
	{Group: "autoscaling", Version: "v2beta2", Kind: "HorizontalPodAutoscaler"}:           26,
	{Group: "policy", Version: "v1beta1", Kind: "PodSecurityPolicy"}:                      25,
	{Group: "extensions", Version: "v1beta1", Kind: "PodSecurityPolicy"}:                  16,
	{Group: "apiextensions.k8s.io", Version: "v1beta1", Kind: "CustomResourceDefinition"}: 22,
	{Group: "apiregistration.k8s.io", Version: "v1beta1", Kind: "APIService"}:             22,
	{Group: "batch", Version: "v2alpha1", Kind: "CronJob"}:                                21,
}

// RemovedIn is the Kubernetes release that removed a kind at a version, such as
// "1.25"; empty where it is served, was never there, or where nothing says it.
func (s *Server) RemovedIn(kind schema.GroupVersionKind) string {
	if s.Resource(kind).Known {
		return ""
	}
	minor, ok := removedIn(kind)
	if !ok || minor > s.release.Minor {
		return ""
	}
	return fmt.Sprintf("1.%d", minor)
}

// removedIn is the minor release, as far as types or the guide say it.
func removedIn(kind schema.GroupVersionKind) (minor int, ok bool) {
	if minor, ok := forgotten[kind]; ok {
		return minor, true
	}
	object, err := clientscheme.Scheme.New(kind)
	if err != nil {
		return 0, false
	}
	l, ok := object.(removable)
	if !ok {
		return 0, false
	}
	major, minor := l.APILifecycleRemoved()
	return minor, major == 1
}
