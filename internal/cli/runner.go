package cli

import (
	"context"
	"errors"
	"time"

	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/report"
)

// question is what a command asks about each of its subjects.
type question[S, A any] struct {
	// reads are the flags that say what is loaded, and which server is simulated.
	reads loading
	// verb is what the progress bar says, such as "explaining".
	verb string
	// subjects are those among what was loaded, in their order.
	subjects func(context.Context, *cluster) ([]S, error)
	// ask gives the answer about one, and failed that about one on which linked
	// code panicked, or that took too long: then ask may still go on. Both are called
	// for several at once.
	ask    func(context.Context, *cluster, S) A
	failed func(*cluster, S, error) A
	// stretch is how many of the first subjects can be asked about at once; nil where no
	// answer depends on those before it.
	stretch func(*cluster, []S) int
	// settle gets the answer about the last of a stretch, before the next begins.
	settle func(*cluster, S, A)
}

// audience is who gets the answers.
type audience[S, A any] interface {
	// begin is called before the first subject is asked about; close in any case.
	begin(*cluster, []S) error
	close()
	// ahead is how many answers may wait for the one whose turn it is.
	ahead(*cluster) int
	// take gets the answers in the order of the subjects.
	take(*cluster, S, A) error
	// end shows what is not shown yet. The interruption is nil for a run that came
	// to its end.
	end(context.Context, *cluster, *report.Interruption) error
	// conclude writes what the run was asked to write, and gives the verdict.
	conclude(context.Context, *cluster) error
}

// execute is the way of every command that is about objects: it loads, asks about
// each, shows, writes, and gives the verdict, which becomes the exit code.
func execute[S, A any](ctx context.Context, a *app, q question[S, A], to audience[S, A]) error {
	c, err := a.load(ctx, q.reads)
	if err != nil {
		return err
	}
	subjects, err := q.subjects(ctx, c)
	if err != nil {
		return unanswered(c, err)
	}
	defer to.close()
	if err := to.begin(c, subjects); err != nil {
		return err
	}
	answered, err := askAll(ctx, c, subjects, q, to)
	if err != nil {
		return err
	}
	interrupted := interruption(answered, len(subjects))
	if err := errors.Join(to.end(ctx, c, interrupted), interruptedError(interrupted)); err != nil {
		return err
	}
	return to.conclude(ctx, c)
}

// askAll asks about the subjects, stretch by stretch, and gives the number of
// those that were answered, which are the first ones: an interrupt ends it with
// what is known.
func askAll[S, A any](ctx context.Context, c *cluster, subjects []S, q question[S, A], to audience[S, A]) (int, error) {
	c.app.bar.Start(q.verb, int64(len(subjects)), progress.Objects)
	defer c.app.bar.End()
	if q.stretch == nil {
		return askTogether(ctx, c, subjects, q, to, func(S, A) {})
	}
	for answered := 0; answered < len(subjects); {
		stretch := subjects[answered:][:q.stretch(c, subjects[answered:])]
		n, err := askTogether(ctx, c, stretch, q, to, func(last S, a A) { q.settle(c, last, a) })
		if answered += n; err != nil || n < len(stretch) {
			return answered, err
		}
	}
	return len(subjects), nil
}

// askTogether asks about several subjects at once, and hands the answers on as
// soon as those before are.
func askTogether[S, A any](ctx context.Context, c *cluster, subjects []S, q question[S, A], to audience[S, A], settle func(S, A)) (int, error) {
	options := pool.Options{Jobs: c.jobs, Window: to.ahead(c)}
	return pool.Run(ctx, len(subjects), options,
		func(ctx context.Context, i int) A {
			return answered(ctx, func(ctx context.Context) A { return q.ask(ctx, c, subjects[i]) },
				func(err error) A { return q.failed(c, subjects[i], err) })
		},
		func(i int, a A) error {
			defer c.app.bar.Add(1)
			if err := to.take(c, subjects[i], a); err != nil {
				return err
			}
			if i == len(subjects)-1 {
				settle(subjects[i], a)
			}
			return nil
		})
}

// answerLimit is how much processor time one answer may have, the probes in it
// included. Answers take milliseconds, and those about the largest objects that a
// server stores a few seconds.
const answerLimit = 10 * time.Second

// answered gives an answer, or what is said where there is none.
func answered[A any](ctx context.Context, ask func(context.Context) A, failed func(error) A) A {
	answer, err := guard.Value(func() (A, error) { return pool.Limit(ctx, answerLimit, ask) })
	if err != nil {
		return failed(err)
	}
	return answer
}
