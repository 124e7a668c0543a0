package chain

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"

	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/version"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/egressselector"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/tools/cache"
	basecompatibility "k8s.io/component-base/compatibility"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"

	"github.com/ssactl/ssactl/internal/serve/load"
)

// configure makes the configuration of the three servers, as app.NewConfig does. It differs in
// that every connection that one of them would open is refused.
func configure(opts options.CompletedOptions) (*app.Config, error) {
	informers, err := cache.NewInformerName(fmt.Sprintf("kube-apiserver-%d", servers.Load()))
	if err != nil {
		return nil, err
	}
	generic, versioned, storages, err := controlplaneapiserver.BuildGenericConfig(
		opts.CompletedOptions,
		[]*runtime.Scheme{legacyscheme.Scheme, apiextensionsapiserver.Scheme, aggregatorscheme.Scheme},
		controlplane.DefaultAPIResourceConfigSource(), generatedopenapi.GetOpenAPIDefinitions, informers,
	)
	if err != nil {
		return nil, err
	}
	// Clients within the process are made with it: quotas and budgets have it as their field manager.
	generic.LoopbackClientConfig.UserAgent = "kube-apiserver/" + Version() + " (linux/amd64) kubernetes/ssactl"
	generic.EgressSelector = egressselector.NewEgressSelectorWithMap(map[egressselector.EgressType]utilnet.DialFunc{
		egressselector.Cluster: refuse, egressselector.ControlPlane: refuse,
	})
	c := &app.Config{Options: opts}
	kube, resolver, plugins, err := app.CreateKubeAPIServerConfig(opts, generic, versioned, storages)
	if err != nil {
		return nil, err
	}
	c.KubeAPIs = kube
	plane := kube.ControlPlane
	c.ApiExtensions, err = controlplaneapiserver.CreateAPIExtensionsConfig(
		*plane.Generic, plane.VersionedInformers, plugins, opts.CompletedOptions, opts.MasterCount, resolver,
		webhook.NewDefaultAuthenticationInfoResolverWrapper(
			plane.ProxyTransport, plane.Generic.EgressSelector, plane.Generic.LoopbackClientConfig,
			plane.Generic.TracerProvider,
		),
	)
	if err != nil {
		return nil, err
	}
	c.Aggregator, err = controlplaneapiserver.CreateAggregatorConfig(
		*plane.Generic, opts.CompletedOptions, plane.VersionedInformers, resolver, plane.ProxyTransport,
		plane.Extra.PeerProxy, plugins,
	)
	return c, err
}

// refuse is the one dialer of webhooks, aggregated servers, proxies and kubelets.
func refuse(_ context.Context, _, address string) (net.Conn, error) {
	return nil, fmt.Errorf("ssactl serve opens no connection: %s is not called", address)
}

// generics are the configurations that the three servers have in common.
func generics(c *app.Config) []*genericapiserver.Config {
	return []*genericapiserver.Config{
		c.KubeAPIs.ControlPlane.Generic, &c.ApiExtensions.GenericConfig.Config, &c.Aggregator.GenericConfig.Config,
	}
}

// preloaded are the hooks that only make objects which are loaded before the start.
var preloaded = []string{"scheduling/bootstrap-system-priority-classes", "rbac/bootstrap-roles"}

// adjust changes how a process differs from one of a cluster: the release, and what is done at the
// start.
func (s *Server) adjust(c *app.Config) {
	for _, g := range generics(c) {
		g.EffectiveVersion = release{g.EffectiveVersion}
		hooks := sets.New(preloaded...)
		for hook := range g.DisabledPostStartHooks {
			hooks.Insert(hook)
		}
		g.DisabledPostStartHooks = sets.NewString(hooks.UnsortedList()...)
	}
	front := &c.Aggregator.GenericConfig.Config
	build := front.BuildHandlerChainFunc
	front.BuildHandlerChainFunc = func(api http.Handler, c *genericapiserver.Config) http.Handler {
		return s.front(s.openAPI.handler(build(api, c)))
	}
}

// storages are where the loader finds how objects are stored.
func storages(c *app.Config) load.Storages {
	return load.Storages{
		Kube:        c.KubeAPIs.ControlPlane.Generic.RESTOptionsGetter,
		Definitions: c.ApiExtensions.GenericConfig.RESTOptionsGetter,
		Custom:      c.ApiExtensions.ExtraConfig.CRDRESTOptionsGetter,
		Aggregator:  c.Aggregator.GenericConfig.RESTOptionsGetter,
	}
}

// release gives /version what builds of a release have there: a build of the module has
// v0.0.0-master.
type release struct {
	basecompatibility.EffectiveVersion
}

// Info implements basecompatibility.EffectiveVersion.
func (r release) Info() *version.Info {
	info := r.EffectiveVersion.Info()
	info.GitVersion, info.GitTreeState, info.GitCommit = Version(), "clean", ""
	info.BuildDate = "1970-01-01T00:00:00Z"
	return info
}

// Version is the release of Kubernetes that is linked, as v1.37.2.
func Version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range build.Deps {
		if m.Path == "k8s.io/kubernetes" {
			return m.Version
		}
	}
	return ""
}
