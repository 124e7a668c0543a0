package cli

import (
	"context"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// inquiry is a question whose answers make one document, which is shown once all
// of them are there.
type inquiry[S, A, D any] struct {
	question[S, A]
	// document is made of the answers about the first subjects: about all of them
	// where the run was not interrupted.
	document func(context.Context, *cluster, []A, report.Run) (D, error)
	// show prints a document; a version without the values of Secrets is
	// to be seen, in all outputs.
	show func(c *cluster, seen, whole D) error
	// verdict is what the exit code is made of; nil for a run that is always well.
	verdict func(*cluster, D) error
	// conclude writes files, and gives the verdict of the run: it gets what it would be
	// without. Nil where nothing is written.
	conclude func(ctx context.Context, c *cluster, subjects []S, whole D, verdict error) error
}

// inquiryFlags are those of every inquiry.
type inquiryFlags struct {
	inputFlags
	serverFlags
	answerFlags
}

func (f *inquiryFlags) reading() loading {
	return loading{&f.inputFlags, &f.serverFlags, f.quiet}
}

// inquire runs an inquiry.
func inquire[S, A, D any](ctx context.Context, a *app, q inquiry[S, A, D]) error {
	return execute(ctx, a, q.question, &reader[S, A, D]{inquiry: q})
}

// reader keeps the answers of an inquiry until they make a document.
type reader[S, A, D any] struct {
	inquiry  inquiry[S, A, D]
	subjects []S
	answers  []A
	whole    D
}

func (r *reader[S, A, D]) begin(_ *cluster, subjects []S) error {
	r.subjects, r.answers = subjects, make([]A, 0, len(subjects))
	return nil
}

func (r *reader[S, A, D]) close() {}

// ahead lets all answers wait: they are kept anyway.
func (r *reader[S, A, D]) ahead(*cluster) int { return len(r.subjects) }

func (r *reader[S, A, D]) take(_ *cluster, _ S, a A) error {
	r.answers = append(r.answers, a)
	return nil
}

func (r *reader[S, A, D]) end(ctx context.Context, c *cluster, i *report.Interruption) (err error) {
	if r.whole, err = r.inquiry.document(ctx, c, r.answers, c.run(i)); err != nil {
		return unanswered(c, err)
	}
	c.noteReleases()
	c.noteSnapshots()
	c.app.notice(c.notices)
	return r.inquiry.show(c, redact.Document(c.app.secrets, r.whole), r.whole)
}

// run is what documents say of a run.
func (c *cluster) run(i *report.Interruption) report.Run {
	return report.Run{Version: c.server.Version(), Snapshots: c.snapshots, Ending: report.Ending{Problems: c.problems, Interrupted: i}}
}

func (r *reader[S, A, D]) conclude(ctx context.Context, c *cluster) error {
	var verdict error
	if r.inquiry.verdict != nil {
		verdict = r.inquiry.verdict(c, r.whole)
	}
	if r.inquiry.conclude == nil {
		return verdict
	}
	return r.inquiry.conclude(ctx, c, r.subjects, r.whole, verdict)
}
