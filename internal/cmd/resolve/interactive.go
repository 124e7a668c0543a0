package resolve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/settings"
)

// checkInteractive finds what keeps a session from being held.
func (o *resolveOptions) checkInteractive(a *app.App) error {
	const instead = "decide with --stop-managing FIELD, --use-live-value FIELD, --all-stop-managing or --all-use-live-value"
	switch {
	case slices.ContainsFunc(slices.Concat(o.Filenames, o.Live, o.Crds), input.IsStdin):
		return errors.New("--interactive reads keys from standard input: give the objects as files, or " + instead)
	case o.Kustomize != "":
		return errors.New(
			program.In(
				"--interactive edits files, and what -k builds is in none: add a patch to the kustomization; 'ssactl explain' simulates each option",
			),
		)
	case !a.Streams.InIsTerminal || !a.Streams.OutIsTerminal || a.Streams.Getenv("TERM") == "dumb":
		return errors.New("--interactive needs a terminal: " + instead)
	}
	return nil
}

// runInteractive holds sessions until one ends without an edit: after an edit, the
// questions are others.
func runInteractive(ctx context.Context, a *app.App, o *resolveOptions) error {
	if err := o.checkInteractive(a); err != nil {
		return err
	}
	memory := o.memory(a)
	decided, wrote := memory.Load(), false
	for {
		o.texts = newManifestTexts(o.MaxBytes)
		i := &interview{resolveOptions: o, ctx: ctx, memory: memory, decided: decided, wrote: wrote}
		if err := run.Inquire(ctx, a, i.inquiry()); err != nil || !i.again {
			return err
		}
		decided, wrote = i.decided, i.wrote
	}
}

// memory is that of sessions about these manifests, applied by this field manager.
func (o *resolveOptions) memory(a *app.App) interactive.Memory {
	about := []string{o.Manager, o.Namespace, o.Subresource}
	for _, name := range o.Filenames {
		if path, err := filepath.Abs(name); err == nil {
			name = path
		}
		about = append(about, name)
	}
	return interactive.NewMemory(settings.StateDir(a.Streams.Getenv), about...)
}

// interview is one session.
type interview struct {
	*resolveOptions
	ctx     context.Context
	memory  interactive.Memory
	decided interactive.Decisions
	// again: a file was edited, and all is to be asked anew. Wrote: an edit was
	// written, in this session or in one before it.
	again, wrote bool
	// saved: the decisions are kept for the next session.
	saved bool

	inputs    []Input
	run       report.Run
	questions []interactive.Question
	ending    *interactive.Ending
}

// asked is what is known of one manifest.
type asked struct {
	input   Input
	explain conflict.Explanation
	stops   []conflict.Stop
}

// walked is what is known of all.
type walked struct {
	Applies conflict.Document
	Stops   []conflict.Stop
}

// inquiry is that of resolve, with the questions of a session instead of a document.
func (i *interview) inquiry() run.Inquiry[cluster.Pair, asked, walked] {
	of := i.resolveOptions.inquiry()
	return run.Inquiry[cluster.Pair, asked, walked]{
		Question: run.Question[cluster.Pair, asked]{
			Reads:    of.Reads,
			Verb:     of.Verb,
			Subjects: of.Subjects,
			Ask:      i.ask,
			Failed:   i.failed,
		},
		Document: i.document, Show: i.show, Conclude: i.conclude,
	}
}

func (i *interview) ask(ctx context.Context, c *cluster.Cluster, p cluster.Pair) asked {
	in := i.resolveOptions.ask(ctx, c, p)
	if in.Err != nil {
		return asked{input: in, explain: conflict.Failure(in.Write, in.Err)}
	}
	e, _ := explain.Decided(ctx, c, p, in.Write)
	var fields []string
	for _, r := range e.OtherRisks() {
		fields = append(fields, r.Field)
	}
	return asked{in, e, conflict.Stopping(ctx, c.Server, in.Write, fields)}
}

func (i *interview) failed(c *cluster.Cluster, p cluster.Pair, err error) asked {
	return asked{input: i.resolveOptions.failed(c, p, err), explain: conflict.Failure(c.Write(p), err)}
}

func (i *interview) document(
	_ context.Context,
	_ *cluster.Cluster,
	answers []asked,
	run report.Run,
) (d walked, err error) {
	i.run = run
	var applies []conflict.Explanation
	for _, a := range answers {
		if a.input.File, err = i.texts.file(a.input.Document.Source.File); err != nil {
			return d, err
		}
		i.inputs = append(i.inputs, a.input)
		applies, d.Stops = append(applies, a.explain), append(d.Stops, a.stops...)
	}
	d.Applies = conflict.NewDocument(run, applies)
	return d, nil
}

// show asks the questions. Where there are none, what resolve says is the answer.
func (i *interview) show(c *cluster.Cluster, seen, _ walked) error {
	a := c.App
	options := i.AnswerFlags.Options(a, c.Now, i.Live)
	i.questions = interactive.Questions(seen.Applies, seen.Stops, interactive.Secrets(i.shareSecrets), options.View())
	if len(i.questions) == 0 || i.run.Interrupted != nil {
		return nil
	}
	w := interactive.NewWalk(i.questions, i.decided, func(d interactive.Decisions) interactive.Review {
		resolved := i.resolved(c, d)
		return interactive.Review{
			Blocks: review(resolved, seen.Applies, i.forced(d), options.View()),
			Writes: len(resolved.Files) > 0,
		}
	})
	if err := a.TellProblems(c.Problems, options); err != nil {
		return err
	}
	w, err := interactive.Run(i.ctx, terminal(a, i.Paint), w)
	i.ending = w.Ending()
	return err
}

// resolved is what decisions make of the manifests, whose texts stay as they are.
func (i *interview) resolved(c *cluster.Cluster, d interactive.Decisions) Document {
	inputs := slices.Clone(i.inputs)
	i.texts.renew()
	for n := range inputs {
		inputs[n].File = i.texts.files[inputs[n].Document.Source.File]
		inputs[n].Decided = i.actions(n, d)
	}
	// An error is one of FIELDs, and none is named.
	document, _ := Run(i.ctx, c.Server, i.run, inputs, i.choice())
	return redact.Document(c.App.Secrets, document)
}

// actions are the decisions about an object that are edits.
func (i *interview) actions(object int, d interactive.Decisions) map[string]Action {
	edits := map[interactive.Choice]Action{interactive.StopManaging: StopManaging, interactive.UseLiveValue: UseLiveValue}
	out := map[string]Action{}
	for _, q := range i.questions {
		if action := edits[d[interactive.ID(q)]]; q.Object == object && action != "" {
			out[q.Field] = action
		}
	}
	return out
}

func (i *interview) forced(d interactive.Decisions) []interactive.Question {
	return slices.DeleteFunc(
		slices.Clone(i.questions),
		func(q interactive.Question) bool { return d[interactive.ID(q)] != interactive.Force },
	)
}

// conclude does what the session ended with.
func (i *interview) conclude(ctx context.Context, c *cluster.Cluster, _ []cluster.Pair, d walked, _ error) error {
	if i.ending == nil {
		resolved := i.resolved(c, nil)
		return errors.Join(i.resolveOptions.show(c, resolved, resolved), i.resolveOptions.verdict(c, resolved))
	}
	i.decided = i.ending.Decided
	switch i.ending.Kind {
	case interactive.Edit:
		// Whatever becomes of the editor, what was decided before is kept.
		i.remember(c.App, i.decided)
		return i.edit(ctx, c)
	case interactive.Write:
		return i.written(ctx, c, d.Applies)
	}
	i.remember(c.App, i.decided)
	if i.ending.Kind == interactive.Interrupted {
		return i.interrupted()
	}
	c.App.Notice([]string{i.unwritten() + i.kept()})
	return i.resolveOptions.verdict(c, i.resolved(c, nil))
}

// interrupted is the error of a session that was broken off.
func (i *interview) interrupted() error {
	return errors.New("interrupted; " + i.unwritten() + i.kept())
}

// unwritten says that decisions were not carried out.
func (i *interview) unwritten() string {
	if i.wrote {
		return "nothing more was written"
	}
	return "nothing was written"
}

// kept says what became of the decisions.
func (i *interview) kept() string {
	if !i.saved {
		return ""
	}
	return "; the same command goes on where you left"
}

// written writes what was reviewed, and says it.
func (i *interview) written(ctx context.Context, c *cluster.Cluster, applies conflict.Document) error {
	d := i.resolved(c, i.decided)
	if err := i.texts.write(ctx, c.App, d); err != nil {
		i.remember(c.App, i.decided)
		return err
	}
	i.remember(c.App, i.decided.Lasting())
	o := i.AnswerFlags.Options(c.App, c.Now, i.Live)
	steps := d
	steps.Files = nil
	out := c.App.Streams.Out.As(show.ReadingOf("text", o))
	shown := review(steps, applies, i.forced(i.decided), o.View())
	if _, err := io.WriteString(out, text.Blocks(shown, o.Text())); err != nil {
		return err
	}
	return i.resolveOptions.verdict(c, d)
}

// remember keeps decisions for the next session. That it cannot is no reason to fail.
func (i *interview) remember(a *app.App, d interactive.Decisions) {
	err := i.memory.Save(maps.Clone(d))
	if err != nil {
		a.Notice([]string{fmt.Sprintf("the decisions are not kept for the next session: %v", err)})
	}
	i.saved = err == nil && i.memory.Keeps() && len(d) > 0
}
