// Package cmd is the command line: the root command, its help, topics, manual pages and
// completions. Each question has a room below it, with its flags (audit/command.go), what it
// asks about each object (audit/question.go), what it plans, its page and its formats:
//
//	apply explain resolve owners migrate transfer clear compare audit lint policy
//	schema impact snapshot write fn version comment
//
// What every command does around its question is internal/run.
package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cmd/apply"
	"github.com/ssactl/ssactl/internal/cmd/audit"
	"github.com/ssactl/ssactl/internal/cmd/clear"
	"github.com/ssactl/ssactl/internal/cmd/comment"
	"github.com/ssactl/ssactl/internal/cmd/compare"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/cmd/fn"
	"github.com/ssactl/ssactl/internal/cmd/impact"
	"github.com/ssactl/ssactl/internal/cmd/lint"
	"github.com/ssactl/ssactl/internal/cmd/migrate"
	"github.com/ssactl/ssactl/internal/cmd/owners"
	"github.com/ssactl/ssactl/internal/cmd/policy"
	"github.com/ssactl/ssactl/internal/cmd/resolve"
	"github.com/ssactl/ssactl/internal/cmd/schema"
	"github.com/ssactl/ssactl/internal/cmd/serve"
	"github.com/ssactl/ssactl/internal/cmd/snapshot"
	"github.com/ssactl/ssactl/internal/cmd/stories"
	"github.com/ssactl/ssactl/internal/cmd/transfer"
	"github.com/ssactl/ssactl/internal/cmd/version"
	"github.com/ssactl/ssactl/internal/cmd/write"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// Main runs a command line and gives the exit code. It stops cleanly at an
// interrupt, and at once at a second one. Within a second of the first it gives the
// exit code in any case: what cannot be stopped is left to the end of the process.
func Main(args []string, streams *iostreams.IOStreams) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	// Writing to a pipe that nobody reads is an error then, and does not end
	// the process before it has cleaned up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	var code int
	if !pool.Within(after(ctx, patience), func() { code = runLine(ctx, args, streams) }) {
		return leave(streams)
	}
	return code
}

// execute runs a command line apart from all others: without settings of the environment, and
// with streams of its own.
func execute(ctx context.Context, args []string) (out, errs []byte, code int) {
	var written, said bytes.Buffer
	streams := iostreams.New(strings.NewReader(""), &written, &said, nil)
	code = runLine(ctx, args, streams)
	return written.Bytes(), said.Bytes(), code
}

// patience is how long a run may take to end cleanly, and lastWords how long it may
// then take to say that it did not.
const (
	patience  = 900 * time.Millisecond
	lastWords = 100 * time.Millisecond
)

// after gives a context that is done so long after another one.
func after(ctx context.Context, so time.Duration) context.Context {
	late, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(so, end) })
	return late
}

// leave ends a run that does not end by itself. What it goes on with may hold the
// streams, and may have begun to write files: as with any killed run, the journal of a
// commit records for the next run what to do.
func leave(streams *iostreams.IOStreams) int {
	atomic.DiscardOutputs()
	said, end := context.WithTimeout(context.Background(), lastWords)
	defer end()
	pool.Within(said, func() { fmt.Fprintln(streams.Err, "error: interrupted") })
	return app.ExitTrouble
}

// runLine runs a command line until it ends by itself.
func runLine(ctx context.Context, args []string, streams *iostreams.IOStreams) int {
	secrets := redact.New()
	masked := *streams
	masked.Err = streams.Err.Masking(secrets.Sentence)
	streams = &masked
	root := newRootCmd(&app.App{Streams: streams, Secrets: secrets})
	root.SetArgs(args)
	help := &remembering{to: streams.Out}
	root.SetOut(help)
	// Objects are guarded one by one; what panics outside of them ends the run
	// as any other error does.
	err := guard.Do(func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		err = help.err
	}
	if flushed := streams.Flush(); flushed != nil {
		err = flushed
	}
	var v app.Verdict
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if err != nil && !errors.As(err, &v) && !iostreams.IsBrokenPipe(err) {
		fmt.Fprintf(streams.Err, "error: %v\n", err)
	}
	return app.ExitCode(err)
}

// endings are the signals that end a run. One that was started under nohup goes on
// when its terminal has gone.
func endings() []os.Signal {
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// remembering is a writer that remembers its first error: cobra tells nobody
// that help or a completion could not be written.
type remembering struct {
	to  io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.to.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

// init has cobra keep the order of commands, for all commands at once: roots are made
// beside each other.
func init() { cobra.EnableCommandSorting = false }

func newRootCmd(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:         program.File(),
		Annotations: map[string]string{cobra.CommandDisplayNameAnnotation: program.Called()},
		Short:       "Preview Server-Side Apply without a cluster",
		Long: `Preview kubectl apply --server-side without a cluster: conflicts, who owns each
field, and the fix.

The API server's own merge and conflict logic runs in the process, on a manifest and
on live objects that are files. The answer is the resulting object, the owners of
its fields, the conflicts with the options to resolve each, and the diff.`,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if show, err := cmd.Flags().GetBool("show-secrets"); err == nil && show {
				a.Secrets.ShowSecrets()
			}
			return a.Configure(cmd)
		},
		Version:       strings.TrimSpace(strings.TrimPrefix(version.Line(), program.Name)),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.Streams.In)
	root.SetOut(a.Streams.Out)
	root.SetErr(a.Streams.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(help{a.Streams}.usage)
	root.SetHelpFunc(help{a.Streams}.show)
	schemaCmd := schema.New(a)
	schemaCmd.AddCommand(impact.New(a))
	root.AddGroup(groups()...)
	root.AddCommand(grouped(groupApply,
		apply.New(a),
		apply.NewDiff(a),
		explain.New(a),
		resolve.New(a),
		snapshot.New(a),
		serve.New(a),
		newClientsCmd(a),
	)...)
	root.AddCommand(grouped(groupOwners,
		owners.New(a),
		migrate.New(a),
		transfer.New(a),
		clear.New(a),
		audit.New(a),
		compare.New(a),
	)...)
	root.AddCommand(grouped(groupCheck,
		lint.New(a),
		comment.New(a),
		stories.New(a, execute),
		schemaCmd,
		policy.New(a),
	)...)
	root.AddCommand(grouped(groupWrites,
		write.NewCreate(a),
		write.NewUpdate(a),
		write.NewPatch(a),
		write.NewScale(a),
		write.NewDelete(a),
		fn.New(a),
	)...)
	root.AddCommand(version.New(a), newManCmd())
	addCompletion(a, root)
	root.AddCommand(newTopics(a.Streams)...)
	addHelp(root)
	addConfig(a, root)
	addHelpAll(root)
	acceptShown(root)
	callByName(root)
	return root
}
