package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

// writeFlags say whether results are put back into files.
type writeFlags struct {
	write   bool
	newFile string
}

func (f *writeFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.write, "write", false, "put the results into the live files, all of them or none")
	cmd.Flags().StringVar(&f.newFile, "write-new", "", "`file` that created objects are added to (with --write)")
}

func (f *writeFlags) check() error {
	if f.newFile != "" && !f.write {
		return errors.New("--write-new works only with --write")
	}
	return nil
}

// simulateWrites answers a write for each manifest.
func (a *app) simulateWrites(
	ctx context.Context, in *inputFlags, sf *serverFlags, out *outputFlags, wf *writeFlags,
	write func(*cluster, pair) engine.Write,
) error {
	return a.simulatePairs(ctx, in, sf, out, wf,
		func(c *cluster) ([]pair, error) { return c.pairs(), nil }, write)
}

// simulatePairs is the pass that every simulated write takes: load, pair,
// simulate, print, write back, and derive the exit code.
func (a *app) simulatePairs(
	ctx context.Context, in *inputFlags, sf *serverFlags, out *outputFlags, wf *writeFlags,
	pairsOf func(*cluster) ([]pair, error), write func(*cluster, pair) engine.Write,
) error {
	if err := errors.Join(out.check(), wf.check()); err != nil {
		return err
	}
	outputs, err := out.parse()
	if err == nil {
		err = errors.Join(refuseInputs(outputs, in, wf.newFile), wf.refuseNewFile(in))
	}
	if err != nil {
		return err
	}
	in.writes = wf.write
	out.repeated, out.built = slices.Concat(in.words(), sf.words()), in.kustomize != ""
	a = a.watched(out.quiet)
	c, err := a.loadCluster(ctx, in, sf)
	if err != nil {
		return err
	}
	pairs, err := pairsOf(c)
	if err != nil {
		return a.unanswered(c, err)
	}
	d, err := a.newDisplay(out, outputs, c.now, in.live)
	if err != nil {
		return err
	}
	defer d.close()
	c.detail = out.detail(outputs, len(pairs))
	var back *backlog
	if wf.write {
		back = &backlog{plan: &writeback.Plan{NewFile: wf.newFile, Read: c.read}}
		d.taken = back.add
	}
	err = a.answerPairs(ctx, c, pairs, func(p pair) engine.Write { return write(c, p) }, d)
	switch {
	case back == nil:
		return err
	case errors.As(err, new(verdict)):
		fmt.Fprintln(a.streams.Err, "nothing was written, since not every object would be accepted")
		return err
	case err != nil:
		return err
	}
	return a.commit(ctx, back.plan)
}

// answerPairs answers each pair, shows the answers while they come, and derives
// the exit code.
func (a *app) answerPairs(ctx context.Context, c *cluster, pairs []pair, write func(pair) engine.Write, d *display) error {
	if len(pairs) == 0 && len(c.problems) == 0 {
		return errors.New("the inputs have no objects")
	}
	a.notice(c.notices)
	if err := render.Problems(a.commentary(d.options), c.problems, d.options); err != nil {
		return err
	}
	doc := report.Report{Server: report.Server{Version: c.server.Version()}, Problems: c.problems, Unmatched: c.unmatched}
	doc.Summary.Unmatched = c.unnamed
	if err := d.begin(render.Start{Server: doc.Server, Total: len(pairs), Problems: c.problems}); err != nil {
		return err
	}
	a.bar.Start("answering", int64(len(pairs)), progress.Objects)
	answered, err := c.simulate(ctx, pairs, write, d)
	a.bar.End()
	if err != nil {
		return err
	}
	doc.Interrupted = interruption(answered, len(pairs))
	if err := errors.Join(d.end(doc), interruptedError(doc.Interrupted)); err != nil {
		return err
	}
	for _, field := range d.missed {
		a.notice([]string{fmt.Sprintf("--ignore-field %s: no object has such a field", field)})
	}
	doc.Summary = d.tally.Summary
	if err := verdictOf(doc); err != nil {
		return err
	}
	return d.riskVerdict()
}

// backlog is what is to be written back once every object is accepted.
type backlog struct {
	plan *writeback.Plan
	// refused: nothing will be written.
	refused bool
}

func (b *backlog) add(p pair, result report.Result) {
	if b.refused = b.refused || result.Outcome.Refused(); b.refused {
		b.plan = &writeback.Plan{}
		return
	}
	o := p.live
	switch {
	case o == nil && result.Object != nil:
		b.plan.Create(result.Object)
	case o == nil || result.Outcome == report.Unchanged:
	case result.Deleted:
		b.plan.Delete(placeOf(o), result.Live)
	default:
		b.plan.Replace(placeOf(o), result.Object)
	}
}

func placeOf(o *live.Object) writeback.Place {
	place := writeback.Place{File: o.Source.File, Document: o.Source.Document, Item: writeback.NotInList}
	if o.Item > 0 {
		place.Item = o.Item - 1
	}
	return place
}
