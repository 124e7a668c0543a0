package chain

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	cacheddiscovery "k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
)

// The periods of kube-controller-manager, but for discovery: new kinds are collected soon.
const (
	namespaceResync = 5 * time.Minute
	monitorPeriod   = 10 * time.Second
	discoverPeriod  = 2 * time.Second
)

// controllerConfig is that of a client that is kube-controller-manager.
func (s *Server) controllerConfig() *rest.Config {
	config := s.client(s.secrets.system)
	config.UserAgent = "kube-controller-manager/" + Version() + " (linux/amd64) kubernetes/ssactl"
	return config
}

// trim takes from objects what no controller looks at, as kube-controller-manager does: managed fields
// are a third of many.
func trim(object any) (any, error) {
	if is, err := meta.Accessor(object); err == nil {
		is.SetManagedFields(nil)
	}
	return object, nil
}

// trimOwned takes what garbage collection does not look at: annotations are often a copy of the object.
func trimOwned(object any) (any, error) {
	if is, err := meta.Accessor(object); err == nil {
		is.SetManagedFields(nil)
		is.SetAnnotations(nil)
		is.SetLabels(nil)
	}
	return object, nil
}

// owned are the informers of garbage collection, which needs no more than metadata.
type owned struct {
	metadatainformer.SharedInformerFactory
}

// ForResource implements informerfactory.InformerFactory.
func (o owned) ForResource(r schema.GroupVersionResource) (informers.GenericInformer, error) {
	return o.SharedInformerFactory.ForResource(r), nil
}

// control runs the controllers that a control plane without kube-controller-manager is missed
// most for: namespaces end, objects without owners go, each namespace has its default
// service account, and the roles admin, edit and view have their rules.
func (s *Server) control(ctx context.Context) error {
	config := s.controllerConfig()
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	partial, err := metadata.NewForConfig(rest.CopyConfig(config))
	if err != nil {
		return err
	}
	objects := informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithTransform(trim))
	metas := metadatainformer.NewSharedInformerFactoryWithOptions(partial, 0, metadatainformer.WithTransform(trimOwned))
	namespaces := namespace.NewNamespaceController(
		ctx, typed, partial, typed.Discovery().ServerPreferredNamespacedResources, objects.Core().V1().Namespaces(),
		namespaceResync, corev1.FinalizerKubernetes,
	)
	accounts, err := serviceaccount.NewServiceAccountsController(
		klog.FromContext(ctx), objects.Core().V1().ServiceAccounts(), objects.Core().V1().Namespaces(), typed,
		serviceaccount.DefaultServiceAccountsControllerOptions(),
	)
	if err != nil {
		return err
	}
	started := make(chan struct{})
	collector, err := garbagecollector.NewGarbageCollector(
		ctx, typed, partial,
		restmapper.NewDeferredDiscoveryRESTMapper(cacheddiscovery.NewMemCacheClient(typed.Discovery())),
		garbagecollector.DefaultIgnoredResources(), owned{metas}, started,
	)
	if err != nil {
		return err
	}
	roles := clusterroleaggregation.NewClusterRoleAggregation(objects.Rbac().V1().ClusterRoles(), typed.RbacV1())
	s.parts.Go(func() { namespaces.Run(ctx, 2) })
	s.parts.Go(func() { roles.Run(ctx, 1) })
	s.parts.Go(func() { accounts.Run(ctx, 1) })
	s.parts.Go(func() { collector.Run(ctx, 5, monitorPeriod) })
	s.parts.Go(func() { collector.Sync(ctx, typed.Discovery(), discoverPeriod) })
	objects.Start(ctx.Done())
	metas.Start(ctx.Done())
	close(started)
	soon, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	// A dump may have roles that select none.
	_ = s.until(soon, s.aggregated)
	return nil
}

// settling is how long a start waits at most for what controllers make of the start.
const settling = time.Second

// aggregated reports whether the roles that every cluster has are made of those that they select.
func (s *Server) aggregated(ctx context.Context) bool {
	for _, name := range []string{"admin", "edit", "view"} {
		var role struct {
			AggregationRule map[string]any
			Rules           []any
		}
		err := s.ask(ctx, "/apis/rbac.authorization.k8s.io/v1/clusterroles/"+name, &role)
		if err == nil && role.AggregationRule != nil && len(role.Rules) == 0 {
			return false
		}
	}
	return true
}
