package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

type options struct {
	output.WriteFlags
	app         *app.App
	live, crds  []string
	recursive   bool
	address     string
	port        int
	kubeconfig  string
	webhooks    string
	controllers string
	ready       bool
	withStdin   bool
	release     string
	// writeBack gets the objects at the end, and record a story; empty for none.
	writeBack, record string
	// command is what is run against the server; empty to serve until an interrupt.
	command []string
}

// The values of flags.
var (
	webhookModes    = []string{"drop", "refuse"}
	controllerModes = []string{"default", "none"}
)

// New is the command serve.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "serve [--live DUMP] [-- COMMAND ARG...]",
		Short: "Serve a dump as a real API server, for real clients",
		Long: `Serve the objects of a dump as kube-apiserver would: the linked release itself, over
memory. kubectl, Helm, controllers and tests can then be tried without a cluster. It
is ready in about a second, listens on a loopback address only, and needs a random
token, which is in a kubeconfig of its own.

With a COMMAND, it runs against the server (KUBECONFIG is set), and its exit code is
that of ssactl. Then every object that it wrote to is reported, as by apply: what the
server answered, conflicts, owners, and what changed. Without a COMMAND, the server
runs until an interrupt. Nothing is left behind in both cases. Without --live the
cluster is new and empty.

The server opens no connection: admission webhooks, aggregated API servers and
kubelets are never called. Namespaces, owner references and service accounts work as
in a cluster; other controllers do not run, so no Pod ever starts.`,
		Example: `  ssactl serve --live dump.json -- helm upgrade shop ./chart
  ssactl serve --live dump.json --kubeconfig kube.yaml &
  ssactl serve -- go test ./controllers/...`,
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash > 0 || dash < 0 && len(args) > 0 {
				return fmt.Errorf("%q: name objects with --live, and a command after --", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.command = args
			if cmd.ArgsLenAtDash() == 0 && len(args) == 0 {
				return errors.New("-- is followed by no command")
			}
			if err := o.check(); err != nil {
				return err
			}
			return o.serve(cmd.Context())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *options) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.live, "live", nil, "objects of the cluster: a `file`, directory, or - for standard input, "+
		"as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	flags.StringArrayVar(&o.crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.BoolVarP(&o.recursive, "recursive", "R", false, "read directories recursively")
	flags.IntVar(&o.port, "port", 0, "listen on this `port` (default any free one)")
	flags.StringVar(&o.address, "address", "127.0.0.1",
		"listen on this IP `address`; one that is not loopback lets other machines in, with TLS and the token")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "",
		"write the kubeconfig to this `file`, or to standard output for - (default a temporary file)")
	flags.StringVar(&o.webhooks, "webhooks", webhookModes[0],
		"admission webhooks are never called: drop them, or refuse each call so that their failurePolicy decides "+
			"(drop, refuse)")
	input.MustComplete(cmd, "webhooks", webhookModes)
	flags.StringVar(&o.controllers, "controllers", controllerModes[0],
		"controllers to run: those of namespaces, owner references and service accounts, or none (default, none)")
	input.MustComplete(cmd, "controllers", controllerModes)
	flags.BoolVar(&o.withStdin, "end-with-stdin", false, "end when standard input ends, as it does with the program that "+
		"holds its other end: nothing is left if a test is killed")
	flags.BoolVar(&o.ready, "ready", false, "mark workloads as rolled out, Jobs as complete, claims as bound and "+
		"load balancers as served at once, for 'helm --wait' and 'kubectl rollout status'")
	flags.StringVar(&o.writeBack, "write-back", "", "write the objects, as they are at the end, to this `file`")
	flags.StringVar(&o.record, "record", "", "write a story of what clients wrote to this `file`, for 'ssactl test'")
	o.WriteFlags.Add(cmd)
	flags.StringVar(&o.release, "kubernetes-version", "", "minor `version` of Kubernetes to emulate, such as 1.36")
}

// check finds wrong flags before anything is read.
func (o *options) check() error {
	var errs []error
	for _, flag := range []struct {
		name, value string
		values      []string
	}{{"webhooks", o.webhooks, webhookModes}, {"controllers", o.controllers, controllerModes}} {
		if !slices.Contains(flag.values, flag.value) {
			errs = append(errs, fmt.Errorf("--%s %q: use %s or %s", flag.name, flag.value, flag.values[0], flag.values[1]))
		}
	}
	if net.ParseIP(o.address) == nil {
		errs = append(errs, fmt.Errorf("--address %q: use an IP address", o.address))
	}
	if o.port < 0 || o.port > 65535 {
		errs = append(errs, fmt.Errorf("--port %d: use a number from 0 to 65535", o.port))
	}
	if o.kubeconfig == "-" && len(o.command) > 0 {
		errs = append(errs, errors.New("--kubeconfig -: standard output is that of the command"))
	}
	if o.withStdin && (len(o.command) > 0 || slices.Contains(slices.Concat(o.live, o.crds), "-")) {
		errs = append(errs, errors.New("--end-with-stdin: standard input is that of the command, or of what is read"))
	}
	if n := len(slices.DeleteFunc(slices.Concat(o.live, o.crds), func(p string) bool { return p != "-" })); n > 1 {
		errs = append(errs, errors.New("standard input can be read once only"))
	}
	errs = append(errs, o.checkKubeconfig(), o.WriteFlags.Check(&input.Flags{Live: o.live, Crds: o.crds}, o.record),
		output.RefuseSpecial("--record", o.record), output.RefuseSpecial("--write-back", o.writeBack))
	return errors.Join(errs...)
}

// spec is the server that the flags ask for, with its files in a directory.
func (o *options) spec(ctx context.Context, dir string) (wire.Spec, error) {
	spec := wire.Spec{
		Dir: dir, Recursive: o.recursive, Address: net.JoinHostPort(o.address, strconv.Itoa(o.port)),
		Webhooks: o.webhooks, Controllers: o.controllers == controllerModes[0], Ready: o.ready,
		KubernetesVersion: o.release, Record: len(o.command) > 0 || o.record != "",
	}
	var errs []error
	if o.writeBack != "" {
		path, err := filepath.Abs(o.writeBack)
		spec.WriteBack, errs = path, append(errs, err)
	}
	if o.kubeconfig != "" && o.kubeconfig != "-" {
		path, err := filepath.Abs(o.kubeconfig)
		spec.Kubeconfig, errs = path, append(errs, err)
	}
	for _, in := range []struct {
		paths []string
		to    *[]string
	}{{o.live, &spec.Live}, {o.crds, &spec.Definitions}} {
		for _, path := range in.paths {
			path, err := o.place(ctx, path, dir)
			errs = append(errs, err)
			*in.to = append(*in.to, path)
		}
	}
	return spec, errors.Join(errs...)
}

// place is where the server finds an input: what comes from standard input is a file meanwhile.
func (o *options) place(ctx context.Context, path, dir string) (string, error) {
	if path != "-" {
		return path, nil
	}
	path = filepath.Join(dir, "stdin")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, iostreams.Interruptible(ctx, o.app.Streams.In))
	return path, errors.Join(err, file.Close())
}
