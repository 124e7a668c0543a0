// Package pace keeps the garbage of a large run small. By itself the garbage
// collector lets as much garbage grow as there is in use: with the objects of a
// large dump in memory, that is hundreds of megabytes. What is held of them are
// texts, which cost the collector nothing to look through, so that it may run
// more often.
package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// usual is the collector's setting while little is in use.
	usual = 100
	// garbage is how many bytes of it may grow beside what is in use.
	garbage = 128 << 20
	// least keeps the collector from running all the time.
	least = 8
)

// Keep paces the garbage collector from now on, after each of its runs. It
// leaves a setting of the environment as it is.
func Keep() {
	if os.Getenv("GOGC") != "" {
		return
	}
	arm()
}

// sentinel is freed by each run of the collector. It is too large for the
// collector to put other small objects into its block.
type sentinel struct{ _ [64]byte }

func arm() {
	s := &sentinel{}
	runtime.AddCleanup(s, func(struct{}) {
		debug.SetGCPercent(percent(inUse()))
		arm()
	}, struct{}{})
}

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
