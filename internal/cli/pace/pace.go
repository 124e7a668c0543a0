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
	// first is how much memory there may be before the collector runs at all, where
	// many objects are answered or nobody knows how many.
	first = 128 << 20
	// garbage is how many bytes of it may grow beside what is in use, and spare how
	// many more than are in use.
	garbage, spare = 128 << 20, 48 << 20
	// least keeps the collector from running all the time, as percentage of what is in use.
	least = 8
)

// Where few objects are answered, there may be fewFirst of memory, or what is in use and
// fewBeside, or what is in use and a quarter of that: whichever is most. Each object beyond
// fewest adds perObject.
const (
	fewFirst  = 76 << 20
	fewBeside = 36 << 20
	fewest    = 200
	perObject = 128 << 10
)

func init() {
	if ours() {
		debug.SetGCPercent(-1)
		askForHugePages()
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

// For paces the run as one that is to answer for so many objects.
func For(objects int) {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	if !pace.kept {
		return
	}
	pace.objects = objects
	if !pace.ran && isFew(objects) {
		debug.SetMemoryLimit(limit(0, objects))
	}
}

// follow sets the collector by what is in use, now and after each of its runs. For few
// objects it sets a limit, which counts at once. For many it sets a percentage of what is
// in use, which counts only when it is set anew, and that may be late.
func (p *pacer) follow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ran = true
	inUse := inUse()
	if isFew(p.objects) {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit(inUse, p.objects))
	} else {
		debug.SetGCPercent(percent(inUse))
		debug.SetMemoryLimit(math.MaxInt64)
	}
	after(p.follow)
}

// after calls a function after the next run of the collector.
func after(call func()) {
	s := &sentinel{}
	runtime.AddCleanup(s, func(struct{}) { call() }, struct{}{})
}

// sentinel is freed by each run of the collector, and at once: the sweeper begins with
// what has pointers and is too large to share a block.
type sentinel [5 << 10]*byte

// isFew reports whether so many objects are few. 0 is for any number.
func isFew(objects int) bool { return objects > 0 && limit(0, objects) < first }

// limit is how much memory there may be where few objects are answered, and so many
// bytes are in use.
func limit(inUse uint64, objects int) int64 {
	more := perObject * uint64(max(0, objects-fewest))
	return int64(max(fewFirst, inUse+max(fewBeside, inUse/4)) + more)
}

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
