package chain

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
)

// cached is the storage of a resource whose watch cache begins when a client first lists or watches
// it: a cache holds each object once more, decoded, and most clients look at few resources. What the
// server itself lists and watches, it reads where the objects are stored.
type cached struct {
	// Interface is the storage below the cache.
	storage.Interface
	make func() (*cacher.Cacher, error)

	mu       sync.Mutex
	stopped  bool
	cache    *cacher.Cacher
	delegate *cacher.CacheDelegator
	// since is the revision before which the cache has no events, and compacted that before which the
	// storage has none.
	since     uint64
	compacted func() int64
}

// ofServer reports whether a part of the server reads: a client within kube-apiserver, or a
// controller.
func ofServer(ctx context.Context) bool {
	by, known := request.UserFrom(ctx)
	return !known || by.GetName() == user.APIServerUser || by.GetName() == controllerUser
}

// with is the storage with its cache, once that has all objects.
func (c *cached) with(ctx context.Context) (storage.Interface, error) {
	cache, delegate, err := c.begin(ctx)
	if err != nil || cache == nil {
		return c.Interface, err
	}
	return delegate, cache.Wait(ctx)
}

// begin makes the cache; nil if the storage has ended.
func (c *cached) begin(ctx context.Context) (*cacher.Cacher, *cacher.CacheDelegator, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped || c.cache != nil {
		return c.cache, c.delegate, nil
	}
	since, err := c.GetCurrentResourceVersion(ctx)
	if err != nil {
		return nil, nil, err
	}
	cache, err := c.make()
	if err != nil {
		return nil, nil, err
	}
	c.since, c.cache, c.delegate = since, cache, cacher.NewCacheDelegator(cache, c.Interface)
	return c.cache, c.delegate, nil
}

// begun is the storage with the cache, if there is one.
func (c *cached) begun() storage.Interface {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.delegate == nil {
		return c.Interface
	}
	return c.delegate
}

// stop ends the cache.
func (c *cached) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped = true; c.cache == nil {
		return
	}
	c.delegate.Stop()
	c.cache.Stop()
	c.cache, c.delegate = nil, nil
}

// Watch implements storage.Interface. A cache that begins after the revision that a watch goes on
// from lacks events that the storage has.
func (c *cached) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	if ofServer(ctx) {
		return c.Interface.Watch(ctx, key, opts)
	}
	with, err := c.with(ctx)
	if err != nil {
		return nil, err
	}
	if c.lacks(opts) {
		return c.Interface.Watch(ctx, key, opts)
	}
	return with.Watch(ctx, key, opts)
}

// lacks reports whether a watch goes on from a revision after which the storage has events that the
// cache has not.
func (c *cached) lacks(opts storage.ListOptions) bool {
	from, err := c.Versioner().ParseResourceVersion(opts.ResourceVersion)
	if err != nil || from == 0 || opts.SendInitialEvents != nil && *opts.SendInitialEvents {
		// Of these the cache needs no events, and what is no revision it refuses.
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return from < c.since && int64(from) >= c.compacted()
}

// GetList implements storage.Interface.
func (c *cached) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	if ofServer(ctx) {
		return c.Interface.GetList(ctx, key, opts, list)
	}
	with, err := c.with(ctx)
	if err != nil {
		return err
	}
	return with.GetList(ctx, key, opts, list)
}

// Get implements storage.Interface.
func (c *cached) Get(ctx context.Context, key string, opts storage.GetOptions, object runtime.Object) error {
	return c.begun().Get(ctx, key, opts, object)
}

// Delete implements storage.Interface.
func (c *cached) Delete(
	ctx context.Context,
	key string,
	out runtime.Object,
	preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc,
	existing runtime.Object,
	opts storage.DeleteOptions,
) error {
	return c.begun().Delete(ctx, key, out, preconditions, validate, existing, opts)
}

// GuaranteedUpdate implements storage.Interface.
func (c *cached) GuaranteedUpdate(
	ctx context.Context,
	key string,
	to runtime.Object,
	ignoreNotFound bool,
	preconditions *storage.Preconditions,
	update storage.UpdateFunc,
	existing runtime.Object,
) error {
	return c.begun().GuaranteedUpdate(ctx, key, to, ignoreNotFound, preconditions, update, existing)
}

// CompactRevision implements storage.Interface.
func (c *cached) CompactRevision() int64 { return c.begun().CompactRevision() }
