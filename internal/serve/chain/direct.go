package chain

import (
	"context"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
	"k8s.io/apiserver/pkg/storage/etcd3"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/apiserver/pkg/storage/value/encrypt/identity"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	"github.com/ssactl/ssactl/internal/serve/etcd"
)

// connect has every resource stored by upstream's storage and watch cache over a client whose
// calls are function calls. A few storages that upstream makes elsewhere dial over the pipe.
func connect(c *app.Config, to *etcd.Server) {
	unused := &idle{}
	for _, g := range []*generic.RESTOptionsGetter{
		&c.KubeAPIs.ControlPlane.Generic.RESTOptionsGetter, &c.ApiExtensions.GenericConfig.RESTOptionsGetter,
		&c.ApiExtensions.ExtraConfig.CRDRESTOptionsGetter, &c.Aggregator.GenericConfig.RESTOptionsGetter,
	} {
		*g = &direct{RESTOptionsGetter: *g, etcd: to, idle: unused}
	}
}

// Etcd is a client of what the server stores, for tests that look behind it, or write there what
// no server takes. It ends with its context.
func (s *Server) Etcd(ctx context.Context) *clientv3.Client { return s.etcd.Client(ctx).Client }

type direct struct {
	generic.RESTOptionsGetter
	etcd *etcd.Server
	idle *idle
}

// GetRESTOptions implements generic.RESTOptionsGetter.
func (d *direct) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	o, err := d.RESTOptionsGetter.GetRESTOptions(resource, example)
	if err == nil {
		o.Decorator = d.decorate
		o.CountMetricPollPeriod = 0
	}
	return o, err
}

// decorate makes a storage as factory.Create and genericregistry.StorageWithCacher do. Events
// are not cached, as in kube-apiserver.
func (d *direct) decorate(
	config *storagebackend.ConfigForResource,
	resourcePrefix string,
	keyFunc func(runtime.Object) (string, error),
	newFunc, newListFunc func() runtime.Object,
	attrs storage.AttrFunc,
	triggers storage.IndexerFuncs,
	indexers *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	ctx, cancel := context.WithCancel(context.Background())
	versioner := storage.APIObjectVersioner{}
	raw, err := etcd3.New(
		d.etcd.Client(ctx), nil, config.Codec, newFunc, newListFunc, config.Prefix, resourcePrefix,
		config.GroupResource, identity.NewEncryptCheckTransformer(), config.LeaseManagerConfig,
		etcd3.NewDefaultDecoder(config.Codec, versioner), versioner,
	)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if config.GroupResource.Resource == "events" {
		return raw, sync.OnceFunc(func() { raw.Close(); cancel() }), nil
	}
	c := &cached{Interface: raw, idle: d.idle, compacted: d.etcd.Compacted}
	c.size = func() int64 { return d.etcd.Bytes(config.Prefix + resourcePrefix + "/") }
	c.make = func() (*cacher.Cacher, error) {
		return cacher.NewCacherFromConfig(cacher.Config{
			Storage: unestimated{raw}, Versioner: versioner, GroupResource: config.GroupResource,
			EventsHistoryWindow: config.EventsHistoryWindow, ResourcePrefix: resourcePrefix, KeyFunc: keyFunc,
			NewFunc: newFunc, NewListFunc: newListFunc, GetAttrsFunc: attrs, IndexerFuncs: triggers, Indexers: indexers,
			Codec: config.Codec,
		})
	}
	return c, sync.OnceFunc(func() { c.stop(); raw.Close(); cancel() }), nil
}

// unestimated is a storage that does not ask a cache for its keys, to estimate what requests cost: it would
// hold the first cache for as long as it is there itself, and refuse the next.
type unestimated struct{ storage.Interface }

// EnableResourceSizeEstimation implements storage.Interface.
func (unestimated) EnableResourceSizeEstimation(storage.KeysFunc) error { return nil }
