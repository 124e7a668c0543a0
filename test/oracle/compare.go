package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ssactl/ssactl/test/oracle/compare"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/oracle/walk"
	"github.com/ssactl/ssactl/test/parity"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	steps int
	seed  uint64
	out   string
	limit time.Duration
	tries int
	only  string
}

func runCompare(ctx context.Context, args []string, out io.Writer) error {
	var o compareOptions
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.IntVar(&o.steps, "n", 2000, "how many requests to compare")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the walks")
	flags.StringVar(&o.out, "out", "", "directory for the differences")
	flags.DurationVar(&o.limit, "limit", 30*time.Minute, "when to stop at the latest")
	flags.IntVar(&o.tries, "tries", 200, "requests that making one difference smaller may take")
	flags.StringVar(&o.only, "kind", "", "walk over this kind only")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scenarios, err := readScenarios(flags.Args())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	server, err := kube.Start(ctx)
	if err != nil {
		return err
	}
	c := newComparison(o, server, out)
	err = c.run(ctx, walk.Seeds(scenarios))
	if errors.Is(err, context.DeadlineExceeded) {
		fmt.Fprintf(out, "stopped after %s\n", o.limit)
		err = nil
	}
	if err := errors.Join(err, server.Close()); err != nil {
		return err
	}
	return c.verdict()
}

// comparison is one run of compare.
type comparison struct {
	compareOptions
	server   *kube.Server
	recorder *scenario.Recorder
	subject  *compare.Subject
	out      io.Writer
	// seen counts the differences of a kind; the first are printed.
	done, different int
	seen            map[string]int
}

func newComparison(o compareOptions, server *kube.Server, out io.Writer) *comparison {
	return &comparison{
		compareOptions: o,
		server:         server,
		recorder:       &scenario.Recorder{Client: server.Client},
		subject:        compare.NewSubject(),
		out:            out,
		seen:           map[string]int{},
	}
}

// run walks until the steps are done.
func (c *comparison) run(ctx context.Context, seeds []*walk.Seed) error {
	r := rand.New(rand.NewPCG(c.seed, 1))
	for c.done < c.steps {
		seed := seeds[r.IntN(len(seeds))]
		number := r.Uint64()
		if c.only != "" && seed.Target.Kind != c.only {
			continue
		}
		if err := c.walk(ctx, seed, number); err != nil {
			return err
		}
	}
	return nil
}

// walk walks over one object.
func (c *comparison) walk(ctx context.Context, seed *walk.Seed, number uint64) error {
	w := walk.New(seed, number, fmt.Sprintf("w%d-%d", c.seed, c.done))
	scenario := parity.Scenario{Name: w.Namespace, Namespace: w.Namespace, ServerVersion: kube.Version, CRDs: seed.CRDs}
	if err := c.recorder.Prepare(ctx, &scenario); err != nil {
		return err
	}
	for _, step := range w.World() {
		written, err := c.recorder.Step(ctx, step)
		if err != nil {
			return err
		}
		scenario.Steps = append(scenario.Steps, written)
	}
	var err error
	if w.Subresources, err = c.server.Client.Subresources(ctx, seed.Path.Group, seed.Path.Resource); err != nil {
		return err
	}
	if parity.HasControllerStatus(seed.Target.Kind) {
		w.Subresources = slices.DeleteFunc(w.Subresources, func(name string) bool { return name == "status" })
	}
	var live json.RawMessage
	for range w.Steps() {
		step, err := c.recorder.Step(ctx, w.Next(live))
		if errors.Is(err, kube.ErrNoAnswer) && ctx.Err() == nil {
			c.panicked(ctx, step, scenario.CRDsAt(len(scenario.Steps)))
			break
		}
		if err != nil {
			return err
		}
		if err := c.recorder.Beside(ctx, scenario, &step); err != nil {
			return err
		}
		c.done++
		scenario.Steps = append(scenario.Steps, step)
		live = step.LiveAfter
		if err := c.check(ctx, scenario); err != nil {
			return err
		}
	}
	return c.recorder.Clear(ctx, scenario)
}

// panicked compares a request that the real server gave no answer to.
func (c *comparison) panicked(ctx context.Context, step parity.Step, crds []json.RawMessage) {
	c.done++
	if c.subject.Refuses(ctx, step, crds) {
		return
	}
	c.different++
	fmt.Fprintf(
		c.out, "%s %s: the real server panics, ssactl answers\n%s\n", step.Op, step.Request.Path,
		step.Request.Body,
	)
}

// check compares the last step of a walk.
func (c *comparison) check(ctx context.Context, scenario parity.Scenario) error {
	last := len(scenario.Steps) - 1
	step, crds := scenario.Steps[last], scenario.CRDsAt(last)
	diff := c.subject.Diff(ctx, step, crds, scenario.ObjectsAt(last))
	if diff == "" {
		return nil
	}
	c.different++
	kind := fmt.Sprintf("%s %s/%s %s", step.Target.Kind, step.Op, step.Subresource, compare.Class(diff))
	c.seen[kind]++
	if c.seen[kind] > 2 {
		return nil
	}
	return c.report(ctx, scenario, kind)
}

// report makes a difference smaller and writes it to a file that replay reads. One
// that may depend on other objects stays as it is.
func (c *comparison) report(ctx context.Context, scenario parity.Scenario, kind string) error {
	last := len(scenario.Steps) - 1
	crds, objects, step := scenario.CRDsAt(last), scenario.ObjectsAt(last), scenario.Steps[last]
	scenario.Name, scenario.Note = fmt.Sprintf("%s-%d", scenario.Namespace, last), kind
	if len(objects) == 0 {
		after := step.LiveAfter
		m := compare.Minimizer{Server: c.server, Recorder: c.recorder, Subject: c.subject, Tries: c.tries}
		var err error
		if step, err = m.Minimize(ctx, step, crds); err != nil {
			return err
		}
		if err := m.Restore(ctx, after); err != nil {
			return err
		}
		scenario.RecordedAt, scenario.CRDs, scenario.Steps = step.StartedAt, crds, []parity.Step{step}
	}
	fmt.Fprintf(c.out, "%s: %s\n%s\n", scenario.Name, kind, c.subject.Diff(ctx, step, crds, objects))
	if c.compareOptions.out == "" {
		return nil
	}
	if err := os.MkdirAll(c.compareOptions.out, 0o755); err != nil {
		return err
	}
	return writeScenarios(filepath.Join(c.compareOptions.out, scenario.Name+".jsonl"), []parity.Scenario{scenario})
}

func (c *comparison) verdict() error {
	fmt.Fprintf(c.out, "%d requests, %d answered differently\n", c.done, c.different)
	if c.different > 0 {
		return errors.New("ssactl answers differently from kube-apiserver")
	}
	return nil
}
