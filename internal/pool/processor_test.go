package pool

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// still is a meter that reads a clock of the test on demand.
func still(now *time.Duration) *meter {
	return &meter{clock: func() time.Duration { return *now }, watch: func(*meter) {}}
}

// What is done at once shares the processor time. What was given up still takes its
// share, and what has ended does not.
func TestMeterSharesTimeOut(t *testing.T) {
	var now time.Duration
	m := still(&now)
	pass := func(time time.Duration) {
		now += time
		m.tick()
	}
	is := func(ctx context.Context, over bool) {
		t.Helper()
		if got := ctx.Err() != nil; got != over {
			t.Errorf("at %s: over %v, want %v", now, got, over)
		}
	}
	hostile, left := m.limited(t.Context(), 10*time.Second)
	pass(9 * time.Second)
	other, ended := m.limited(t.Context(), 10*time.Second)
	pass(time.Second)
	is(hostile, false)
	pass(time.Second)
	is(hostile, true)
	left()
	pass(17 * time.Second)
	is(other, false)
	pass(time.Second)
	is(other, true)
	ended()

	short, ends := m.limited(t.Context(), 10*time.Second)
	ends()
	pass(time.Hour)
	if cause := context.Cause(short); !errors.Is(cause, context.Canceled) {
		t.Errorf("what has ended: %v", cause)
	}
}

// A bound within another counts from where it begins; both end what is in them.
func TestMeterWithin(t *testing.T) {
	var now time.Duration
	m := still(&now)
	outer, ended := m.limited(t.Context(), 10*time.Second)
	defer ended()
	for range 2 {
		inner, done := m.limited(outer, 4*time.Second)
		now += 3 * time.Second
		m.tick()
		if inner.Err() != nil {
			t.Errorf("at %s: %v", now, context.Cause(inner))
		}
		done()
	}
	inner, done := m.limited(outer, 5*time.Second)
	defer done()
	now += 4 * time.Second
	m.tick()
	var late *LimitError
	if !errors.As(context.Cause(inner), &late) || late.Limit != 10*time.Second {
		t.Errorf("the cause is %v", context.Cause(inner))
	}
}

// Time that the machine has for others does not count, and work that heeds nothing is
// left.
func TestLimit(t *testing.T) {
	var stop atomic.Bool
	defer stop.Store(true)
	_, err := Limit(t.Context(), 10*time.Millisecond, func(context.Context) int {
		for !stop.Load() {
		}
		return 1
	})
	if err == nil || err.Error() != "no answer after 10ms of processor time" {
		t.Errorf("got %v", err)
	}
	if got, err := Limit(t.Context(), time.Hour, func(context.Context) int { return 2 }); got != 2 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	if processorTime() <= 0 {
		t.Error("the clock of the process stands still")
	}
}
