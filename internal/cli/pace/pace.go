// Package pace keeps the garbage collector out of the way of a short run, and
// the garbage of a large run small.
//
// A process that applies one object ends before the collector need run at all.
// By itself the collector runs four times while the API server's packages
// initialize; so it is off from this package's own initialization on, which
// comes before theirs, and first runs when there are many objects.
//
// Then it would let as much garbage grow as there is in use: with the objects
// of a large dump in memory, that is hundreds of megabytes. What is held of them
// are texts, which cost the collector nothing to look through, so that it may
// run more often.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// first is how much memory there may be before the collector runs at all.
	first = 128 << 20
	// usual is the collector's setting while little is in use.
	usual = 100
	// garbage is how many bytes of it may grow beside what is in use.
	garbage = 128 << 20
	// least keeps the collector from running all the time.
	least = 8
	// ballast is memory that is never touched, and so takes none of the
	// machine's. It makes the collector of many objects run half as often.
	ballast = 64 << 20
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
	if !ours() {
		return
	}
	debug.SetMemoryLimit(first)
	after(func() {
		follow(make([]byte, ballast))
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

// follow sets the collector by what is in use, now and after each of its runs.
// It holds on to the ballast.
func follow(ballast []byte) {
	debug.SetGCPercent(percent(inUse()))
	after(func() { follow(ballast) })
}

// after calls a function after the next run of the collector.
func after(call func()) {
	s := &sentinel{}
	runtime.AddCleanup(s, func(struct{}) { call() }, struct{}{})
}

// sentinel is freed by each run of the collector. It is too large for the
// collector to put other small objects into its block.
type sentinel struct{ _ [64]byte }

// percent is the setting of the collector where so many bytes are in use.
func percent(inUse uint64) int {
	if inUse*usual/100 <= garbage {
		return usual
	}
	return max(least, int(garbage*100/inUse))
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
