// Package pool does independent work in parallel and hands out what it gives in
// order, while the rest is still being done. Work that may never end is done
// where it can be left alone.
package pool

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/ssactl/ssactl/internal/guard"
)

// Options say how much is done at once.
type Options struct {
	// Jobs is the number of workers; at least 1 is started.
	Jobs int
	// Window bounds what is begun and not yet taken: where one number takes
	// long, the workers run ahead of it so far and then wait. It is at least
	// Jobs.
	Window int
}

// Run calls work for the numbers from 0 to n-1, several at once, and hands what
// it gives to take, in the order of the numbers and on the goroutine of the
// caller. It gives the number of values that were taken, which are those of the
// first numbers.
//
// When ctx is done, no further work is begun; what is begun is finished, with a
// context that is not done, and taken where everything before it is, unless it
// takes longer than patience: then it is left alone. An error of take ends the run
// likewise, and is given; the value that it refused does not count as taken. A panic
// of work comes up on the goroutine of the caller, as the *guard.Error of it.
func Run[T any](
	ctx context.Context,
	n int,
	o Options,
	work func(context.Context, int) T,
	take func(int, T) error,
) (int, error) {
	o.Jobs = max(1, min(o.Jobs, n))
	finishing := context.WithoutCancel(ctx)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	places := make(chan struct{}, max(o.Window, o.Jobs))
	values := answers(begin(ctx, n, places), o.Jobs, func(i int) (T, error) {
		return guard.Value(func() (T, error) { return work(finishing, i), nil })
	})

	taken := 0
	var failure error
	waiting := map[int]T{}
	for v := range until(late(ctx), values) {
		if v.panicked != nil {
			panic(v.panicked)
		}
		waiting[v.number] = v.value
		for failure == nil {
			next, ready := waiting[taken]
			if !ready {
				break
			}
			delete(waiting, taken)
			if failure = take(taken, next); failure != nil {
				stop()
				break
			}
			taken++
			<-places
		}
	}
	return taken, failure
}

// patience is how long what is begun may take after an interrupt.
const patience = 600 * time.Millisecond

// late gives a channel that is closed once the context has been done for so long.
func late(ctx context.Context) <-chan struct{} {
	out := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(patience, func() { close(out) }) })
	return out
}

// until gives the values of a channel until it is closed, or the other one is.
func until[T any](end <-chan struct{}, values <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v, more := <-values:
				if !more || !yield(v) {
					return
				}
			case <-end:
				return
			}
		}
	}
}

// begin gives out the numbers, each as soon as there is a place for it.
func begin(ctx context.Context, n int, places chan<- struct{}) <-chan int {
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for i := range n {
			// Of several channels that are ready select takes any.
			if ctx.Err() != nil {
				return
			}
			select {
			case places <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case numbers <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return numbers
}

type answer[T any] struct {
	number   int
	value    T
	panicked error
}

// answers gives the values of the numbers, in the order in which they are done.
func answers[T any](numbers <-chan int, jobs int, work func(int) (T, error)) <-chan answer[T] {
	values := make(chan answer[T], jobs)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range numbers {
				value, panicked := work(i)
				values <- answer[T]{i, value, panicked}
			}
		})
	}
	go func() {
		workers.Wait()
		close(values)
	}()
	return values
}

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

// Within does work on a goroutine of its own, and reports whether it was done
// before ctx was. Where it was not, the work goes on with nobody waiting for
// it, and what it writes must not be read. A panic of work comes up here, as the
// *guard.Error of it.
func Within(ctx context.Context, work func()) bool {
	t := task{work, make(chan error, 1)}
	select {
	case tasks := <-idle:
		tasks <- t
	default:
		tasks := make(chan task, 1)
		tasks <- t
		go runner(tasks)
	}
	select {
	case panicked := <-t.done:
		if panicked != nil {
			panic(panicked)
		}
		return true
	case <-ctx.Done():
		return false
	}
}

// task is work for a runner.
type task struct {
	work func()
	// done gets what the work panicked with; nil where it came to its end.
	done chan error
}

// idle are the runners that wait for work: the stack of a new goroutine is
// small, and growing it takes a twentieth of a short simulation.
var idle = make(chan chan<- task, maxIdle)

const maxIdle = 16

// runner does one task after the other, until enough others are idle.
func runner(tasks chan task) {
	for t := range tasks {
		panicked := guard.Do(func() error { t.work(); return nil })
		select {
		case idle <- tasks:
			t.done <- panicked
		default:
			t.done <- panicked
			return
		}
	}
}
