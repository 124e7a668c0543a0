package server

import (
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/resourceconfig"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	apiservicerest "k8s.io/kube-aggregator/pkg/registry/apiservice/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	admissionregistrationrest "k8s.io/kubernetes/pkg/registry/admissionregistration/rest"
	apiserverinternalrest "k8s.io/kubernetes/pkg/registry/apiserverinternal/rest"
	appsrest "k8s.io/kubernetes/pkg/registry/apps/rest"
	authenticationrest "k8s.io/kubernetes/pkg/registry/authentication/rest"
	authorizationrest "k8s.io/kubernetes/pkg/registry/authorization/rest"
	autoscalingrest "k8s.io/kubernetes/pkg/registry/autoscaling/rest"
	batchrest "k8s.io/kubernetes/pkg/registry/batch/rest"
	certificatesrest "k8s.io/kubernetes/pkg/registry/certificates/rest"
	coordinationrest "k8s.io/kubernetes/pkg/registry/coordination/rest"
	discoveryrest "k8s.io/kubernetes/pkg/registry/discovery/rest"
	eventsrest "k8s.io/kubernetes/pkg/registry/events/rest"
	flowcontrolrest "k8s.io/kubernetes/pkg/registry/flowcontrol/rest"
	lifecyclerest "k8s.io/kubernetes/pkg/registry/lifecycle/rest"
	networkingrest "k8s.io/kubernetes/pkg/registry/networking/rest"
	noderest "k8s.io/kubernetes/pkg/registry/node/rest"
	policyrest "k8s.io/kubernetes/pkg/registry/policy/rest"
	rbacrest "k8s.io/kubernetes/pkg/registry/rbac/rest"
	resourcerest "k8s.io/kubernetes/pkg/registry/resource/rest"
	schedulingrest "k8s.io/kubernetes/pkg/registry/scheduling/rest"
	storagerest "k8s.io/kubernetes/pkg/registry/storage/rest"
	storagemigrationrest "k8s.io/kubernetes/pkg/registry/storagemigration/rest"

	"github.com/ssactl/ssactl/internal/server/memory"
)

// eventTTL is kube-apiserver's default; the storage ignores it.
const eventTTL = 3600

type provider func() (genericapiserver.APIGroupInfo, error)

// table follows the providers of pkg/controlplane/instance.go. What needs a
// client gets one that is never called for a write to a single object.
func (c *catalog) table() map[string]provider {
	var (
		noDiscovery  discovery.DiscoveryInterface = &discovery.DiscoveryClient{}
		noNamespaces                              = corev1client.New(nil).Namespaces()
		noInformers                               = informers.NewSharedInformerFactory(nil, 0)
	)
	table := map[string]provider{
		"":                        c.core,
		apiextensions.GroupName:   c.customResourceDefinitions,
		apiregistration.GroupName: c.apiServices,
	}
	for _, p := range []controlplaneapiserver.RESTStorageProvider{
		admissionregistrationrest.RESTStorageProvider{Authorizer: allow, DiscoveryClient: noDiscovery},
		apiserverinternalrest.StorageProvider{},
		appsrest.StorageProvider{},
		authenticationrest.RESTStorageProvider{},
		authorizationrest.RESTStorageProvider{Authorizer: allow},
		autoscalingrest.RESTStorageProvider{},
		batchrest.RESTStorageProvider{},
		certificatesrest.RESTStorageProvider{Authorizer: allow},
		coordinationrest.RESTStorageProvider{},
		discoveryrest.StorageProvider{},
		eventsrest.RESTStorageProvider{TTL: eventTTL},
		flowcontrolrest.RESTStorageProvider{InformerFactory: noInformers},
		lifecyclerest.RESTStorageProvider{},
		networkingrest.RESTStorageProvider{},
		noderest.RESTStorageProvider{},
		policyrest.RESTStorageProvider{},
		rbacrest.RESTStorageProvider{Authorizer: allow},
		resourcerest.RESTStorageProvider{NamespaceClient: noNamespaces, Authorizer: allow},
		schedulingrest.RESTStorageProvider{},
		storagerest.RESTStorageProvider{},
		storagemigrationrest.RESTStorageProvider{},
	} {
		table[p.GroupName()] = func() (genericapiserver.APIGroupInfo, error) {
			return p.NewRESTStorage(c.resources, c.options)
		}
	}
	return table
}

// serves reports whether the server has the group version, or single resources of it.
func (c *catalog) serves(gv schema.GroupVersion) bool {
	for resource, enabled := range c.resources.ResourceConfigs {
		if enabled && resource.GroupVersion() == gv {
			return true
		}
	}
	return c.resources.GroupVersionConfigs[gv] || gv == apiextensionsv1.SchemeGroupVersion ||
		gv == apiregistrationv1.SchemeGroupVersion
}

// group builds the storages of a built-in group, without those that the emulated
// version does not serve.
func (c *catalog) group(name string) (genericapiserver.APIGroupInfo, error) {
	info, err := c.providers[name]()
	if err != nil {
		return info, fmt.Errorf("build API group %q: %w", name, err)
	}
	if len(info.VersionedResourcesStorageMap) == 0 {
		return info, nil
	}
	return info, c.expiration.RemoveUnavailableKinds(name, info.Scheme, info.VersionedResourcesStorageMap, c.resources)
}

// customResourceDefinitions follows apiextensions-apiserver, which stores v1beta1 as JSON.
func (c *catalog) customResourceDefinitions() (genericapiserver.APIGroupInfo, error) {
	scheme, codecs := apiextensionsapiserver.Scheme, apiextensionsapiserver.Codecs
	info := genericapiserver.NewDefaultAPIGroupInfo(apiextensions.GroupName, scheme, metav1.ParameterCodec, codecs)
	storage, err := customresourcedefinition.NewREST(scheme, memory.CodecOptions{
		Codec:   codecs.LegacyCodec(apiextensionsv1beta1.SchemeGroupVersion, apiextensionsv1.SchemeGroupVersion),
		Version: apiextensionsv1.SchemeGroupVersion,
	})
	if err != nil {
		return info, err
	}
	info.VersionedResourcesStorageMap["v1"] = map[string]rest.Storage{
		"customresourcedefinitions":        storage,
		"customresourcedefinitions/status": customresourcedefinition.NewStatusREST(scheme, storage),
	}
	return info, nil
}

func (c *catalog) apiServices() (genericapiserver.APIGroupInfo, error) {
	enabled := serverstorage.NewResourceConfig()
	enabled.EnableVersions(apiregistrationv1.SchemeGroupVersion)
	return apiservicerest.NewRESTStorage(enabled, memory.CodecOptions{
		Codec: aggregatorscheme.Codecs.LegacyCodec(
			apiregistrationv1.SchemeGroupVersion,
			apiregistrationv1beta1.SchemeGroupVersion,
		),
	}, false), nil
}

// resources are the APIs that a server with the flags serves: those that it
// serves by default, and what runtime-config turns on and off.
func (f flags) resources() (*serverstorage.ResourceConfig, error) {
	served := controlplane.DefaultAPIResourceConfigSource()
	if len(f.runtimeConfig) == 0 {
		return served, nil
	}
	asked := serveroptions.APIEnablementOptions{RuntimeConfig: f.runtimeConfig}
	if err := errors.Join(asked.Validate(legacyscheme.Scheme)...); err != nil {
		return nil, fmt.Errorf("flag runtime-config of kube-apiserver: %w", err)
	}
	served, err := resourceconfig.MergeAPIResourceConfigs(served, f.runtimeConfig, legacyscheme.Scheme)
	if err != nil {
		return nil, fmt.Errorf("flag runtime-config of kube-apiserver: %w", err)
	}
	return served, nil
}
