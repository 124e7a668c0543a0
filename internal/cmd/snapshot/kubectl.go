package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/shell"
)

// errNoKubectl is that of a machine without it.
var errNoKubectl = errors.New("kubectl is not in PATH, and ssactl itself opens no connection: without --to, the commands are printed, to be run elsewhere")

// lingering is how long a kubectl that was stopped may keep its pipes open, as a plugin
// that it started may.
const lingering = time.Second

// kubectlRun is a run of kubectl that is not started yet.
func kubectlRun(ctx context.Context, line shell.Line, complaints *beginning) (*exec.Cmd, error) {
	words := line.Args()
	if words == nil {
		return nil, line.Err()
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stderr, cmd.WaitDelay = complaints, lingering
	return cmd, nil
}

// kubectl gives what a command prints that prints little.
func (t *taking) kubectl(line shell.Line) ([]byte, error) {
	var out, complaints beginning
	cmd, err := kubectlRun(t.ctx, line.With(t.client.Flags()...), &complaints)
	if err != nil {
		return nil, err
	}
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, t.complaint(err, complaints.text)
	}
	return out.text, nil
}

// get puts the objects of a fetch into the bundle while kubectl prints them.
func (t *taking) get(f Fetch) error {
	var complaints beginning
	cmd, err := kubectlRun(t.ctx, f.Get().Command(t.client), &complaints)
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return t.complaint(err, nil)
	}
	unread := t.read(out)
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		return t.complaint(err, complaints.text)
	}
	return unread
}

// read takes the objects of a text; an empty one has none.
func (t *taking) read(out io.Reader) error {
	options := cluster.Reading(t.ctx, t.c.App, &t.Flags, t.c)
	in := bufio.NewReader(options.Wait(out))
	if _, err := in.Peek(1); err != nil {
		return nil
	}
	options.Stdin, options.Wait, options.OnDocument, options.Refuse = in, nil, nil, nil
	for d, err := range manifest.Read([]string{"-"}, options) {
		if err != nil {
			return fmt.Errorf("read what kubectl printed: %w", err)
		}
		if t.wrong = t.add(d); t.wrong != nil {
			return t.wrong
		}
	}
	return nil
}

// complaint is why kubectl failed, in its own words where it had any.
func (t *taking) complaint(err error, words []byte) error {
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errNoKubectl
	}
	if text := strings.TrimSpace(string(words)); text != "" {
		return errors.New(text)
	}
	return err
}

// beginning keeps the first part of what is written to it.
type beginning struct{ text []byte }

// mostComplaints is how much is kept of what a program says.
const mostComplaints = 64 << 10

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), mostComplaints-len(b.text))]...)
	return len(p), nil
}
