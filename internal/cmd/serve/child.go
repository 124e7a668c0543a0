package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// child is the program of a server that runs. It ends when its standard input does, so it ends
// with this process however that ends.
type child struct {
	cmd    *exec.Cmd
	input  io.Closer
	events func() (wire.Event, error, bool)
	stop   func()
	ready  wire.Ready
}

// goodbye is how long a server may take to end.
const goodbye = 750 * time.Millisecond

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
	c := &child{cmd: cmd, input: in}
	c.events, c.stop = iter.Pull2(wire.Events(out))
	ended := context.AfterFunc(ctx, func() { in.Close() })
	defer ended()
	if err := json.NewEncoder(in).Encode(spec); err != nil {
		return nil, errors.Join(fmt.Errorf("tell %s what to serve: %w", path, err), c.close())
	}
	event, err, ok := c.events()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil:
	case !ok:
		err = fmt.Errorf("%s ended before it was ready: %s", wire.Program, lastLine(complaints.String()))
	case event.Failed != nil:
		err = errors.New(event.Failed.Message)
	case event.Ready == nil:
		err = fmt.Errorf("%s is of another version than %s", path, program.Name)
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	c.ready = *event.Ready
	return c, nil
}

// close ends the server, and returns when it has ended.
func (c *child) close() error {
	c.input.Close()
	killed := time.AfterFunc(goodbye, func() { _ = c.cmd.Process.Kill() })
	defer killed.Stop()
	// What it says meanwhile is of no interest any more.
	for {
		if _, err, ok := c.events(); err != nil || !ok {
			break
		}
	}
	c.stop()
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

// failure waits until the server ends by itself, and says why.
func (c *child) failure() error {
	for {
		event, err, ok := c.events()
		switch {
		case err != nil:
			return err
		case !ok:
			return errors.New("the server ended")
		case event.Failed != nil:
			return errors.New(event.Failed.Message)
		}
	}
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
