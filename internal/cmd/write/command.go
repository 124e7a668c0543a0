// Package write previews writes: create, update, patch, scale and delete; and is the
// question of all simulated writes, which apply asks too (command.go). Answers are shown
// while they come.
package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

// Options are those of all commands that preview a write.
type Options struct {
	input.Flags
	input.ServerFlags
	input.RequestFlags
	output.WriteFlags
	output.FileFlags
}

// Add adds the flags of all writes.
func (o *Options) Add(cmd *cobra.Command, subresources ...string) {
	o.Flags.Add(cmd)
	o.AddAssumeAbsent(cmd)
	o.Flags.AddUnmatched(cmd)
	o.Flags.AddDryRun(cmd)
	o.Flags.AddPolicy(cmd)
	o.ServerFlags.Add(cmd)
	o.RequestFlags.Add(cmd, subresources...)
	o.WriteFlags.Add(cmd)
}

// Check finds wrong flags before anything is read.
func (o *Options) Check(cmd *cobra.Command) error {
	if err := o.RequestFlags.Check(cmd); err != nil {
		return err
	}
	if err := errors.Join(o.WriteFlags.Check(&o.Flags, o.NewFile), o.FileFlags.Check(&o.Flags)); err != nil {
		return err
	}
	o.Writes, o.Built, o.ByKubectl = o.WriteIn, o.Kustomize != "", o.ClientFlags.Name == "kubectl"
	o.Inputs, o.Repeated, o.Selected = o.Sources(), slices.Concat(o.Flags.Words(), o.ServerFlags.Words()), o.Flags.Names()
	return nil
}

// Writing is what a command asks about each manifest, or about each object that it
// writes to: the answer to a write.
type Writing struct {
	*Options
	// PairsOf are the subjects; nil for the manifests.
	PairsOf func(context.Context, *cluster.Cluster) ([]cluster.Pair, error)
	// WriteOf is the write of a pair.
	WriteOf func(*cluster.Cluster, cluster.Pair) engine.Write
	// Prune gives the deletes that follow the writes; nil for none.
	Prune func(*cluster.Cluster) []cluster.Pair
	// Command is the name of the command, empty for apply: see stream.Start.
	Command string
	// NoLive: an apply is asked about without live objects. The answers are exact
	// for a cluster that has none; the run says so.
	NoLive bool
	// Unadvised: no output says more of a result than that it has no answer.
	Unadvised bool
	Display   *output.Display
	doc       report.Report
	back      *backlog // nil where nothing is written
	// shown are the numbers of the pairs whose answers are to be shown, in the order of the
	// manifests, and waiting those that are answered before the first of them; nil where
	// answers come in that order.
	shown   []int
	waiting map[int]func() error
	// base are the answers before the change that is asked about; nil for none.
	base    *base
	opening opening
	// refused: at least one write is.
	refused bool
}

// AnswerWrites answers each write, shows the answers while they come, and writes
// the results back where that is asked for.
func AnswerWrites(ctx context.Context, a *app.App, w *Writing) error {
	return run.Execute(ctx, a, w.Question(), w)
}

// Question is what is asked about each pair.
func (w *Writing) Question() run.Question[cluster.Pair, output.Answer] {
	return run.Question[cluster.Pair, output.Answer]{
		Reads: cluster.Loading{Flags: &w.Flags, ServerFlags: &w.ServerFlags, Quiet: w.Quiet}, Verb: "answering",
		Subjects: w.subjects, Stretch: (*cluster.Cluster).Stretch,
		Ask: func(ctx context.Context, c *cluster.Cluster, p cluster.Pair) output.Answer {
			defer p.Document.Forget()
			if w.base != nil {
				return w.base.answer(ctx, c, p)
			}
			return w.answer(c.Answer(ctx, p, w.WriteOf(c, p)))
		},
		Failed: func(c *cluster.Cluster, p cluster.Pair, err error) output.Answer {
			if w.base != nil {
				return output.Answer{Given: c.Failure(w.WriteOf(c, p), err)}
			}
			return w.answer(c.Failure(w.WriteOf(c, p), err))
		},
		Settle: func(c *cluster.Cluster, p cluster.Pair, a output.Answer) { c.Learn(p, a.Given) },
	}
}

// pairsOf are the pairs that are asked about.
func (w *Writing) pairsOf(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	if w.PairsOf == nil {
		return c.Pairs(), nil
	}
	return w.PairsOf(ctx, c)
}

func (w *Writing) subjects(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	pairs, err := w.pairsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	if w.base, err = w.askBase(ctx, c, pairs); err != nil {
		return nil, err
	}
	if len(pairs) == 0 && len(c.Problems) == 0 && w.base == nil {
		return nil, errors.New("the inputs have no objects")
	}
	pairs = c.InRun(pairs)
	number := func(a, b cluster.Pair) int { return cmp.Compare(a.Number, b.Number) }
	if !slices.IsSortedFunc(pairs, number) {
		w.waiting = map[int]func() error{}
		for _, p := range asked(slices.SortedFunc(slices.Values(pairs), number)) {
			w.shown = append(w.shown, p.Number)
		}
	}
	return pairs, nil
}

// asked are the pairs that somebody asks about.
func asked(pairs []cluster.Pair) []cluster.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p cluster.Pair) bool { return p.Unasked })
}

// Begin opens the outputs, and says what is known of the inputs.
func (w *Writing) Begin(c *cluster.Cluster, pairs []cluster.Pair) error {
	pairs = asked(pairs)
	a := c.App
	options := w.WriteFlags.Options(a, c.Now, w.Live)
	w.Display = output.NewDisplay(a, &w.WriteFlags, options)
	c.Detail, c.Advice = w.Detail(len(pairs)), w.advice(len(pairs))
	c.Several(len(pairs) > 1)
	if w.WriteIn {
		w.back = &backlog{plan: &writeback.Plan{NewFile: w.NewFile, Read: c.Read}}
	}
	c.NoteNamespaces(pairs)
	if w.NoLive {
		c.Notices = append([]string{cluster.WithoutLive}, c.Notices...)
	}
	c.NoteSnapshots()
	a.Notice(c.Notices)
	if err := a.TellProblems(c.Problems, options); err != nil {
		return err
	}
	w.doc = report.New(run.Run(c, nil), nil)
	w.doc.Unmatched = c.Unmatched
	w.doc.Summary.Unmatched = c.Unnamed
	return w.open(c, len(pairs))
}

// open begins the outputs for so many objects. How many are shown is not known yet where their
// answers are compared, and where the client may delete others behind the only one.
func (w *Writing) open(c *cluster.Cluster, objects int) error {
	w.opening = opening{total: objects, start: func(total int) error {
		return w.Display.Begin(stream.Start{Server: w.doc.Server, Snapshots: w.doc.Snapshots, Command: w.Command,
			NoLive: w.NoLive, Total: total, Problems: c.Problems})
	}}
	switch {
	case w.base != nil:
		w.Display.Comparison, w.opening.total = &w.base.Tally, w.base.total
		return nil
	case objects == 1 && w.Prune != nil && c.Client != nil && len(w.Prune(c)) > 0:
		w.opening.total += len(w.Prune(c))
		return nil
	}
	return w.opening.begin(objects)
}

// answer prepares what is shown of a result, as far as it is known how results are shown.
func (w *Writing) answer(r report.Result) output.Answer {
	if !w.opening.begun() {
		return w.Display.Compared(r, w.Filtered(r))
	}
	return w.Display.Answer(r)
}

// advice is what the outputs show about so many objects. Next to formats of objects,
// standard error says in full what is to be looked at of one object, and of several what is
// refused.
func (w *Writing) advice(objects int) cluster.Advice {
	switch {
	case w.Unadvised:
		return cluster.AdviceNone
	case objects > 1 && w.CountsRisks():
		return cluster.AdviceOnConflicts
	}
	return cluster.AdviceAll
}

// Close leaves no unfinished output behind.
func (w *Writing) Close() {
	if w.Display != nil {
		w.Display.Close()
	}
}

// workAhead is how many objects a worker may run ahead of the one whose turn it is
// to be shown.
const workAhead = 8

// Ahead lets each worker be a few objects ahead.
func (w *Writing) Ahead(c *cluster.Cluster) int { return workAhead * c.Jobs }

// Take shows an answer that is asked for once those before it are shown.
func (w *Writing) Take(_ *cluster.Cluster, p cluster.Pair, a output.Answer) error {
	switch {
	case p.Unasked:
		return nil
	case w.waiting == nil:
		return w.show(p, a)
	}
	w.waiting[p.Number] = func() error { return w.show(p, a) }
	for len(w.shown) > 0 && w.waiting[w.shown[0]] != nil {
		if err := w.showNext(); err != nil {
			return err
		}
	}
	return nil
}

// showNext shows the answer whose turn it is, if there is one.
func (w *Writing) showNext() error {
	number := w.shown[0]
	show := w.waiting[number]
	w.shown = w.shown[1:]
	delete(w.waiting, number)
	if show == nil {
		return nil
	}
	return show()
}

// show shows an answer, and notes what is to be written back.
func (w *Writing) show(p cluster.Pair, a output.Answer) error {
	w.refused = w.refused || a.Given.Outcome.Refused()
	if w.back != nil {
		w.back.add(p, a.Given)
	}
	if w.base != nil {
		return w.base.show(p, a.Given)
	}
	return w.opening.show(func() error { return w.Display.Show(a) })
}

// End answers the deletes of the client, and ends the outputs.
func (w *Writing) End(ctx context.Context, c *cluster.Cluster, i *report.Interruption) error {
	w.doc.Interrupted = i
	// An interruption leaves some unanswered.
	for len(w.shown) > 0 {
		if err := w.showNext(); err != nil {
			return err
		}
	}
	w.waiting = nil
	if w.Prune != nil && i == nil && c.Client != nil {
		if err := w.deletes(ctx, c); err != nil {
			return err
		}
	}
	if w.base != nil {
		if err := w.base.end(c, i != nil); err != nil {
			return err
		}
	}
	if err := w.opening.end(); err != nil {
		return err
	}
	return w.Display.End(w.doc)
}

// deletes answers the deletes that the client sends behind the writes.
func (w *Writing) deletes(ctx context.Context, c *cluster.Cluster) error {
	if c.Client.Stops && w.refused {
		return nil
	}
	for _, p := range w.Prune(c) {
		given := c.Answer(ctx, p, c.Deletion(p, c.Client.Manager))
		a := output.Answer{Given: given}
		if w.base == nil {
			a = w.answer(given)
		}
		if err := w.Take(c, p, a); err != nil {
			return err
		}
		c.Deletes(p)
	}
	w.doc.Unmatched, w.doc.Summary.Unmatched = c.Unmatched, c.Unnamed
	return nil
}

// Conclude writes the results back, and gives the verdict.
func (w *Writing) Conclude(ctx context.Context, c *cluster.Cluster) error {
	for _, field := range w.Display.Missed {
		c.App.Notice([]string{fmt.Sprintf("--ignore-field %s: no object has such a field", c.App.Secrets.Text(field))})
	}
	// Manifests are often a part of what a policy is for: that some rules were about none of
	// them is nothing to say.
	unused := c.Policy.Unused()
	aboutNothing := len(unused) > 0 && len(unused) == len(c.Policy.Rules) &&
		!slices.ContainsFunc(unused, func(u policy.Unused) bool { return u.Object })
	if all := w.Display.Tally.Summary; aboutNothing && all.Total > all.Invalid+all.Failed && !c.App.Configured["policy"] {
		c.App.Notice([]string{"--policy: no rule is about an object of this run, by its kinds, namespaces and labels"})
	}
	w.doc.Summary = w.Display.Tally.Summary
	verdict := app.VerdictOf(w.doc)
	if verdict == nil {
		verdict = w.Display.RiskVerdict()
	}
	if w.back == nil {
		return verdict
	}
	return output.WriteBack(ctx, c.App, w.back.plan, verdict, "not every object would be accepted")
}

// backlog is what is to be written back once every object is accepted.
type backlog struct {
	plan *writeback.Plan
	// refused: nothing will be written.
	refused bool
}

func (b *backlog) add(p cluster.Pair, result report.Result) {
	if b.refused = b.refused || result.Outcome.Refused(); b.refused {
		b.plan = &writeback.Plan{}
		return
	}
	o := p.Live
	switch {
	case o == nil && result.Object != nil:
		b.plan.Create(result.Object)
	case o == nil || result.Outcome == report.Unchanged:
	case result.Deleted:
		b.plan.Delete(output.PlaceOf(o), result.Live)
	default:
		b.plan.Replace(output.PlaceOf(o), result.Object)
	}
}
