package pool

import "context"

// Within does work on a goroutine of its own, and tells whether it was done
// before ctx was. Where it was not, the work goes on with nobody waiting for
// it, and what it writes must not be read.
func Within(ctx context.Context, work func()) bool {
	t := task{work, make(chan struct{})}
	select {
	case tasks := <-idle:
		tasks <- t
	default:
		tasks := make(chan task, 1)
		tasks <- t
		go runner(tasks)
	}
	select {
	case <-t.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// task is work for a runner.
type task struct {
	work func()
	done chan struct{}
}

// idle are the runners that wait for work: the stack of a new goroutine is
// small, and growing it takes a twentieth of a short simulation.
var idle = make(chan chan<- task, maxIdle)

const maxIdle = 16

// runner does one task after the other, until enough others are idle.
func runner(tasks chan task) {
	for t := range tasks {
		t.work()
		select {
		case idle <- tasks:
			close(t.done)
		default:
			close(t.done)
			return
		}
	}
}
