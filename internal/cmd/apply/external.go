package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
)

// externalDiff lets another program compare, as kubectl does: it gets two
// directories with a file for each accepted object, empty where there is none,
// and exits with 1 where they differ.
type externalDiff struct {
	ctx          context.Context
	app          *app.App
	program      string
	options      render.Options
	live, merged string
	// differs is what the program found.
	differs bool
}

func (e *externalDiff) format() render.Format {
	return render.Format{Name: "for KUBECTL_EXTERNAL_DIFF", New: func(_ io.Writer, o render.Options) stream.Stream {
		e.options = o
		return e
	}}
}

// Begin makes the directories.
func (e *externalDiff) Begin(stream.Start) error {
	var err error
	if e.live, err = os.MkdirTemp("", "LIVE-"); err != nil {
		return fmt.Errorf("write the live objects: %w", err)
	}
	if e.merged, err = os.MkdirTemp("", "MERGED-"); err != nil {
		return fmt.Errorf("write the merged objects: %w", err)
	}
	return nil
}

// Part writes both sides of an object.
func (e *externalDiff) Part(r report.Result) (stream.Part, error) {
	if r.Outcome.Refused() {
		return nil, nil
	}
	texts, err := objects.TextsOf(r, e.options.Objects())
	if err != nil {
		return nil, err
	}
	name := shortened(texts.Name)
	for dir, text := range map[string]string{e.live: texts.Live, e.merged: texts.Merged} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil, nil
}

// Add implements stream.Stream.
func (e *externalDiff) Add(stream.Part) error { return nil }

// End runs the program.
func (e *externalDiff) End(stream.Ending) error {
	err := runExternal(e.ctx, e.app, e.program, e.live, e.merged)
	if errors.Is(err, app.ErrNo) {
		e.differs = true
		return nil
	}
	return err
}

func (e *externalDiff) close() {
	for _, dir := range []string{e.live, e.merged} {
		if dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
}

// maxFileName is what every file system takes.
const maxFileName = 255

// shortened keeps long names apart by a hash of the whole.
func shortened(name string) string {
	if len(name) <= maxFileName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	tail := "-" + hex.EncodeToString(sum[:8])
	return name[:maxFileName-len(tail)] + tail
}

// parameter is what kubectl lets through to the program.
var parameter = regexp.MustCompile(`^[a-zA-Z0-9=-]+$`)

// runExternal runs the program with the directories first and its parameters
// behind them, the order of kubectl. Exit code 1 means differences.
func runExternal(ctx context.Context, a *app.App, program, live, merged string) error {
	words := strings.Fields(program)
	if len(words) == 0 {
		return errors.New("KUBECTL_EXTERNAL_DIFF names no program")
	}
	args := []string{live, merged}
	for _, word := range words[1:] {
		if !parameter.MatchString(word) {
			fmt.Fprintf(a.Streams.Err, "note: KUBECTL_EXTERNAL_DIFF: left %q out, as kubectl does\n", word)
			continue
		}
		args = append(args, word)
	}
	cmd := exec.CommandContext(ctx, words[0], args...)
	cmd.Stdout, cmd.Stderr = a.Streams.Program()
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return app.ErrNo
	}
	return fmt.Errorf("run %s of KUBECTL_EXTERNAL_DIFF: %w", words[0], err)
}
