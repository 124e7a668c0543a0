package pace

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		inUse   uint64
		objects int
		want    int
	}{
		{0, 0, 6500},
		{64 << 20, 0, 200},
		{256 << 20, 0, 50},
		{1 << 30, 0, 12},
		{1 << 40, 0, least},
		{64 << 20, 100_000, 200},
		{64 << 20, 256, 100},
		{32 << 20, 1, 100},
		{1 << 30, 1, fewLeast},
	} {
		if got := percent(tt.inUse, tt.objects); got != tt.want {
			t.Errorf("%d bytes in use for %d objects: %d, want %d", tt.inUse, tt.objects, got, tt.want)
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
	For(1)
	if percent := setting(); ours() && percent != -1 {
		t.Errorf("the collector's setting is %d before it is paced", percent)
	}
	Keep()
	For(100_000)
	if percent := setting(); percent != -1 {
		t.Errorf("the collector's setting is %d for many objects, want none before there is much", percent)
	}
	For(1)
	if percent := setting(); percent != 2003 {
		t.Errorf("the collector's setting is %d for one object", percent)
	}
	For(0)
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
