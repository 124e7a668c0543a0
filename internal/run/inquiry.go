package run

import (
	"context"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

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
	return report.Run{Version: c.Server.Version(), Snapshots: c.Snapshots, Ending: report.Ending{Problems: c.Problems, Interrupted: i}}
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
