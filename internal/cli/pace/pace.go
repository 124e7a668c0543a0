// Package pace keeps the garbage collector out of the way of a short run, and
// the garbage of a large run small.
//
// A process that applies one object ends before the collector need run at all.
// By itself the collector runs four times while the API server's packages
// initialize; so it is off from this package's own initialization on, which
// comes before theirs, and first runs when there is much.
//
// Then it would let as much garbage grow as there is in use: with the objects
// of a large dump in memory, that is hundreds of megabytes. What is held of them
// are texts, which cost the collector nothing to look through, so that it may
// run more often. Where few objects are answered, it does so soon: it runs a
// handful of times in all.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// first is how much memory there may be before the collector runs at all.
	first = 128 << 20
	// garbage is how many bytes of it may grow beside what is in use, and spare how
	// many more than are in use.
	garbage, spare = 128 << 20, 64 << 20
	// least keeps the collector from running all the time.
	least = 8
)

// Where few objects are answered, so much garbage may grow, and so much for each of them,
// and none is collected before there is that much more than little in use.
const (
	few       = 32 << 20
	perObject = 128 << 10
	little    = 48 << 20
	// fewLeast is least then.
	fewLeast = 50
)

func init() {
	if ours() {
		debug.SetGCPercent(-1)
	}
}

// ours reports whether the collector is left to this package: a setting of the
// environment stays as it is.
func ours() bool { return os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" }

// pacer is what is known of the run.
type pacer struct {
	mu sync.Mutex
	// kept: it paces. ran: so has the collector.
	kept, ran bool
	objects   int // that are answered; 0 while that is not known
}

var pace pacer

// Keep paces the garbage collector from now on. A process that imports this
// package has to call it, or else nothing collects.
func Keep() {
	if !ours() {
		return
	}
	pace.mu.Lock()
	defer pace.mu.Unlock()
	pace.kept = true
	debug.SetMemoryLimit(first)
	after(pace.follow)
}

// For tells that the run is to answer for so many objects.
func For(objects int) {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	if !pace.kept {
		return
	}
	pace.objects = objects
	if bound := bound(objects); !pace.ran && bound < garbage {
		debug.SetGCPercent(int(100 * (little + bound) / leastHeap))
	}
}

// leastHeap is the heap at which Go first collects where the setting is 100; it
// goes with the setting.
const leastHeap = 4 << 20

// follow sets the collector by what is in use, now and after each of its runs.
func (p *pacer) follow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	debug.SetGCPercent(percent(inUse(), p.objects))
	if !p.ran {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	p.ran = true
	after(p.follow)
}

// after calls a function after the next run of the collector.
func after(call func()) {
	s := &sentinel{}
	runtime.AddCleanup(s, func(struct{}) { call() }, struct{}{})
}

// sentinel is freed by each run of the collector. It is too large for the
// collector to put other small objects into its block.
type sentinel struct{ _ [64]byte }

// bound is how much garbage may grow where so many objects are answered.
func bound(objects int) uint64 {
	if objects == 0 {
		return garbage
	}
	return min(few+perObject*uint64(objects), garbage)
}

// percent is the setting of the collector where so many bytes are in use.
func percent(inUse uint64, objects int) int {
	inUse = max(inUse, 1<<20)
	bound, least := bound(objects), uint64(least)
	if bound < garbage {
		least = fewLeast
	}
	return int(max(least, 100*min(bound, inUse+spare)/inUse))
}

// inUse is how many bytes the last run of the collector found in use.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
