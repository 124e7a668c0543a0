package server

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
)

// Namespaces that every server makes for itself. The immortal ones may not be
// deleted (apiserver, pkg/server/plugins.go).
var (
	immortalNamespaces = sets.New("default", "kube-system", "kube-public")
	ownNamespaces      = immortalNamespaces.Clone().Insert("kube-node-lease")
)

// MakesNamespace reports whether every server makes the namespace for itself.
func MakesNamespace(name string) bool { return ownNamespaces.Has(name) }

// namespaceLifecycle is upstream's plug-in, which waits for a moment where a
// namespace is not known that something is created in. Here nothing becomes
// known meanwhile.
type namespaceLifecycle struct {
	*lifecycle.Lifecycle
	given *givenObjects
}

func newNamespaceLifecycle(given *givenObjects) (*namespaceLifecycle, error) {
	upstream, err := lifecycle.NewLifecycle(immortalNamespaces)
	return &namespaceLifecycle{upstream, given}, err
}

// Admit refuses what is created in a namespace that does not exist or that is
// terminating.
func (n *namespaceLifecycle) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if a.GetOperation() == admission.Create && inNamespace(a) && !n.given.knowsNamespace(a) {
		return errors.NewNotFound(corev1.Resource("namespaces"), a.GetNamespace())
	}
	return n.Lifecycle.Admit(ctx, a, o)
}

// inNamespace reports whether a request is about an object in a namespace.
// Requests about a Namespace carry its own name as theirs.
func inNamespace(a admission.Attributes) bool {
	return a.GetNamespace() != "" && a.GetResource().GroupResource() != corev1.Resource("namespaces")
}

// judgesNamespace reports whether it is known if the namespace of a request
// exists. It is where it is given, and where the others of the cluster are and
// nothing shows that it exists: a live object in it, or that a server makes it
// for itself. Review requests may be made for any.
func (g *givenObjects) judgesNamespace(a admission.Attributes) bool {
	switch {
	case a.GetOperation() == admission.Delete || !inNamespace(a) || g.knowsNamespace(a):
		return true
	case a.GetOldObject() != nil || a.GetSubresource() != "" || g.exist.Has(a.GetNamespace()) || a.GetResource().Resource == "localsubjectaccessreviews":
		return false
	}
	return g.namespaces || g.lacks.Has(a.GetNamespace())
}
