package cli

import (
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
)

// full is a device without space.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// Help that cannot be written is trouble, as any output is; of a reader that
// has gone away nothing is said.
func TestHelpThatCannotBeWritten(t *testing.T) {
	for _, args := range []string{"", "-h", "help", "migrate -h", "help migrate", "completion bash", "completion -h", "version"} {
		for _, c := range []struct {
			err  error
			want string
		}{{errors.New("no space left"), "error: no space left\n"}, {syscall.EPIPE, ""}} {
			var errs bytes.Buffer
			code := Main(strings.Fields(args), iostreams.New(strings.NewReader(""), full{c.err}, &errs, nil))
			if code != exitTrouble || errs.String() != c.want {
				t.Errorf("%q: exit code %d, %q, want %q", args, code, errs.String(), c.want)
			}
		}
	}
}
