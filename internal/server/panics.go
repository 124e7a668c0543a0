package server

import (
	"errors"
	"fmt"
	"strings"
)

// ErrPanicked is what an error wraps that tells of a panic in the server's
// code. A real server answers such a request with 500 and goes on; here nobody
// can tell whether it would have panicked too.
var ErrPanicked = errors.New("the API server's code panicked")

// panicked is the error for what was recovered: in one line, with the function
// that panicked, and not the stack, which tells users nothing.
func panicked(recovered any, stack string) error {
	// The handlers recover in a goroutine of theirs, and panic again with a
	// text that ends in the stack of the first panic.
	text := fmt.Sprint(recovered)
	cause, inner, found := strings.Cut(text, "\n")
	if found {
		stack = inner
	}
	if origin := panicOrigin(stack); origin != "" {
		cause += " (in " + origin + ")"
	}
	return fmt.Errorf("%w: %s", ErrPanicked, cause)
}

// panicOrigin is the function that called panic, of a stack as runtime/debug
// writes it: two lines for each frame, innermost first.
func panicOrigin(stack string) string {
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
