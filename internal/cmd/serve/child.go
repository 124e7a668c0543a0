package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// child is the program of a server that runs. It ends when its standard input does, so it ends
// with this process however that ends.
type child struct {
	cmd   *exec.Cmd
	input io.WriteCloser
	// patience is how long it may take to end.
	patience time.Duration
	ready    wire.Ready
	// ended is closed when the program says nothing any more. Then writes are all that clients
	// wrote, and failure is why it ended; nil if it was told to.
	ended   chan struct{}
	writes  []wire.Write
	failure error
	// close ends the server, and returns when it has ended.
	close func() error
}

// goodbye is how long a server may take to end, and writing how long if it writes objects back.
const (
	goodbye = 750 * time.Millisecond
	writing = time.Minute
)

// start starts the server, and returns when it is ready.
func start(ctx context.Context, spec wire.Spec) (*child, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	// Its end is that of its standard input, not that of the context.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaints strings.Builder
	cmd.Stderr, cmd.WaitDelay = &complaints, goodbye
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	c := &child{cmd: cmd, input: in, ended: make(chan struct{})}
	c.close = sync.OnceValue(c.end)
	if c.patience = goodbye; spec.WriteBack != "" {
		c.patience = writing
	}
	ended := context.AfterFunc(ctx, func() { in.Close() })
	defer ended()
	if err := json.NewEncoder(in).Encode(spec); err != nil {
		close(c.ended)
		return nil, errors.Join(fmt.Errorf("tell %s what to serve: %w", path, err), c.close())
	}
	ready := make(chan wire.Ready, 1)
	go c.hear(out, ready)
	select {
	case c.ready = <-ready:
		return c, nil
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), c.close())
	case <-c.ended:
	}
	closed := c.close()
	if c.failure == nil {
		c.failure = fmt.Errorf("%s ended before it was ready: %s", wire.Program, lastLine(complaints.String()))
	}
	return nil, errors.Join(c.failure, closed)
}

// hear takes what the program says until it says nothing any more.
func (c *child) hear(out io.Reader, ready chan<- wire.Ready) {
	defer close(c.ended)
	for event, err := range wire.Events(out) {
		switch {
		case err != nil:
			c.failure = err
		case event.Failed != nil:
			c.failure = errors.New(event.Failed.Message)
		case event.Ready != nil:
			ready <- *event.Ready
		case event.Write != nil:
			c.writes = append(c.writes, *event.Write)
		}
	}
}

func (c *child) end() error {
	// It may have ended already.
	_, _ = io.WriteString(c.input, wire.End)
	c.input.Close()
	killed := time.AfterFunc(c.patience, func() { _ = c.cmd.Process.Kill() })
	defer killed.Stop()
	<-c.ended
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

// find is the program of the server: next to this one, or in PATH.
func find() (string, error) {
	name := wire.Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err == nil {
		if path := filepath.Join(filepath.Dir(self), name); isFile(path) {
			return path, nil
		}
	}
	path, err := exec.LookPath(wire.Program)
	if err != nil {
		return "", fmt.Errorf(
			"%[1]s, the API server of this command, is neither next to %[2]s (%[3]s) nor in PATH: releases have both; "+
				"from source, 'go install github.com/ssactl/ssactl/cmd/%[1]s@latest', or 'make build' in a checkout",
			wire.Program, program.Name, filepath.Dir(self),
		)
	}
	return path, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// lastLine is the end of what a program complained, or that it said nothing.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it gave no reason"
}
