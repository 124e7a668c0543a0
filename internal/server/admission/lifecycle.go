package admission

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"

	"github.com/ssactl/ssactl/internal/server/given"
)

// namespaceLifecycle is upstream's plug-in, which waits for a moment where a
// namespace is not known that something is created in. Here nothing becomes
// known meanwhile.
type namespaceLifecycle struct {
	*lifecycle.Lifecycle
	given *given.Objects
}

func newNamespaceLifecycle(objects *given.Objects) (*namespaceLifecycle, error) {
	upstream, err := lifecycle.NewLifecycle(given.ImmortalNamespaces)
	return &namespaceLifecycle{upstream, objects}, err
}

// Admit refuses what is created in a namespace that does not exist or that is
// terminating.
func (n *namespaceLifecycle) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if a.GetOperation() == admission.Create && given.InNamespace(a) && !n.given.KnowsNamespace(a) {
		return errors.NewNotFound(corev1.Resource("namespaces"), a.GetNamespace())
	}
	return n.Lifecycle.Admit(ctx, a, o)
}
