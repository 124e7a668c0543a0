package chain

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher"
)

// cached is the storage of a resource whose watch cache begins when a client lists or watches it, and
// ends when nobody has done so for a while: a cache holds each object once more, decoded, and most
// clients look at few resources. What the server itself lists and watches, it reads where the objects
// are stored.
type cached struct {
	// Interface is the storage below the cache.
	storage.Interface
	make func() (*cacher.Cacher, error)
	// size is how many bytes the objects have as they are stored.
	size func() int64
	idle *idle

	mu       sync.Mutex
	stopped  bool
	cache    *cacher.Cacher
	delegate *cacher.CacheDelegator
	// users are the requests that use the cache, and expiry ends it without them.
	users  int
	expiry *time.Timer
	bytes  int64
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

// with is the storage with its cache, once that has all objects. The caller calls done when it does not
// use it any more.
func (c *cached) with(ctx context.Context) (with storage.Interface, done func(), err error) {
	cache, delegate, err := c.begin(ctx)
	if err != nil || cache == nil {
		return c.Interface, func() {}, err
	}
	if err := cache.Wait(ctx); err != nil {
		c.release()
		return nil, nil, err
	}
	return delegate, c.release, nil
}

// begin makes the cache, for one more user; nil if the storage has ended.
func (c *cached) begin(ctx context.Context) (*cacher.Cacher, *cacher.CacheDelegator, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil, nil, nil
	}
	if c.cache == nil {
		since, err := c.GetCurrentResourceVersion(ctx)
		if err != nil {
			return nil, nil, err
		}
		cache, err := c.make()
		if err != nil {
			return nil, nil, err
		}
		c.since, c.cache, c.delegate, c.bytes = since, cache, cacher.NewCacheDelegator(cache, c.Interface), c.size()
	}
	c.use()
	return c.cache, c.delegate, nil
}

// begun is the storage with the cache, if there is one. The caller calls done when it does not use it
// any more.
func (c *cached) begun() (with storage.Interface, done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.delegate == nil {
		return c.Interface, func() {}
	}
	c.use()
	return c.delegate, c.release
}

// use counts one more user, while the cache is locked.
func (c *cached) use() {
	if c.users++; c.expiry != nil {
		c.expiry.Stop()
		c.expiry = nil
		c.idle.remove(c)
	}
}

// release counts one user less. Without users, the cache ends after a while.
func (c *cached) release() {
	if bytes, unused := c.rest(); unused {
		c.idle.add(c, bytes)
	}
}

func (c *cached) rest() (bytes int64, unused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users > 0 || c.cache == nil {
		return 0, false
	}
	c.expiry = time.AfterFunc(idleTime, c.end)
	return c.bytes, true
}

// end ends the cache, if nobody uses it.
func (c *cached) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 {
		c.clear()
	}
}

// stop ends the cache for good.
func (c *cached) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.clear()
}

func (c *cached) clear() {
	if c.cache == nil {
		return
	}
	if c.expiry != nil {
		c.expiry.Stop()
		c.expiry = nil
	}
	c.idle.remove(c)
	c.delegate.Stop()
	c.cache.Stop()
	c.cache, c.delegate = nil, nil
}

// watching is a watch of a cache, which it uses until it is stopped.
type watching struct {
	watch.Interface
	done func()
}

// Stop implements watch.Interface.
func (w watching) Stop() {
	w.Interface.Stop()
	w.done()
}

// Watch implements storage.Interface. A cache that begins after the revision that a watch goes on
// from lacks events that the storage has.
func (c *cached) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	if ofServer(ctx) {
		return c.Interface.Watch(ctx, key, opts)
	}
	with, done, err := c.with(ctx)
	if err != nil {
		return nil, err
	}
	if c.lacks(opts) {
		done()
		return c.Interface.Watch(ctx, key, opts)
	}
	changes, err := with.Watch(ctx, key, opts)
	if err != nil {
		done()
		return nil, err
	}
	return watching{changes, sync.OnceFunc(done)}, nil
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
	with, done, err := c.with(ctx)
	if err != nil {
		return err
	}
	defer done()
	return with.GetList(ctx, key, opts, list)
}

// Get implements storage.Interface.
func (c *cached) Get(ctx context.Context, key string, opts storage.GetOptions, object runtime.Object) error {
	with, done := c.begun()
	defer done()
	return with.Get(ctx, key, opts, object)
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
	with, done := c.begun()
	defer done()
	return with.Delete(ctx, key, out, preconditions, validate, existing, opts)
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
	with, done := c.begun()
	defer done()
	return with.GuaranteedUpdate(ctx, key, to, ignoreNotFound, preconditions, update, existing)
}

// CompactRevision implements storage.Interface.
func (c *cached) CompactRevision() int64 {
	with, done := c.begun()
	defer done()
	return with.CompactRevision()
}
