package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/compare"
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/server/api"
)

// base are the answers for the manifests before the change that is asked about.
type base struct {
	*Writing
	compare.Before
	// equal are the manifests, by their numbers, that are the same before and after the
	// change, with the same answer: it is asked for once.
	equal map[int]bool
	// taken are the answers until all are there.
	taken []answered
	// total is how many results there are at most.
	total int
}

// answered is an answer before the change, and the number of its manifest.
type answered struct {
	number int
	compare.Written
}

// askBase answers for the manifests before the change as for those of the run, on the same
// live objects; nil where none are asked for.
func (w *Writing) askBase(ctx context.Context, c *cluster.Cluster, pairs []cluster.Pair) (*base, error) {
	former, err := c.Former(ctx)
	if former == nil || err != nil {
		return nil, err
	}
	// What is found out about the client is said of the run.
	saved := w.ClientFlags
	defer func() { w.ClientFlags = saved }()
	w.ClientFlags.Named = w.ClientFlags.Named || c.App.Inferred
	before, err := w.pairsOf(ctx, former)
	if err != nil {
		return nil, err
	}
	former.Detail = engine.DetailAll
	former.Several(true)
	b := &base{Writing: w, total: len(pairs) + len(before)}
	b.Tally = report.Comparison{Base: w.Base.String(), All: w.Base.All || w.Base.Existing, Existing: w.Base.Existing}
	var twins map[int]bool
	if c.SameContext(former) {
		b.equal, twins = cluster.Twins(pairs, before)
	}
	asking := former.InRun(before)
	n, err := run.Ask(ctx, former, asking, b.question(twins), b)
	switch {
	case err != nil:
		return nil, err
	case n < len(asking):
		return nil, errors.New("interrupted while the manifests before the change were answered")
	}
	slices.SortStableFunc(b.taken, func(a, b answered) int { return cmp.Compare(a.number, b.number) })
	for _, a := range b.taken {
		b.Add(a.Written)
	}
	b.taken = nil
	b.prune(ctx, former)
	return b, nil
}

// question is what is asked about the manifests before the change: their findings, without
// fixes.
func (b *base) question(twins map[int]bool) run.Question[cluster.Pair, report.Result] {
	return run.Question[cluster.Pair, report.Result]{
		Verb: "comparing", Stretch: (*cluster.Cluster).Stretch,
		Ask: func(ctx context.Context, c *cluster.Cluster, p cluster.Pair) report.Result {
			defer p.Document.Forget()
			if twins[p.Number] {
				return report.Result{}
			}
			return c.Found(ctx, p, b.WriteOf(c, p))
		},
		Failed: func(c *cluster.Cluster, p cluster.Pair, err error) report.Result {
			return c.Failure(b.WriteOf(c, p), err)
		},
		Settle: func(c *cluster.Cluster, p cluster.Pair, r report.Result) { c.Learn(p, r) },
	}
}

// Ahead lets each worker be a few objects ahead.
func (b *base) Ahead(c *cluster.Cluster) int { return workAhead * c.Jobs }

// Take takes the next answer before the change.
func (b *base) Take(_ *cluster.Cluster, p cluster.Pair, r report.Result) error {
	if r.Outcome != "" && !p.Unasked {
		b.taken = append(b.taken, answered{p.Number, compare.Written{Result: b.Filtered(r), Manifest: p.Document.JSON()}})
	}
	return nil
}

// prune takes what the client deletes behind the manifests before the change.
func (b *base) prune(ctx context.Context, former *cluster.Cluster) {
	if b.Writing.Prune == nil || former.Client == nil || former.Client.Stops && b.Refused() {
		return
	}
	for _, p := range b.Writing.Prune(former) {
		r := former.Found(ctx, p, former.Deletion(p, former.Client.Manager))
		b.Add(compare.Written{Result: b.Filtered(r)})
	}
}

// answer is the answer for the run to a write: with all that is said of it where it may be
// shown.
func (b *base) answer(ctx context.Context, c *cluster.Cluster, p cluster.Pair) output.Answer {
	if b.equal[p.Number] && !b.Tally.All {
		return output.Answer{Given: c.Found(ctx, p, b.WriteOf(c, p))}
	}
	return output.Answer{Given: c.Answer(ctx, p, b.WriteOf(c, p))}
}

// show shows an answer of the run if it differs from that before the change.
func (b *base) show(p cluster.Pair, given report.Result) error {
	after := compare.Written{Result: b.Filtered(given), Manifest: p.Document.JSON()}
	if given.Operation == report.Delete {
		after.Manifest = nil
	}
	r, differs := b.Compare(after, b.equal[p.Number] && given.Operation != report.Delete)
	if given.Risks = r.Risks; !differs && !b.Tally.All {
		return nil
	}
	return b.list(given, r)
}

// list shows a compared result, once it is known whether it is the only one.
func (b *base) list(given, shown report.Result) error {
	return b.opening.show(func() error { return b.Display.Show(b.Display.Compared(given, shown)) })
}

// doubt says of an object whose manifest is removed that nothing says whether the client
// deletes it.
func (b *base) doubt(by *client.Client, r *report.Result) {
	if by == nil || r.Live == nil {
		return
	}
	d := by.Decides(r.Live)
	if d.Object == "" {
		return
	}
	says := fmt.Sprintf(
		"%s deletes it if its %s %s, which no input says: give the %s with --live.", by.Title, d.Object, d.If, d.Object,
	)
	r.Confidence = report.Confidence{
		Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Input, Message: says}},
	}
}

// end shows what only the manifests before the change have.
func (b *base) end(c *cluster.Cluster, interrupted bool) error {
	if !interrupted {
		for _, r := range b.Gone() {
			b.doubt(c.Client, &r)
			if err := b.list(r, r); err != nil {
				return err
			}
		}
	}
	err := b.opening.end()
	b.Display.Tally.Summary.Comparison = &b.Tally
	return err
}
