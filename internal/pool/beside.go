package pool

import "github.com/ssactl/ssactl/internal/guard"

// maxBeside is how many values may wait for their turn.
const maxBeside = 16

// Beside does work on values beside the caller, who goes on meanwhile: one after the
// other, in the order in which add is given them. add waits only where many are waiting
// already. wait is called once, when no more are added, and waits until all are done. A
// panic of work comes up there, as the *guard.Error of it; the values behind are dropped.
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
	return func(v T) { values <- v }, func() {
		close(values)
		if panicked := <-done; panicked != nil {
			panic(panicked)
		}
	}
}
