package memory

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kubernetes/pkg/kubeapiserver"
)

// NewStorageFactory says how kube-apiserver encodes each built-in resource: in
// which version, as protobuf.
func NewStorageFactory(resources *serverstorage.ResourceConfig) (*serverstorage.DefaultStorageFactory, error) {
	config := kubeapiserver.NewStorageFactoryConfig()
	config.APIResourceConfig = resources
	return config.Complete(&serveroptions.EtcdOptions{
		DefaultStorageMediaType: runtime.ContentTypeProtobuf,
	}).New()
}

// BuiltinOptions gives the built-in resources our storage.
type BuiltinOptions struct {
	Factory *serverstorage.DefaultStorageFactory
}

// GetRESTOptions are those of a built-in resource.
func (o BuiltinOptions) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	config, err := o.Factory.NewConfig(resource, example)
	if err != nil {
		return generic.RESTOptions{}, fmt.Errorf("storage of %s: %w", resource, err)
	}
	return restOptions(o.Factory.ResourcePrefix(resource), config), nil
}

// CodecOptions gives resources our storage with one codec for all.
type CodecOptions struct {
	Codec runtime.Codec
	// Version says all that the stored one does; nil where nobody asks.
	Version runtime.GroupVersioner
}

// GetRESTOptions are those of a custom resource.
func (o CodecOptions) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	config := storagebackend.Config{Codec: o.Codec, EncodeVersioner: o.Version}
	return restOptions(resource.Group+"/"+resource.Resource, config.ForResource(resource)), nil
}

// restOptions gives a resource our storage below a prefix, which the server's
// messages name as part of a key.
func restOptions(prefix string, config *storagebackend.ConfigForResource) generic.RESTOptions {
	return generic.RESTOptions{
		StorageConfig:           config,
		Decorator:               newStore,
		EnableGarbageCollection: true,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          prefix,
	}
}
