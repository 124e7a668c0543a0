package stories

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// TestWatch: a story runs again when its file or one that it applies changes, and no other one
// does; an interrupt ends it with the verdict of the last run.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	// Files are put there whole, as editors do: a run must not see half of one.
	made := filepath.Join(t.TempDir(), "made")
	write := func(name, text string) {
		err := os.WriteFile(made, []byte(text), 0o600)
		if err = errors.Join(err, os.Rename(made, filepath.Join(dir, name))); err != nil {
			t.Error(err)
		}
	}
	one := func(name, applies, outcome string) string {
		return fmt.Sprintf("apiVersion: ssactl.dev/v1alpha1\nkind: Story\nname: %s\nsteps:\n"+
			"- {apply: %s, expect: {outcome: %s}}\n", name, applies, outcome)
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("files/c.yaml", configMap)
	write("a.yaml", one("first", "files/c.yaml", "Created"))
	write("b.yaml", one("second", configMap, "Created"))

	execute := func(context.Context, []string) (out, errs []byte, code int) {
		return []byte(`{"results": [{"target": {"apiVersion": "v1", "kind": "ConfigMap", "name": "c"}, "outcome": "Created",
			"code": 201, "object": ` + configMap + `}]}`), nil, 0
	}
	read, written := io.Pipe()
	streams := iostreams.New(strings.NewReader(""), written, written, nil)
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		a := &app.App{Streams: streams, Secrets: redact.New()}
		cmd := New(a, execute)
		cmd.SetArgs([]string{dir, "--watch", "--jobs", "1"})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		ended <- cmd.ExecuteContext(ctx)
		written.Close()
	}()
	lines := bufio.NewScanner(read)
	until := func(says string) {
		t.Helper()
		var seen []string
		for lines.Scan() {
			seen = append(seen, lines.Text())
			if strings.Contains(lines.Text(), "watching for changes") {
				if all := strings.Join(seen, "\n"); !strings.Contains(all, says) {
					t.Errorf("a run says, without %q:\n%s", says, all)
				}
				return
			}
		}
		t.Fatalf("no run ends: %s", seen)
	}
	until("2 stories: 2 passed")
	write("files/c.yaml", configMap+"\n")
	until("1 story: 1 passed")
	write("b.yaml", one("second", configMap, "Unchanged"))
	until("1 story: 0 passed, 1 failed")
	interrupt()
	go func() { _, _ = io.Copy(io.Discard, read) }()
	if err := <-ended; err == nil || err.Error() != app.ErrNo.Error() {
		t.Errorf("it ends with %v", err)
	}
}
