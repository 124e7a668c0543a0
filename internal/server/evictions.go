package server

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"

	admit "github.com/ssactl/ssactl/internal/server/admission"
)

// evictions answers the eviction of a Pod with upstream's storage, over the
// PodDisruptionBudgets that are given. That storage writes to the budget without
// the context of the request: so each request has one of its own.
type evictions struct {
	*podstore.EvictionREST
	over func(policyclient.PodDisruptionBudgetsGetter) (podstore.PodStorage, error)
}

var (
	_ rest.NamedCreater             = (*evictions)(nil)
	_ rest.GroupVersionKindProvider = (*evictions)(nil)
	_ rest.GroupVersionAcceptor     = (*evictions)(nil)
)

// Create evicts the Pod of the name.
func (e *evictions) Create(
	ctx context.Context, name string, eviction runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	pods, err := e.over(admit.BudgetsGetter{Given: serverIn(ctx).admit.Given, Record: admit.RecordIn(ctx)})
	if err != nil {
		return nil, err
	}
	return pods.Eviction.Create(ctx, name, eviction, validate, options)
}
