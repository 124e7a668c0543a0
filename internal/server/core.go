package server

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/kubernetes/pkg/features"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	endpointsstore "k8s.io/kubernetes/pkg/registry/core/endpoint/storage"
	limitrangestore "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	pvstore "k8s.io/kubernetes/pkg/registry/core/persistentvolume/storage"
	pvcstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	podtemplatestore "k8s.io/kubernetes/pkg/registry/core/podtemplate/storage"
	controllerstore "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"
	corerest "k8s.io/kubernetes/pkg/registry/core/rest"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"

	admit "github.com/ssactl/ssactl/internal/server/admission"
	"github.com/ssactl/ssactl/internal/server/faithful"
)

// core builds the core group. It follows pkg/registry/core/rest, which needs an etcd and a
// client.
func (c *catalog) core() (genericapiserver.APIGroupInfo, error) {
	info, err := (&corerest.GenericConfig{EventTTL: eventTTL}).NewRESTStorage(c.resources, c.options)
	if err != nil {
		return info, err
	}
	storage := info.VersionedResourcesStorageMap["v1"]
	if storage == nil {
		return info, nil
	}
	if err := errors.Join(c.pods(storage), c.unconnected(storage)); err != nil {
		return info, err
	}
	maps.DeleteFunc(storage, func(path string, _ rest.Storage) bool {
		name, _, _ := strings.Cut(path, "/")
		return !c.resources.ResourceEnabled(corev1.SchemeGroupVersion.WithResource(name))
	})
	return info, nil
}

// pods adds what the storages of pods, nodes and services share.
func (c *catalog) pods(storage map[string]rest.Storage) error {
	nodes, err := nodestore.NewStorage(c.options, kubeletclient.KubeletClientConfig{}, nil)
	if err != nil {
		return err
	}
	podsOver := func(budgets policyclient.PodDisruptionBudgetsGetter) (podstore.PodStorage, error) {
		return podstore.NewStorage(c.options, nodes.KubeletConnectionInfo, nil, budgets, nil)
	}
	pods, err := podsOver(nil)
	if err != nil {
		return err
	}
	endpoints, err := endpointsstore.NewREST(c.options)
	if err != nil {
		return err
	}
	primary, addresses := faithful.NewPlaceholderAddresses(c.flags.serviceRanges)
	services, serviceStatus, _, err := servicestore.NewREST(
		c.options, primary, addresses, faithful.NewPlaceholderPorts(c.flags.nodePorts), nil, pods.Pod, nil)
	if err != nil {
		return err
	}
	judgeAddresses(services.Store)

	storage["nodes"], storage["nodes/status"] = nodes.Node, nodes.Status
	storage["endpoints"] = endpoints
	storage["services"], storage["services/status"] = services, serviceStatus
	storage["pods"], storage["pods/status"] = pods.Pod, pods.Status
	storage["pods/binding"], storage["bindings"] = pods.Binding, pods.LegacyBinding
	storage["pods/eviction"] = &evictions{pods.Eviction, podsOver}
	storage["pods/ephemeralcontainers"] = pods.EphemeralContainers
	if utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScaling) {
		storage["pods/resize"] = pods.Resize
	}
	return nil
}

// unconnected adds the storages that share nothing.
func (c *catalog) unconnected(storage map[string]rest.Storage) error {
	controllers, err := controllerstore.NewStorage(c.options)
	if err != nil {
		return err
	}
	storage["replicationcontrollers"], storage["replicationcontrollers/status"] =
		controllers.Controller, controllers.Status
	storage["replicationcontrollers/scale"] = controllers.Scale
	if storage["persistentvolumes"], storage["persistentvolumes/status"], err = pvstore.NewREST(c.options); err != nil {
		return err
	}
	storage["persistentvolumeclaims"], storage["persistentvolumeclaims/status"], err = pvcstore.NewREST(c.options)
	if err != nil {
		return err
	}
	if storage["podtemplates"], err = podtemplatestore.NewREST(c.options); err != nil {
		return err
	}
	storage["limitranges"], err = limitrangestore.NewREST(c.options)
	return err
}

// evictions answers the eviction of a Pod with upstream's storage, over the given
// PodDisruptionBudgets. Each request has its own: that storage writes to the budget without
// the context of the request.
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
	ctx context.Context,
	name string,
	eviction runtime.Object,
	validate rest.ValidateObjectFunc,
	options *metav1.CreateOptions,
) (runtime.Object, error) {
	pods, err := e.over(admit.BudgetsGetter{Given: serverIn(ctx).admit.Given, Record: admit.RecordIn(ctx)})
	if err != nil {
		return nil, err
	}
	return pods.Eviction.Create(ctx, name, eviction, validate, options)
}
