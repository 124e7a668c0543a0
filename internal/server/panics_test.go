package server

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

type panicky struct{}

func (*panicky) index(of []int, i int) int { return of[i] }

// TestPanicked: one line that names the function, whether the panic comes as it
// is or with its stack in the text, as the handlers hand it on.
func TestPanicked(t *testing.T) {
	const want = "the API server's code panicked: runtime error: index out of range [3] with length 0 (in github.com/ssactl/ssactl/internal/server.(*panicky).index)"
	for _, handedOn := range []bool{false, true} {
		func() {
			defer func() {
				p, stack := recover(), string(debug.Stack())
				if handedOn {
					p, stack = fmt.Sprintf("%v\n%s", p, stack), "goroutine 1 [running]:\nmain.main()\n"
				}
				err := panicked(p, stack)
				if !errors.Is(err, ErrPanicked) || err.Error() != want {
					t.Errorf("handed on %t:\ngot  %q\nwant %q", handedOn, err, want)
				}
			}()
			(&panicky{}).index(nil, 3)
		}()
	}
	if got := panicked("boom", "").Error(); !strings.HasSuffix(got, "panicked: boom") {
		t.Errorf("got %q", got)
	}
}
