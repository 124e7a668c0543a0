// Package run is what every command does around its question: it loads the inputs, asks
// about each subject in parallel, shows the answers and gives the verdict.
//
// Below it: app is what a run shares with others, input the flags of what is read,
// cluster the manifests and live objects with a server that knows them, output where
// answers go.
package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/run/progress"
)

// Question is what a command asks about each of its subjects.
type Question[S, A any] struct {
	// Reads are the flags that say what is loaded, and which server is simulated.
	Reads cluster.Loading
	// Verb is what the progress bar says, such as "explaining".
	Verb string
	// Subjects are those among what was loaded, in their order.
	Subjects func(context.Context, *cluster.Cluster) ([]S, error)
	// Ask gives the answer about one, and failed that about one on which linked
	// code panicked, or that took too long: then ask may still go on. Both are called
	// for several at once.
	Ask    func(context.Context, *cluster.Cluster, S) A
	Failed func(*cluster.Cluster, S, error) A
	// Stretch is how many of the first subjects can be asked about at once; nil where no
	// answer depends on those before it.
	Stretch func(*cluster.Cluster, []S) int
	// Settle gets the answer about the last of a stretch, before the next begins.
	Settle func(*cluster.Cluster, S, A)
}

// audience is who gets the answers.
type audience[S, A any] interface {
	// Begin is called before the first subject is asked about; close in any case.
	Begin(*cluster.Cluster, []S) error
	Close()
	taker[S, A]
	// End shows what is not shown yet. The interruption is nil for a run that came
	// to its end.
	End(context.Context, *cluster.Cluster, *report.Interruption) error
	// Conclude writes what the run was asked to write, and gives the verdict.
	Conclude(context.Context, *cluster.Cluster) error
}

// Execute is the way of every command that is about objects: it loads, asks about
// each, shows, writes, and gives the verdict, which becomes the exit code.
func Execute[S, A any](ctx context.Context, a *app.App, q Question[S, A], to audience[S, A]) error {
	c, err := cluster.Load(ctx, a, q.Reads)
	if stopped := (*cluster.Interrupted)(nil); errors.As(err, &stopped) {
		return errors.Join(closeOutputs(ctx, c, to), err)
	}
	if err != nil {
		return err
	}
	subjects, err := q.Subjects(ctx, c)
	if err != nil {
		return Unanswered(c, err)
	}
	defer to.Close()
	if err := to.Begin(c, subjects); err != nil {
		return err
	}
	answered, err := Ask(ctx, c, subjects, q, to)
	if err != nil {
		return err
	}
	var interrupted *report.Interruption
	if answered < len(subjects) {
		interrupted = &report.Interruption{Answered: answered, Total: len(subjects)}
		err = fmt.Errorf("interrupted after %d of %d objects", answered, len(subjects))
	}
	if err := errors.Join(to.End(ctx, c, interrupted), err); err != nil {
		return err
	}
	return to.Conclude(ctx, c)
}

// closeOutputs shows in every output that a run was interrupted before its first answer: a
// file of an earlier run is not to be taken for the answer of this one.
func closeOutputs[S, A any](ctx context.Context, c *cluster.Cluster, to audience[S, A]) error {
	defer to.Close()
	// What was not read to its end is no input that cannot be read, and what is remarked on
	// others is not about an answer.
	c.Notices = nil
	c.Problems = slices.DeleteFunc(c.Problems, func(p report.Problem) bool {
		return strings.HasSuffix(p.Message, context.Canceled.Error())
	})
	return guard.Do(func() error {
		if err := to.Begin(c, nil); err != nil {
			return err
		}
		return to.End(ctx, c, &report.Interruption{Total: len(c.Manifests)})
	})
}

// taker gets the answers in the order of the subjects.
type taker[S, A any] interface {
	// Ahead is how many answers may wait for the one whose turn it is.
	Ahead(*cluster.Cluster) int
	Take(*cluster.Cluster, S, A) error
}

// Ask asks about the subjects, stretch by stretch, and gives the number of
// those that were answered, which are the first ones: an interrupt ends it with
// what is known.
func Ask[S, A any](
	ctx context.Context,
	c *cluster.Cluster,
	subjects []S,
	q Question[S, A],
	to taker[S, A],
) (int, error) {
	c.App.Bar.Start(q.Verb, int64(len(subjects)), progress.Objects)
	defer c.App.Bar.End()
	if q.Stretch == nil {
		return askTogether(ctx, c, subjects, q, to, func(S, A) {})
	}
	for answered := 0; answered < len(subjects); {
		stretch := subjects[answered:][:q.Stretch(c, subjects[answered:])]
		n, err := askTogether(ctx, c, stretch, q, to, func(last S, a A) { q.Settle(c, last, a) })
		if answered += n; err != nil || n < len(stretch) {
			return answered, err
		}
	}
	return len(subjects), nil
}

// askTogether asks about several subjects at once, and hands the answers on as
// soon as those before are.
func askTogether[S, A any](
	ctx context.Context,
	c *cluster.Cluster,
	subjects []S,
	q Question[S, A],
	to taker[S, A],
	settle func(S, A),
) (int, error) {
	options := pool.Options{Jobs: c.Jobs, Window: to.Ahead(c)}
	return pool.Run(ctx, len(subjects), options,
		func(ctx context.Context, i int) A {
			return answered(ctx, func(ctx context.Context) A { return q.Ask(ctx, c, subjects[i]) },
				func(err error) A { return q.Failed(c, subjects[i], err) })
		},
		func(i int, a A) error {
			defer c.App.Bar.Add(1)
			if err := to.Take(c, subjects[i], a); err != nil {
				return err
			}
			if i == len(subjects)-1 {
				settle(subjects[i], a)
			}
			return nil
		})
}

// AnswerLimit is how much processor time one answer may have, the probes in it
// included. Answers take milliseconds, and those about the largest objects that a
// server stores a few seconds.
const AnswerLimit = 10 * time.Second

// answered gives an answer, or what is said where there is none.
func answered[A any](ctx context.Context, ask func(context.Context) A, failed func(error) A) A {
	answer, err := guard.Value(func() (A, error) { return pool.Limit(ctx, AnswerLimit, ask) })
	if err != nil {
		return failed(err)
	}
	return answer
}

// Unanswered is the error of a run that has no answer. What could not be read is
// reported with it, as that may be why.
func Unanswered(c *cluster.Cluster, err error) error {
	return errors.Join(c.App.TellProblems(c.Problems, show.Options{}), err)
}

// Inquiry is a question whose answers make one document, which is shown once all
// of them are there.
type Inquiry[S, A, D any] struct {
	Question[S, A]
	// Document is made of the answers about the first subjects: about all of them
	// where the run was not interrupted.
	Document func(context.Context, *cluster.Cluster, []A, report.Run) (D, error)
	// Show prints a document; a version without the values of Secrets is
	// to be seen, in all outputs.
	Show func(c *cluster.Cluster, seen, whole D) error
	// Verdict is what the exit code is made of; nil for a run that is always well.
	Verdict func(*cluster.Cluster, D) error
	// Conclude writes files, and gives the verdict of the run: it gets what it would be
	// without. Nil where nothing is written.
	Conclude func(ctx context.Context, c *cluster.Cluster, subjects []S, whole D, verdict error) error
}

// InquiryFlags are those of every inquiry.
type InquiryFlags struct {
	input.Flags
	input.ServerFlags
	output.AnswerFlags
}

// Reading is what the flags have loaded.
func (f *InquiryFlags) Reading() cluster.Loading {
	return cluster.Loading{Flags: &f.Flags, ServerFlags: &f.ServerFlags, Quiet: f.Quiet}
}

// Inquire runs an inquiry.
func Inquire[S, A, D any](ctx context.Context, a *app.App, q Inquiry[S, A, D]) error {
	return Execute(ctx, a, q.Question, &reader[S, A, D]{inquiry: q})
}

// reader keeps the answers of an inquiry until they make a document.
type reader[S, A, D any] struct {
	inquiry  Inquiry[S, A, D]
	subjects []S
	answers  []A
	whole    D
}

func (r *reader[S, A, D]) Begin(_ *cluster.Cluster, subjects []S) error {
	r.subjects, r.answers = subjects, make([]A, 0, len(subjects))
	return nil
}

func (r *reader[S, A, D]) Close() {}

// Ahead lets all answers wait: they are kept anyway.
func (r *reader[S, A, D]) Ahead(*cluster.Cluster) int { return len(r.subjects) }

func (r *reader[S, A, D]) Take(_ *cluster.Cluster, _ S, a A) error {
	r.answers = append(r.answers, a)
	return nil
}

func (r *reader[S, A, D]) End(ctx context.Context, c *cluster.Cluster, i *report.Interruption) (err error) {
	if r.whole, err = r.inquiry.Document(ctx, c, r.answers, Run(c, i)); err != nil {
		return Unanswered(c, err)
	}
	c.NoteReleases()
	c.NoteSnapshots()
	c.App.Notice(c.Notices)
	return r.inquiry.Show(c, redact.Document(c.App.Secrets, r.whole), r.whole)
}

// Run is what documents say of a run.
func Run(c *cluster.Cluster, i *report.Interruption) report.Run {
	version := c.Base.Version()
	if c.Server != nil {
		version = c.Server.Version()
	}
	return report.Run{Version: version, Snapshots: c.Snapshots, Ending: report.Ending{
		Settings: c.App.Settings, Problems: c.Problems, Interrupted: i}}
}

func (r *reader[S, A, D]) Conclude(ctx context.Context, c *cluster.Cluster) error {
	var verdict error
	if r.inquiry.Verdict != nil {
		verdict = r.inquiry.Verdict(c, r.whole)
	}
	if r.inquiry.Conclude == nil {
		return verdict
	}
	return r.inquiry.Conclude(ctx, c, r.subjects, r.whole, verdict)
}
