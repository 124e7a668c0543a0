package pace

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPercent(t *testing.T) {
	for inUse, want := range map[uint64]int{
		0:         2500,
		64 << 20:  137,
		256 << 20: 37,
		1 << 30:   9,
		1 << 40:   least,
	} {
		if got := percent(inUse); got != want {
			t.Errorf("%d bytes in use: %d, want %d", inUse, got, want)
		}
	}
}

// The collector is off at first. Once it ran, its setting follows what is in
// use, and goes back afterwards.
func TestKeep(t *testing.T) {
	if percent := setting(); ours() && percent != -1 {
		t.Errorf("the collector's setting is %d before all", percent)
	}
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetGCPercent(100)
	Keep()
	if limit := debug.SetMemoryLimit(-1); limit != first {
		t.Errorf("it first runs at %d bytes, want %d", limit, first)
	}
	defer func() {
		if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
			t.Errorf("there is still a limit of %d bytes", limit)
		}
	}()
	much := make([]byte, 400<<20)
	settles(t, func(percent int) bool { return percent < 100 })
	runtime.KeepAlive(much)
	much = nil
	settles(t, func(percent int) bool { return percent > 100 })
}

// settles runs the collector until its setting is as it should be: cleanups
// run some time after it.
func settles(t *testing.T, right func(int) bool) {
	t.Helper()
	for {
		runtime.GC()
		if right(setting()) {
			return
		}
	}
}

func setting() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}
