package pool

import (
	"context"

	"github.com/ssactl/ssactl/internal/guard"
)

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
