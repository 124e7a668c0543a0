package pool

import (
	"context"
	"runtime"
	"sync"
	"testing"
)

func TestWithin(t *testing.T) {
	for i := range 100 {
		done := 0
		if !Within(t.Context(), func() { done = i + 1 }) || done != i+1 {
			t.Fatalf("work %d: got %d", i, done)
		}
	}
}

// What takes too long is left alone, and holds nobody else up.
func TestWithinGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hold, ended := make(chan struct{}), make(chan struct{})
	if Within(ctx, func() { cancel(); <-hold; close(ended) }) {
		t.Error("work that has not ended is told as done")
	}
	if !Within(t.Context(), func() {}) {
		t.Error("the next work is held up")
	}
	close(hold)
	<-ended
}

// However many ran at once, few goroutines are kept.
func TestWithinKeepsFew(t *testing.T) {
	before := runtime.NumGoroutine()
	const many = 10 * maxIdle
	var callers, begun sync.WaitGroup
	begun.Add(many)
	for range many {
		callers.Go(func() {
			Within(context.Background(), func() { begun.Done(); begun.Wait() })
		})
	}
	callers.Wait()
	for runtime.NumGoroutine() > before+maxIdle {
		runtime.Gosched()
	}
}
