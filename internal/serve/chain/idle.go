package chain

import (
	"slices"
	"sync"
	"time"
)

// A cache that nobody uses is kept for a while, as most clients list a resource again, and together with
// others while what they hold is small: decoded, it is several times as large as it is stored.
const (
	idleTime  = 10 * time.Second
	idleBytes = 32 << 20
)

// idle are the caches of a server that nobody uses, the one that was used last at the end.
type idle struct {
	mu  sync.Mutex
	all []resting
}

type resting struct {
	*cached
	bytes int64
}

// add has a cache end after a while, and others before that which were used longer ago.
func (i *idle) add(c *cached, bytes int64) {
	for _, old := range i.put(resting{c, bytes}) {
		old.end()
	}
}

// put returns the caches that are too many.
func (i *idle) put(c resting) (ended []resting) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = append(slices.DeleteFunc(i.all, func(other resting) bool { return other.cached == c.cached }), c)
	var bytes int64
	for _, each := range i.all {
		bytes += each.bytes
	}
	for len(i.all) > 1 && bytes > idleBytes {
		bytes -= i.all[0].bytes
		ended, i.all = append(ended, i.all[0]), i.all[1:]
	}
	return ended
}

// remove takes a cache out: it is used, or has ended.
func (i *idle) remove(c *cached) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = slices.DeleteFunc(i.all, func(other resting) bool { return other.cached == c })
}
