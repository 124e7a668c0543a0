package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/live"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/writeback"
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
	c, err := a.loadCluster(ctx, in, sf)
	if err != nil {
		return err
	}
	pairs, err := pairsOf(c)
	if err != nil {
		// What could not be read may be why.
		return errors.Join(err, render.Problems(a.streams.Err, c.problems, render.Options{}))
	}
	if len(pairs) == 0 && len(c.problems) == 0 {
		return errors.New("the inputs have no objects")
	}
	report := c.simulate(ctx, pairs, func(p pair) engine.Write { return write(c, p) })
	a.notice(c.notices)
	if err := a.print(report, out, c.now, in.live); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted after %d of %d objects", len(report.Results), len(pairs))
	}
	if err := verdictOf(report); err != nil {
		if wf.write {
			fmt.Fprintln(a.streams.Err, "nothing was written, since not every object would be accepted")
		}
		return err
	}
	if !wf.write {
		return nil
	}
	return a.writeBack(ctx, wf, pairs, report)
}

// writeBack puts the results into the files that the live objects came from.
func (a *app) writeBack(ctx context.Context, wf *writeFlags, pairs []pair, report engine.Report) error {
	plan := &writeback.Plan{NewFile: wf.newFile}
	for i, result := range report.Results {
		addToPlan(plan, pairs[i].live, result)
	}
	return a.commit(ctx, plan)
}

// commit carries a plan out and tells the files that were written.
func (a *app) commit(ctx context.Context, plan *writeback.Plan) error {
	if plan.Empty() {
		return nil
	}
	files, err := plan.Commit(ctx, writeback.OS{})
	for _, file := range files {
		fmt.Fprintf(a.streams.Err, "wrote %s\n", file)
	}
	switch {
	case errors.Is(err, writeback.ErrNoNewFile):
		return fmt.Errorf("%w: name one with --write-new FILE; nothing was written", err)
	case errors.Is(err, writeback.ErrStandardInput):
		return fmt.Errorf("%w: give the live objects as a file; nothing was written", err)
	}
	return err
}

func addToPlan(plan *writeback.Plan, o *live.Object, result engine.Result) {
	switch {
	case o == nil && result.Object != nil:
		plan.Create(result.Object)
	case o == nil || result.Outcome == engine.Unchanged:
	case result.Deleted:
		plan.Delete(placeOf(o), result.Live)
	default:
		plan.Replace(placeOf(o), result.Object)
	}
}

func placeOf(o *live.Object) writeback.Place {
	place := writeback.Place{File: o.Source.File, Document: o.Source.Document, Item: writeback.NotInList}
	if o.Item > 0 {
		place.Item = o.Item - 1
	}
	return place
}
