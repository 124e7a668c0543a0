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
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/write"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

// NewDiff is the command diff.
func NewDiff(a *app.App) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "diff -f MANIFEST --live LIVE [KIND/NAME...]",
		Short: "Show what a Server-Side Apply would change, as a diff",
		Long: `Show what applying the manifests would change in the live objects: what
'kubectl diff --server-side' shows, without a cluster. Into a pipe or a file it
writes a unified diff that patch accepts; on a terminal, the changed fields by
field path (-o structured). What only the server keeps is left out:
managedFields, and with them generation, resourceVersion, uid and
creationTimestamp.

KUBECTL_EXTERNAL_DIFF names another program to compare with, as for kubectl: it
is run with two directories, and may have parameters of letters, digits, dashes
and equals signs.

The exit code is 0 when there is no difference, 1 when there are differences and
all of them would be accepted, 2 when no answer could be given, and 3 when at
least one object would be rejected.`,
		Example: `  # What would change?
  ssactl diff -f web.yaml --live live.yaml --field-manager helm

  # Leave out what an autoscaler keeps changing, and show the owner of each line
  ssactl diff -f web.yaml --live live.yaml --ignore-field .spec.replicas -o structured --owners`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDiff(cmd, a, o)
		},
	}
	o.add(cmd)
	cmd.Flags().Lookup("quiet").Usage = "print errors only: the exit code says whether there are differences"
	cmd.Flags().BoolVar(&o.Owners, "owners", false, "name the owners of each changed field in the margin (-o structured)")
	return cmd
}

func runDiff(cmd *cobra.Command, a *app.App, o *Options) error {
	external := &externalDiff{ctx: cmd.Context(), app: a, program: a.Streams.Getenv("KUBECTL_EXTERNAL_DIFF")}
	defer external.close()
	ourselves := external.program == "" || len(o.Given) > 0 || o.Quiet
	if o.Given == nil {
		o.Given = []string{"diff"}
		if a.Streams.OutIsTerminal || o.Owners {
			o.Given = []string{"structured"}
		}
	}
	if err := errors.Join(o.NeedLive(), o.Check(cmd)); err != nil {
		return err
	}
	switch {
	case !ourselves:
		o.Outputs = []output.Output{{Format: show.Format{Name: "for KUBECTL_EXTERNAL_DIFF",
			New: func(_ io.Writer, options show.Options) stream.Stream {
				external.options = options
				return external
			}}}}
	case o.Quiet:
		o.silence(a)
	}
	d := &diffing{Writing: o.applying(), ourselves: ourselves, external: external}
	d.Unadvised = o.Quiet && !slices.ContainsFunc(o.Given, toFile)
	return run.Execute(cmd.Context(), a, d.Question(), d)
}

// silence leaves of standard output what the exit code does not say: on standard error,
// which objects have no answer, and why --fail-on fails.
func (o *Options) silence(a *app.App) {
	for i, given := range o.Given {
		if !toFile(given) {
			o.Outputs[i].Format = show.Format{
				Name:     given,
				Refusals: true,
				New: func(_ io.Writer, options show.Options) stream.Stream {
					return show.Unanswered(a.Commentary(options), options)
				},
			}
		}
	}
}

// toFile reports whether a value of -o names a file.
func toFile(given string) bool { return strings.Contains(given, "=") }

// diffing is a write whose verdict is whether there is a difference.
type diffing struct {
	*write.Writing
	// ourselves: no other program compares.
	ourselves bool
	external  *externalDiff
	differ    atomic.Bool
}

func (d *diffing) Begin(c *cluster.Cluster, pairs []cluster.Pair) error {
	if err := d.Writing.Begin(c, pairs); err != nil || !d.ourselves {
		return err
	}
	d.Display.Verdict = d.verdict
	d.Display.Seen = func(r report.Result) error {
		if d.differ.Load() {
			return nil
		}
		differs, err := objects.Differs(r, d.Display.Options.Objects())
		if differs {
			d.differ.Store(true)
		}
		return err
	}
	return nil
}

func (d *diffing) Conclude(ctx context.Context, c *cluster.Cluster) error {
	return d.verdict(d.Writing.Conclude(ctx, c))
}

// verdict is that of a diff, for that on its writes.
func (d *diffing) verdict(err error) error {
	switch {
	case errors.Is(err, app.ErrRisky):
		return app.ErrNo
	case errors.Is(err, app.ErrNo):
		// 1 is for differences, as with kubectl diff.
		return app.ErrRefused
	case err == nil && (d.differ.Load() || d.external.differs):
		return app.ErrNo
	}
	return err
}

// externalDiff lets another program compare, as kubectl does: it gets two
// directories with a file for each accepted object, empty where there is none,
// and exits with 1 where they differ.
type externalDiff struct {
	ctx          context.Context
	app          *app.App
	program      string
	options      show.Options
	live, merged string
	// differs is what the program found.
	differs bool
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
