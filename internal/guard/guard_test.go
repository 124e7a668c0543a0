package guard

import (
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type panicky struct{}

func (*panicky) index(of []int, i int) int { return of[i] }

func goPanic() (struct{}, error) {
	(&panicky{}).index(nil, 3)
	return struct{}{}, nil
}

var want = &Error{
	Cause:    "runtime error: index out of range [3] with length 0",
	Function: "github.com/ssactl/ssactl/internal/guard.(*panicky).index",
}

// TestPanic: one line that names the function, whether the panic comes as it is,
// with its stack in the text, as the API server's handlers hand it on, or as the
// error of another guard.
func TestPanic(t *testing.T) {
	handOn := map[string]func(p any, stack string) any{
		"":               nil,
		"with its stack": func(p any, stack string) any { return fmt.Sprintf("%v\n%s", p, stack) },
		"as an error":    func(p any, stack string) any { return newError(p, stack) },
	}
	for name, again := range handOn {
		_, err := Value(func() (struct{}, error) {
			defer func() {
				if again != nil {
					panic(again(recover(), string(debug.Stack())))
				}
			}()
			return goPanic()
		})
		if diff := cmp.Diff(error(want), err); diff != "" {
			t.Errorf("handed on %s: (-want +got)\n%s", name, diff)
		}
	}
	const line = "internal error: runtime error: index out of range [3] with length 0 (in github.com/ssactl/ssactl/internal/guard.(*panicky).index)"
	if diff := cmp.Diff(line, want.Error()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSeveralLines: a cause of several lines, none of them a stack, keeps the
// function.
func TestSeveralLines(t *testing.T) {
	err := Do(func() error { panic("one\ntwo") })
	var p *Error
	if !errors.As(err, &p) || p.Cause != "one" || p.Function == "" {
		t.Errorf("got %#v", err)
	}
}

// TestNoPanic: values and errors come as they are.
func TestNoPanic(t *testing.T) {
	failure := errors.New("failure")
	if got, err := Value(func() (int, error) { return 3, failure }); got != 3 || !errors.Is(err, failure) {
		t.Errorf("got %d, %v", got, err)
	}
	if got := Or(func() int { return 3 }, func(error) int { return 4 }); got != 3 {
		t.Errorf("got %d", got)
	}
	if got := Or(func() int { panic("x") }, func(error) int { return 4 }); got != 4 {
		t.Errorf("with a panic, got %d", got)
	}
}
