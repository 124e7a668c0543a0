package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/render"
)

// externalDiff lets another program compare, as kubectl does: it gets two
// directories with a file for each accepted object, empty where there is none,
// and exits with 1 where they differ.
func (a *app) externalDiff(ctx context.Context, program string, o *diffOptions, c *cluster, report engine.Report) error {
	shown, err := o.shown(report)
	if err != nil {
		return err
	}
	options, err := a.renderOptions(&o.outputFlags, c.now, o.live)
	if err != nil {
		return err
	}
	if err := render.Problems(a.streams.Err, shown.Problems, options); err != nil {
		return err
	}
	if err := render.Refusals(a.streams.Err, shown, options); err != nil {
		return err
	}
	live, merged, err := writeSides(shown, options)
	defer os.RemoveAll(live)
	defer os.RemoveAll(merged)
	if err != nil {
		return err
	}
	verdict := a.runExternal(ctx, program, live, merged)
	if verdict != nil && !errors.Is(verdict, errNo) {
		return verdict
	}
	if err := verdictOf(report); err != nil {
		return err
	}
	return verdict
}

// writeSides writes both sides of each object into directories of their own.
func writeSides(report engine.Report, options render.Options) (live, merged string, err error) {
	if live, err = os.MkdirTemp("", "LIVE-"); err != nil {
		return live, merged, fmt.Errorf("write the live objects: %w", err)
	}
	if merged, err = os.MkdirTemp("", "MERGED-"); err != nil {
		return live, merged, fmt.Errorf("write the merged objects: %w", err)
	}
	for _, r := range report.Results {
		if r.Outcome.Refused() {
			continue
		}
		texts, err := render.Texts(r, options)
		if err != nil {
			return live, merged, err
		}
		name := shortened(texts.Name)
		for dir, text := range map[string]string{live: texts.Live, merged: texts.Merged} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return live, merged, fmt.Errorf("write %s: %w", name, err)
			}
		}
	}
	return live, merged, nil
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
func (a *app) runExternal(ctx context.Context, program, live, merged string) error {
	words := strings.Fields(program)
	if len(words) == 0 {
		return errors.New("KUBECTL_EXTERNAL_DIFF names no program")
	}
	args := []string{live, merged}
	for _, word := range words[1:] {
		if !parameter.MatchString(word) {
			fmt.Fprintf(a.streams.Err, "note: KUBECTL_EXTERNAL_DIFF: left %q out, as kubectl does\n", word)
			continue
		}
		args = append(args, word)
	}
	cmd := exec.CommandContext(ctx, words[0], args...)
	cmd.Stdout, cmd.Stderr = a.streams.Out, a.streams.Err
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return errNo
	}
	return fmt.Errorf("run %s of KUBECTL_EXTERNAL_DIFF: %w", words[0], err)
}
