package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/shell"
)

// serve starts the server, and ends with the command, or with an interrupt.
func (o *options) serve(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "ssactl-serve-")
	if err != nil {
		return fmt.Errorf(
			"serve needs a folder for temporary files: %w; set TMPDIR, or give a container one (--tmpfs /tmp)",
			err,
		)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	spec, err := o.spec(ctx, dir)
	if err != nil {
		return err
	}
	server, err := start(ctx, spec)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close()) }()
	text, err := kubeconfigOf(server.ready)
	if err != nil {
		return err
	}
	path, err := o.publish(text, dir)
	if err != nil {
		return err
	}
	defer o.withdraw(path, text)
	o.app.Notice(o.notices(server.ready))
	if len(o.command) > 0 {
		return o.withCommand(ctx, server, spec, path)
	}
	return o.untilInterrupt(ctx, server, spec, path)
}

// withCommand runs the command, and reports what it wrote.
func (o *options) withCommand(ctx context.Context, server *child, spec wire.Spec, path string) error {
	ran := o.runCommand(ctx, path)
	if err := server.close(); err != nil {
		return errors.Join(ran, err)
	}
	if server.failure != nil {
		return errors.Join(ran, server.failure)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// The exit code is that of the command, unless there is no report of it.
	return errors.Join(o.writeStory(spec, server.writes), o.explain(ctx, spec, server.writes, ran), ran)
}

// untilInterrupt serves until an interrupt, which is no error, or until the server ends.
func (o *options) untilInterrupt(ctx context.Context, server *child, spec wire.Spec, path string) error {
	if path != "" {
		// What is printed can be evaluated by a shell.
		fmt.Fprintf(o.app.Streams.Out, "export KUBECONFIG=%s\n", shell.Quote(path))
	}
	fmt.Fprintf(
		o.app.Streams.Err, "serving Kubernetes %s at %s with %s, until an interrupt\n",
		server.ready.Version, server.ready.URL, words.Count(server.ready.Loaded.Objects, "object"),
	)
	if err := o.app.Streams.Flush(); err != nil {
		return err
	}
	select {
	case <-o.stdinEnded(ctx):
	case <-ctx.Done():
	case <-server.ended:
		return cmp.Or(server.failure, errors.New("the server ended"))
	}
	if err := server.close(); err != nil {
		return err
	}
	return errors.Join(server.failure, o.writeStory(spec, server.writes))
}

// stdinEnded is closed when standard input ends, if the server is to end then.
func (o *options) stdinEnded(ctx context.Context) <-chan struct{} {
	if !o.withStdin {
		return nil
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, iostreams.Interruptible(ctx, o.app.Streams.In))
	}()
	return ended
}

// most is how many of many things are named.
const most = 10

// notices say what of a dump is not served, and why.
func (o *options) notices(r wire.Ready) (notes []string) {
	if len(r.Loaded.Namespaces) > 0 {
		notes = append(notes, fmt.Sprintf(
			"made %s that objects are in, and that the dump lacks: %s",
			words.Count(len(r.Loaded.Namespaces), "namespace"), some(r.Loaded.Namespaces),
		))
	}
	for _, file := range r.Loaded.Snapshots {
		notes = append(notes, file+" is a snapshot: clients that read Secrets get digests instead of values")
	}
	for i, s := range r.Loaded.Skipped {
		if i == most {
			notes = append(notes, fmt.Sprintf("skipped %d more", len(r.Loaded.Skipped)-most))
			break
		}
		notes = append(notes, fmt.Sprintf("skipped %s (%s): %s", s.Object, s.Source, s.Reason))
	}
	if n := len(r.Loaded.Skipped); n > 0 {
		notes = append(notes, fmt.Sprintf("%s skipped, %d served", words.Count(n, "object"), r.Loaded.Objects))
	}
	if len(r.Loaded.Webhooks) > 0 {
		effect := "writes pass as if there were none"
		if o.webhooks == "refuse" {
			effect = "each call is refused, and its failurePolicy decides"
		}
		notes = append(notes, fmt.Sprintf(
			"%s not called: %s (%s)", words.Count(len(r.Loaded.Webhooks), "admission webhook"), some(r.Loaded.Webhooks),
			effect,
		))
	}
	if o.ready {
		notes = append(notes, "workloads are marked as rolled out at once (--ready): nothing runs")
	}
	if o.address != loopback {
		notes = append(notes, fmt.Sprintf(
			"%s listens on %s: other machines reach it, with the token in the kubeconfig", program.Called(), o.address,
		))
	}
	return notes
}

const loopback = "127.0.0.1"

func some(names []string) string {
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
