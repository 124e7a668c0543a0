// Package guard runs code that may panic, above all the API server's, and turns
// a panic into an error that names the function. It is the only place of the
// project that recovers: one hostile object has no answer, and all others have
// theirs.
package guard

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// Do does work. A panic comes back as an *Error.
func Do(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newError(p, string(debug.Stack()))
		}
	}()
	return work()
}

// Value is Do for work that has a value: with a panic it is the zero value.
func Value[T any](work func() (T, error)) (T, error) {
	var value T
	err := Do(func() (err error) {
		value, err = work()
		return err
	})
	if panicked := (*Error)(nil); errors.As(err, &panicked) {
		var none T
		return none, err
	}
	return value, err
}

// Or gives what work gives; where it panics, what instead makes of the *Error.
func Or[T any](work func() T, instead func(error) T) T {
	value, err := Value(func() (T, error) { return work(), nil })
	if err != nil {
		return instead(err)
	}
	return value
}

// Error is a panic that was recovered.
type Error struct {
	// Cause is the first line of what the code panicked with.
	Cause string
	// Function is the one that panicked; empty where the stack does not tell.
	Function string
}

// Error implements error, in one line and without the stack, which tells users
// nothing.
func (e *Error) Error() string { return "internal error: " + e.Detail() }

// Detail is the cause with the function.
func (e *Error) Detail() string {
	if e.Function == "" {
		return e.Cause
	}
	return fmt.Sprintf("%s (in %s)", e.Cause, e.Function)
}

// newError is the error for what was recovered. One that was recovered before
// and handed on, as to another goroutine, stays as it is.
func newError(recovered any, stack string) *Error {
	if e, ok := recovered.(*Error); ok {
		return e
	}
	// Upstream's handlers recover in a goroutine of theirs, and panic again
	// with a text that ends in the stack of the first panic.
	cause, inner, found := strings.Cut(fmt.Sprint(recovered), "\n")
	if found && strings.Contains(inner, "\npanic(") {
		stack = inner
	}
	return &Error{Cause: cause, Function: origin(stack)}
}

// origin is the function that called panic, of a stack as runtime/debug writes
// it: two lines for each frame, innermost first.
func origin(stack string) string {
	_, after, found := strings.Cut(stack, "\npanic(")
	if !found {
		return ""
	}
	for i, line := range strings.Split(after, "\n") {
		// The lines at odd places, from 2 on, name functions; those of the
		// runtime stand between the panic and what caused it.
		if i >= 2 && i%2 == 0 && !strings.HasPrefix(line, "runtime.") {
			name, _, _ := strings.Cut(line, "({")
			name = strings.TrimSuffix(name, "(...)")
			if cut := strings.LastIndex(name, "("); cut > 0 && !strings.HasPrefix(name[cut:], "(*") {
				name = name[:cut]
			}
			return name
		}
	}
	return ""
}
