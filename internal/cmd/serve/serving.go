package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/shell"
)

// serve starts the server, and ends with the command, or with an interrupt.
func (o *options) serve(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "ssactl-serve-")
	if err != nil {
		return err
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
		return o.runCommand(ctx, path)
	}
	return o.untilInterrupt(ctx, server, path)
}

// untilInterrupt serves until an interrupt, which is no error, or until the server ends.
func (o *options) untilInterrupt(ctx context.Context, server *child, path string) error {
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
	ended := make(chan error, 1)
	go func() { ended <- server.failure() }()
	select {
	case <-ctx.Done():
		server.input.Close()
		<-ended
		return nil
	case err := <-ended:
		return err
	}
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
