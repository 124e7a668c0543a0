// Package serve is the program ssactl-serve: an API server for one ssactl, which says what it
// is to be and hears what happens (internal/serve/wire).
package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/serve/chain"
	"github.com/ssactl/ssactl/internal/serve/load"
	"github.com/ssactl/ssactl/internal/serve/record"
	"github.com/ssactl/ssactl/internal/serve/store"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// Main serves until standard input ends, and returns the exit code.
func Main(in io.Reader, out io.Writer) int {
	// The one that started this process ends it: an interrupt of the terminal goes to both.
	signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE)
	events := wire.NewWriter(out)
	err := guard.Do(func() error { return run(in, events) })
	if err == nil {
		return 0
	}
	// Without a reader the message is lost.
	_ = events.Say(wire.Event{Failed: &wire.Failed{Message: err.Error()}})
	return 1
}

func run(in io.Reader, events *wire.Writer) error {
	spec, rest, err := readSpec(in)
	if err != nil {
		return err
	}
	defer os.RemoveAll(spec.Dir)
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	var orderly atomic.Bool
	go func() {
		// Whatever ends standard input: the other side is gone.
		said, _ := io.ReadAll(io.LimitReader(rest, int64(len(wire.End))))
		orderly.Store(string(said) == wire.End)
		cancel()
	}()
	debug.SetGCPercent(gcPercent(spec))
	server, loaded, given, err := start(ctx, spec, events)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer server.Close()
	defer withdraw(spec.Kubeconfig, server.Config.BearerToken)
	boundMemory()
	go tend(ctx)
	err = events.Say(wire.Event{Ready: &wire.Ready{
		URL: server.URL, Token: server.Config.BearerToken, Certificate: server.Config.CAData,
		Version: chain.Version(), Loaded: *loaded,
	}})
	if err != nil {
		return nil
	}
	select {
	case <-ctx.Done():
		if orderly.Load() && spec.WriteBack != "" {
			return writeBack(server, spec.WriteBack, given)
		}
		return nil
	case <-server.Done():
		return errors.Join(errors.New("the server ended"), server.Close())
	}
}

// gcPercent is GOGC: garbage takes half as much memory as the objects of a dump. Without one there is
// little to keep, and twice as much garbage saves a third of the collector's time.
func gcPercent(spec wire.Spec) int {
	if len(spec.Live) > 0 {
		return 50
	}
	return 200
}

// headroom is how much memory requests may take before the collector works harder. Many clients
// that write at once make garbage faster than it is collected at its usual pace: eight of them
// had the process take 3.8 GB, with 0.25 GB in use.
const headroom = 1 << 30

// boundMemory gives unused memory back, and bounds what requests may take.
func boundMemory() {
	debug.FreeOSMemory()
	debug.SetMemoryLimit(int64(heap().HeapInuse) + headroom)
}

func heap() (is runtime.MemStats) {
	runtime.ReadMemStats(&is)
	return is
}

// What is unused for long is given back: lists, and caches of resources that nobody looks at any more,
// may have taken several times the memory of all objects.
const (
	tendEvery = 10 * time.Second
	unused    = 32 << 20
)

// tend gives memory back now and then.
func tend(ctx context.Context) {
	every := time.NewTicker(tendEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			if is := heap(); is.HeapInuse-is.HeapAlloc+is.HeapIdle-is.HeapReleased > unused {
				boundMemory()
			}
		case <-ctx.Done():
			return
		}
	}
}

// withdraw removes the kubeconfig of a server that ends, if it is still that of this server.
func withdraw(path, token string) {
	if path == "" {
		return
	}
	if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(token)) {
		_ = os.Remove(path)
	}
}

// readSpec reads the spec, and gives what follows it.
func readSpec(in io.Reader) (spec wire.Spec, rest io.Reader, err error) {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return spec, nil, fmt.Errorf("%s is started by ssactl serve: %w", wire.Program, err)
	}
	if err := json.Unmarshal(line, &spec); err != nil {
		return spec, nil, fmt.Errorf("%s is started by ssactl serve: %w", wire.Program, err)
	}
	return spec, lines, nil
}

// start starts the server, and returns which objects it was given, if that is written back.
func start(
	ctx context.Context,
	spec wire.Spec,
	events *wire.Writer,
) (_ *chain.Server, loaded *wire.Loaded, given map[live.Key]bool, err error) {
	options := manifest.Options{Stop: ctx.Err}
	if spec.Recursive {
		options.Recursion = manifest.Recursive
	}
	dump, err := load.Read(spec.Live, spec.Definitions, options)
	if err != nil {
		return nil, nil, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", spec.Address)
	if err != nil {
		return nil, nil, nil, err
	}
	o := chain.Options{
		Dir: spec.Dir, Listener: listener, Webhooks: spec.Webhooks, Controllers: spec.Controllers, Ready: spec.Ready,
		KubernetesVersion: spec.KubernetesVersion, ServiceCIDR: dump.ServiceCIDR(),
	}
	if o.ServiceCIDR == "" {
		o.ServiceCIDR = chain.DefaultServiceCIDR
	}
	if spec.Record {
		// Without a reader the server is about to end.
		o.Recorder = record.New(func(w wire.Write) { _ = events.Say(wire.Event{Write: &w}) })
	}
	if spec.WriteBack != "" {
		given = dump.Keys()
	}
	dump.Accounts = spec.Controllers
	o.Preload = func(s load.Storages) (pairs []store.Preloaded, err error) {
		pairs, loaded, err = dump.Encode(s)
		// What was read is not needed any more.
		dump = nil
		return pairs, err
	}
	server, err := chain.Start(ctx, o)
	return server, loaded, given, err
}
