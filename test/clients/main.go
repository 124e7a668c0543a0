// Command clients runs kubectl, Helm, Flux's and Argo CD's own code against a real
// kube-apiserver, and records what they did to the objects there.
//
//	clients -programs DIR -out FILE [-n N] [-seed S] [-client NAME] [-case NUMBER]
//
// DIR has the programs that `make clients` builds: oracle (test/oracle), kubectl, helm3
// and helm4. Flux and Argo CD are libraries here.
//
//	clients -programs DIR -plans SSACTL [-n N] [-seed S]
//
// runs the scripts that ssactl transfer, migrate and clear print for such objects, and tells
// which do something else than they say.
//
//	clients -programs DIR -serve SSACTL -against FILE [-n N] [-client NAME] [-case NUMBER]
//
// runs the cases of recorded runs against 'ssactl serve', and tells which go otherwise.
package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/ssactl/ssactl/test/parity"
)

type options struct {
	programs, out, client, ssactl string
	serve, against                string
	number, only                  int
	seed                          uint64
}

func main() {
	var o options
	flag.StringVar(&o.programs, "programs", "", "directory with oracle, kubectl, helm3 and helm4")
	flag.StringVar(&o.out, "out", "", "file to write, compressed")
	flag.StringVar(&o.client, "client", "", "run only the cases of this client")
	flag.IntVar(&o.number, "n", 70, "cases of each client")
	flag.IntVar(&o.only, "case", -1, "run only the case of this number")
	flag.Uint64Var(&o.seed, "seed", 3, "seed of the cases")
	flag.StringVar(&o.ssactl, "plans", "", "ssactl, to run its plans instead of recording")
	flag.StringVar(&o.serve, "serve", "", "ssactl, to run the cases against 'ssactl serve' instead of a real server")
	flag.StringVar(&o.against, "against", "", "file of recorded runs, to compare those of -serve with")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := record
	if o.ssactl != "" {
		run = tryPlans
	}
	if o.serve != "" {
		run = tryServe
	}
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// wants reports whether the case of a number is to be run.
func (o options) wants(kind clientKind, number int) bool {
	return strings.HasPrefix(kind.name, o.client) && (o.only < 0 || number == o.only)
}

// record runs the cases and writes them.
func record(ctx context.Context, o options) error {
	w, err := startWorld(ctx, o)
	if err != nil {
		return err
	}
	defer w.close()
	file, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(zipped)
	for _, kind := range clientsOf() {
		for i := range o.number {
			if !o.wants(kind, i) {
				continue
			}
			run, err := w.runCase(ctx, kind, o.seed, i)
			if errors.Is(err, errImpatient) || errors.Is(err, errOwnValidation) {
				fmt.Fprintf(os.Stderr, "%s: %v\n", run.Name, err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s %d: %w", kind.name, i, err)
			}
			if err := encoder.Encode(run); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s: failed=%v %d requests: %s\n", run.Name, run.Failed, len(run.Requests), run.Command)
		}
	}
	return zipped.Close()
}

// runCase makes a namespace with a past, and lets the client write to it.
func (w *world) runCase(ctx context.Context, kind clientKind, seed uint64, number int) (parity.ClientRun, error) {
	c := newCase(kind, seed, number)
	run := parity.ClientRun{
		Client: kind.client, Version: kind.version, Namespace: c.namespace,
		Definitions: []json.RawMessage{encode(definition)},
	}
	if err := w.namespace(ctx, c.namespace); err != nil {
		return run, err
	}
	c.past(ctx, w)
	var err error
	if run.Before, run.Releases, err = w.dump(ctx, c); err != nil {
		return run, err
	}
	run.Name = fmt.Sprintf("%s %d: %s", kind.name, number, strings.Join(c.told, ", "))
	final := kind.final(c)
	run.Flags, run.Command = final.flags, final.command
	for _, o := range final.settings {
		run.Settings = append(run.Settings, encode(o))
	}
	manifests, sources := c.rendered()
	for _, o := range manifests {
		run.Manifests = append(run.Manifests, encode(o))
	}
	run.Sources, run.Bare = sources, c.bare
	w.proxy.forget()
	run.At = time.Now().UTC().Truncate(time.Second)
	if err = final.run(ctx, w, c); errors.Is(err, errImpatient) {
		return run, err
	}
	run.Failed, run.Output = err != nil, w.plain(err, c)
	if c.listed && kind.name == "kubectl" && strings.Contains(run.Output, "error validating data") {
		return run, errOwnValidation
	}
	run.Requests = w.proxy.sent()
	run.After, _, err = w.dump(ctx, c)
	return run, err
}

// errOwnValidation is of a run that ssactl is known not to answer: see 'ssactl clients kubectl'.
var errOwnValidation = errors.New("kubectl validates a List itself")

func encode(object map[string]any) json.RawMessage {
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return raw
}
