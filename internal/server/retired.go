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

// RemovedIn is the Kubernetes release that removed a kind at a version, such as
// "1.25"; empty where it is served, was never there, or where upstream no longer has
// the type that says it.
func (s *Server) RemovedIn(kind schema.GroupVersionKind) string {
	if s.Resource(kind).Known {
		return ""
	}
	object, err := clientscheme.Scheme.New(kind)
	if err != nil {
		return ""
	}
	l, ok := object.(removable)
	if !ok {
		return ""
	}
	major, minor := l.APILifecycleRemoved()
	if major != 1 || minor > s.release.Minor {
		return ""
	}
	return fmt.Sprintf("%d.%d", major, minor)
}
