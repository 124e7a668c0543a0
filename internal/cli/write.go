package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/render/stream"
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

func (f *writeFlags) check(in *inputFlags) error {
	if f.newFile != "" && !f.write {
		return errors.New("--write-new works only with --write")
	}
	return f.refuseNewFile(in)
}

// writeOptions are those of all commands that preview a write.
type writeOptions struct {
	inputFlags
	serverFlags
	requestFlags
	outputFlags
	writeFlags
}

func (o *writeOptions) add(cmd *cobra.Command, subresources ...string) {
	o.inputFlags.add(cmd)
	o.addAssumeAbsent(cmd)
	o.inputFlags.addUnmatched(cmd)
	o.inputFlags.addDryRun(cmd)
	o.inputFlags.addPolicy(cmd)
	o.serverFlags.add(cmd)
	o.requestFlags.add(cmd, subresources...)
	o.outputFlags.add(cmd)
}

// check finds wrong flags before anything is read.
func (o *writeOptions) check(cmd *cobra.Command) error {
	if err := o.requestFlags.check(cmd); err != nil {
		return err
	}
	if err := errors.Join(o.outputFlags.check(&o.inputFlags, o.newFile), o.writeFlags.check(&o.inputFlags)); err != nil {
		return err
	}
	o.writes, o.built = o.write, o.kustomize != ""
	o.inputs, o.repeated, o.selected = o.sources(), slices.Concat(o.inputFlags.words(), o.serverFlags.words()), o.inputFlags.names()
	return nil
}

// writing is what a command asks about each manifest, or about each object that it
// writes to: the answer to a write.
type writing struct {
	*writeOptions
	// pairsOf are the subjects; nil for the manifests.
	pairsOf func(context.Context, *cluster) ([]pair, error)
	// writeOf is the write of a pair.
	writeOf func(*cluster, pair) engine.Write
	// prune gives the deletes that follow the writes; nil for none.
	prune func(*cluster) []pair
	// command is the name of the command.
	command string
	// noLive: an apply is asked about without live objects. The answers are exact
	// for a cluster that has none; the run says so.
	noLive  bool
	display *display
	doc     report.Report
	back    *backlog // nil where nothing is written
}

// answerWrites answers each write, shows the answers while they come, and writes
// the results back where that is asked for.
func answerWrites(ctx context.Context, a *app, w *writing) error {
	return execute(ctx, a, w.question(), w)
}

func (w *writing) question() question[pair, answer] {
	return question[pair, answer]{
		reads: loading{&w.inputFlags, &w.serverFlags, w.quiet}, verb: "answering",
		subjects: w.subjects, ask: w.ask, failed: w.failed, stretch: (*cluster).stretch, settle: settle,
	}
}

func (w *writing) subjects(ctx context.Context, c *cluster) (pairs []pair, err error) {
	if w.pairsOf == nil {
		pairs = c.pairs()
	} else if pairs, err = w.pairsOf(ctx, c); err != nil {
		return nil, err
	}
	if len(pairs) == 0 && len(c.problems) == 0 {
		return nil, errors.New("the inputs have no objects")
	}
	return pairs, nil
}

func (w *writing) begin(c *cluster, pairs []pair) error {
	a := c.app
	options := w.outputFlags.options(a, c.now, w.live)
	w.display = a.newDisplay(&w.outputFlags, options)
	c.detail = w.detail(len(pairs))
	if w.write {
		w.back = &backlog{plan: &writeback.Plan{NewFile: w.newFile, Read: c.read}}
	}
	c.noteNamespaces(pairs)
	if w.noLive {
		c.notices = append([]string{withoutLive}, c.notices...)
	}
	c.noteSnapshots()
	a.notice(c.notices)
	if err := a.tellProblems(c.problems, options); err != nil {
		return err
	}
	w.doc = report.New(c.run(nil), nil)
	w.doc.Unmatched = c.unmatched
	w.doc.Summary.Unmatched = c.unnamed
	return w.display.begin(stream.Start{Server: w.doc.Server, Snapshots: w.doc.Snapshots, Command: w.command, NoLive: w.noLive, Total: len(pairs), Problems: c.problems})
}

func (w *writing) close() {
	if w.display != nil {
		w.display.close()
	}
}

// workAhead is how many objects a worker may run ahead of the one whose turn it is
// to be shown.
const workAhead = 8

func (w *writing) ahead(c *cluster) int { return workAhead * c.jobs }

func (w *writing) ask(ctx context.Context, c *cluster, p pair) answer {
	defer p.document.Forget()
	return w.display.answer(c.answer(ctx, p, w.writeOf(c, p)))
}

func (w *writing) failed(c *cluster, p pair, err error) answer {
	return w.display.answer(engine.Failure(w.writeOf(c, p), err))
}

func (w *writing) take(_ *cluster, p pair, a answer) error {
	if w.back != nil {
		w.back.add(p, a.given)
	}
	return w.display.show(a)
}

func settle(c *cluster, p pair, a answer) { c.learn(p, a.given) }

func (w *writing) end(ctx context.Context, c *cluster, i *report.Interruption) error {
	w.doc.Interrupted = i
	if w.prune != nil && i == nil && c.client != nil {
		if err := w.deletes(ctx, c); err != nil {
			return err
		}
	}
	return w.display.end(w.doc)
}

// deletes answers the deletes that the client sends behind the writes.
func (w *writing) deletes(ctx context.Context, c *cluster) error {
	if c.client.Stops && w.display.tally.Summary.Refused() {
		return nil
	}
	for _, p := range w.prune(c) {
		if err := w.take(c, p, w.display.answer(c.answer(ctx, p, c.deletion(p)))); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) conclude(ctx context.Context, c *cluster) error {
	for _, field := range w.display.missed {
		c.app.notice([]string{fmt.Sprintf("--ignore-field %s: no object has such a field", c.app.secrets.Text(field))})
	}
	if all := w.display.tally.Summary; all.Total > all.Invalid+all.Failed && !c.app.configured["policy"] && aboutNothing(c.policy) {
		c.app.notice([]string{"--policy: no rule is about an object of this run, by its kinds, namespaces and labels"})
	}
	w.doc.Summary = w.display.tally.Summary
	verdict := verdictOf(w.doc)
	if verdict == nil {
		verdict = w.display.riskVerdict()
	}
	if w.back == nil {
		return verdict
	}
	return c.app.writeBack(ctx, w.back.plan, verdict, "not every object would be accepted")
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
