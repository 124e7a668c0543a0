package given

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
)

// Namespaces that every server makes for itself. The immortal ones may not be
// deleted (apiserver, pkg/server/plugins.go).
var (
	ImmortalNamespaces = sets.New("default", "kube-system", "kube-public")
	OwnNamespaces      = ImmortalNamespaces.Clone().Insert("kube-node-lease")
)

// InNamespace reports whether a request is about an object in a namespace.
// Requests about a Namespace carry its own name as theirs.
func InNamespace(a admission.Attributes) bool {
	return a.GetNamespace() != "" && a.GetResource().GroupResource() != corev1.Resource("namespaces")
}

// JudgesNamespace reports whether it is known if the namespace of a request
// exists. It is where it is given, and where the others of the cluster are and
// nothing shows that it exists: a live object in it, or that a server makes it
// for itself. Review requests may be made for any.
func (g *Objects) JudgesNamespace(a admission.Attributes) bool {
	switch {
	case a.GetOperation() == admission.Delete || !InNamespace(a) || g.KnowsNamespace(a):
		return true
	case a.GetOldObject() != nil || a.GetSubresource() != "" || g.exist.Has(a.GetNamespace()) || a.GetResource().Resource == "localsubjectaccessreviews":
		return false
	}
	return g.namespaces || g.Lacks.Has(a.GetNamespace())
}
