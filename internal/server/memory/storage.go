package memory

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/registry/generic"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/kubeapiserver"
)

// Versioner reads and writes resource versions as the storage of a server does.
var Versioner = storage.APIObjectVersioner{}

// store is a storage.Interface over the transaction in the call's context. To callers it
// behaves as the etcd store (apiserver, pkg/storage/etcd3): encoding, preconditions, and no
// write of an equal object.
type store struct {
	codec    runtime.Codec
	resource schema.GroupResource
	// version is the one that objects are stored at; nil where all are encoded.
	version runtime.GroupVersioner
}

var _ storage.Interface = (*store)(nil)

// newStore is a generic.StorageDecorator.
func newStore(
	config *storagebackend.ConfigForResource,
	_ string,
	_ func(runtime.Object) (string, error),
	_, _ func() runtime.Object,
	_ storage.AttrFunc,
	_ storage.IndexerFuncs,
	_ *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	return &store{codec: config.Codec, resource: config.GroupResource, version: config.EncodeVersioner}, func() {}, nil
}

var _ generic.StorageDecorator = newStore

func (s *store) Versioner() storage.Versioner { return Versioner }

func (s *store) Get(ctx context.Context, key string, opts storage.GetOptions, out runtime.Object) error {
	_, err := s.get(ctx, key, opts.IgnoreNotFound, out)
	return err
}

func (s *store) Create(ctx context.Context, key string, obj, out runtime.Object, _ uint64) error {
	t := transactionFor(ctx, s.resource)
	if err := t.load(s); err != nil {
		return storage.NewInternalError(err)
	}
	if !t.empty() {
		return storage.NewKeyExistsError(key, 0)
	}
	if version, err := Versioner.ObjectResourceVersion(obj); err == nil && version != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	data, err := encodeForStorage(s.codec, obj)
	if err != nil {
		return err
	}
	t.write(s.codec, data)
	return s.decodeInto(t, out)
}

func (s *store) Delete(
	ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validateDeletion storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions,
) error {
	t, err := s.get(ctx, key, false, out)
	if err != nil {
		return err
	}
	if preconditions != nil {
		if err := preconditions.Check(etcdKey(key), out); err != nil {
			return err
		}
	}
	if err := validateDeletion(ctx, out); err != nil {
		return err
	}
	t.data, t.Kept = nil, nil
	t.Written, t.Deleted = true, true
	return nil
}

func (s *store) GuaranteedUpdate(
	ctx context.Context, key string, destination runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, tryUpdate storage.UpdateFunc, _ runtime.Object,
) error {
	current := emptyLike(destination)
	t, err := s.get(ctx, key, ignoreNotFound, current)
	if err != nil {
		return err
	}
	if err := preconditions.Check(etcdKey(key), current); err != nil {
		return err
	}
	updated, _, err := tryUpdate(current, storage.ResponseMeta{ResourceVersion: t.Revision})
	if err != nil {
		return err
	}
	if t.Kept != nil || t.empty() && s.keeps(t.Lasting) {
		return s.keep(t, updated, destination)
	}
	data, err := encodeForStorage(s.codec, updated)
	if err != nil {
		return err
	}
	if t.data == nil || !bytes.Equal(data, t.data) {
		t.write(s.codec, data)
	}
	return s.decodeInto(t, destination)
}

// GetList gives an empty list: a call never sees other objects than its own.
func (s *store) GetList(_ context.Context, _ string, _ storage.ListOptions, listObj runtime.Object) error {
	return Versioner.UpdateList(listObj, 1, "", nil)
}

func (s *store) Watch(context.Context, string, storage.ListOptions) (watch.Interface, error) {
	return nil, fmt.Errorf("watch %s: one call has nothing to watch", s.resource)
}

func (s *store) Stats(context.Context) (storage.Stats, error)              { return storage.Stats{}, nil }
func (s *store) ReadinessCheck() error                                     { return nil }
func (s *store) RequestWatchProgress(context.Context) error                { return nil }
func (s *store) GetCurrentResourceVersion(context.Context) (uint64, error) { return 1, nil }
func (s *store) EnableResourceSizeEstimation(storage.KeysFunc) error       { return nil }
func (s *store) CompactRevision() int64                                    { return 0 }

func (s *store) get(ctx context.Context, key string, ignoreNotFound bool, out runtime.Object) (*Transaction, error) {
	t := transactionFor(ctx, s.resource)
	if err := t.load(s); err != nil {
		return nil, storage.NewInternalError(err)
	}
	if t.empty() {
		if ignoreNotFound {
			return t, runtime.SetZeroValue(out)
		}
		return nil, storage.NewKeyNotFoundError(key, 0)
	}
	return t, s.decodeInto(t, out)
}

func (s *store) decodeInto(t *Transaction, out runtime.Object) error {
	switch {
	case t.Kept != nil:
		return shareInto(t.Kept, out, t.Revision)
	case t.Object != nil && !t.Written:
		return s.decodeOnce(t, out)
	}
	if _, _, err := s.codec.Decode(t.data, nil, out); err != nil {
		return storage.NewInternalError(err)
	}
	return Versioner.UpdateObject(out, t.Revision)
}

// decodeOnce has readers share what decoding gave.
func (s *store) decodeOnce(t *Transaction, out runtime.Object) error {
	if t.decoded == nil {
		obj := emptyLike(out)
		if _, _, err := s.codec.Decode(t.data, nil, obj); err != nil {
			return storage.NewInternalError(err)
		}
		t.decoded = obj
	}
	return shareInto(t.decoded, out, t.Revision)
}

func shareInto(obj, out runtime.Object, revision uint64) error {
	from, to := reflect.ValueOf(obj), reflect.ValueOf(out)
	if from.Type() != to.Type() {
		return storage.NewInternalError(fmt.Errorf("read %s into %s", from.Type(), to.Type()))
	}
	to.Elem().Set(from.Elem())
	return Versioner.UpdateObject(out, revision)
}

// etcdKey is the key as it stands in etcd, below the server's default prefix.
// Messages about preconditions name it.
func etcdKey(key string) string { return path.Join("/registry", key) }

// encodeForStorage drops what the etcd store keeps outside of the object.
func encodeForStorage(codec runtime.Codec, obj runtime.Object) (data []byte, err error) {
	err = asStored(obj, func() error {
		data, err = runtime.Encode(codec, obj)
		return err
	})
	return data, err
}

// asStored does something with an object while it lacks that.
func asStored(obj runtime.Object, do func() error) error {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	version, link := accessor.GetResourceVersion(), accessor.GetSelfLink()
	defer func() { accessor.SetResourceVersion(version); accessor.SetSelfLink(link) }()
	if err := Versioner.PrepareObjectForStorage(obj); err != nil {
		return fmt.Errorf("prepare for storage: %w", err)
	}
	return do()
}

// emptyLike makes an object of the destination's kind to read into.
func emptyLike(destination runtime.Object) runtime.Object {
	value, err := conversion.EnforcePtr(destination)
	if err != nil {
		panic(err)
	}
	if u, ok := destination.(runtime.Unstructured); ok {
		return u.NewEmptyInstance()
	}
	return reflect.New(value.Type()).Interface().(runtime.Object)
}

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
func (o BuiltinOptions) GetRESTOptions(
	resource schema.GroupResource,
	example runtime.Object,
) (generic.RESTOptions, error) {
	config, err := o.Factory.NewConfig(resource, example)
	if err != nil {
		return generic.RESTOptions{}, fmt.Errorf("storage of %s: %w", resource, err)
	}
	return restOptions(o.Factory.ResourcePrefix(resource), config), nil
}

// CodecOptions gives resources our storage with one codec for all.
type CodecOptions struct {
	Codec runtime.Codec
	// Version says all that the stored one does; nil where it is not needed.
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
