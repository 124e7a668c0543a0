package api

import (
	"errors"
	"fmt"
	"sync"

	"github.com/ssactl/ssactl/internal/guard"
)

// ErrPanicked is wrapped by errors for a panic in the server's code. A real server
// answers such a request with 500 and goes on; whether it would have panicked is not
// known here.
var ErrPanicked = errors.New("the API server's code panicked")

// Guarded runs the server's code, making of storages and schemas included. What
// it is asked is hostile at times, and MustXxx functions are in it.
func Guarded[T any](work func() (T, error)) (T, error) {
	value, err := guard.Value(work)
	var p *guard.Error
	if errors.As(err, &p) {
		err = fmt.Errorf("%w: %s", ErrPanicked, p.Detail())
	}
	return value, err
}

// OnceGuarded is guarded work that is done once: all who ask get its value, or
// its error.
func OnceGuarded[T any](work func() (T, error)) func() (T, error) {
	return sync.OnceValues(func() (T, error) { return Guarded(work) })
}

// ErrNotSimulated is what an error wraps that tells of a path which a server
// has and this one does not answer.
var ErrNotSimulated = errors.New("not simulated")
