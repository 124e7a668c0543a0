package pace

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPercent(t *testing.T) {
	for inUse, want := range map[uint64]int{
		0:         usual,
		128 << 20: usual,
		256 << 20: 50,
		1 << 30:   12,
		1 << 40:   least,
	} {
		if got := percent(inUse); got != want {
			t.Errorf("%d bytes in use: %d, want %d", inUse, got, want)
		}
	}
}

// Where much is in use, the setting follows, and goes back afterwards.
func TestKeep(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(usual)
	defer debug.SetGCPercent(before)
	Keep()
	much := make([]byte, 400<<20)
	settles(t, func(percent int) bool { return percent < usual })
	runtime.KeepAlive(much)
	much = nil
	settles(t, func(percent int) bool { return percent == usual })
}

// settles runs the collector until its setting is as it should be: cleanups
// run some time after it.
func settles(t *testing.T, right func(int) bool) {
	t.Helper()
	for {
		runtime.GC()
		percent := debug.SetGCPercent(usual)
		debug.SetGCPercent(percent)
		if right(percent) {
			return
		}
	}
}
