package guard

import (
	"errors"
	"runtime/debug"
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
