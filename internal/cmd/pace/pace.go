// Package pace keeps the garbage collector out of the way of a short run, and
// the garbage of a large run small.
//
// By itself the collector runs four times while the API server's packages initialize,
// and a process that applies one small object ends before it need run at all. So it is
// off from this package's own initialization on, which comes before theirs, and first
// runs when there is much. Then it would let as much garbage grow as there is in use:
// with a large dump in memory, hundreds of megabytes. Most of what is held are texts,
// which cost the collector nothing, so that it may run more often.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// first is how many bytes of memory there may be before the collector runs at all.
	first = 104 << 20
	// garbage is how many bytes of it may grow on top of what is in use, and spare how
	// many more than are in use.
	garbage, spare = 96 << 20, 24 << 20
	// least keeps the collector from running all the time, as percentage of what is in use.
	least = 8
)

func init() {
	if ours() {
		debug.SetGCPercent(-1)
	}
}

// ours reports whether the collector is left to this package: a setting of the
// environment stays as it is.
func ours() bool { return os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" }

// Keep paces the garbage collector from now on. A process that imports this
// package has to call it, or else nothing collects.
func Keep() {
	if ours() {
		debug.SetMemoryLimit(first)
		after(follow)
	}
}

// follow sets the collector by what is in use, now and after each of its runs.
func follow() {
	debug.SetGCPercent(percent(inUse()))
	debug.SetMemoryLimit(math.MaxInt64)
	after(follow)
}

// after calls a function after the next run of the collector.
func after(call func()) {
	s := &sentinel{}
	runtime.AddCleanup(s, func(struct{}) { call() }, struct{}{})
}

// sentinel is freed by each run of the collector, and at once: the sweeper begins with
// what has pointers and is too large to share a block.
type sentinel [5 << 10]*byte

// percent is the setting of the collector where so many bytes are in use.
func percent(inUse uint64) int {
	inUse = max(inUse, 1<<20)
	return int(max(least, 100*min(garbage, inUse+spare)/inUse))
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
