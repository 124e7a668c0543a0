package pool

import (
	"sync"

	"github.com/ssactl/ssactl/internal/guard"
)

// maxBeside is how many values may wait for their turn.
const maxBeside = 16

// Beside does work on values beside the caller, who goes on meanwhile: one after the
// other, in the order in which add is given them. add waits only where many are waiting
// already. wait is called once, and waits until all are done. What is added later, as by
// a build that nobody waits for any longer, is dropped. A panic of work comes up from
// wait, as the *guard.Error of it; the values behind are dropped.
func Beside[T any](work func(T)) (add func(T), wait func()) {
	values, done := make(chan T, maxBeside), make(chan error, 1)
	go func() {
		panicked := guard.Do(func() error {
			for v := range values {
				work(v)
			}
			return nil
		})
		for range values { //nolint:revive // nobody is to wait for a place
		}
		done <- panicked
	}()
	var mu sync.Mutex
	ended := false
	return func(v T) {
			mu.Lock()
			defer mu.Unlock()
			if !ended {
				values <- v
			}
		}, func() {
			mu.Lock()
			ended = true
			close(values)
			mu.Unlock()
			if panicked := <-done; panicked != nil {
				panic(panicked)
			}
		}
}
