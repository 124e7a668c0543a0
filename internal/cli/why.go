package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// whyOptions ask about one field.
type whyOptions struct {
	inquiryFlags
	manager string
	value   string
	// question is what check made of the flags and the arguments, of the objects
	// that are wanted.
	question explain.Question
	wanted   []objectName
}

// check finds wrong flags before anything is read.
func (o *whyOptions) check(cmd *cobra.Command, args []string) (err error) {
	if err := o.answerFlags.check(&o.inputFlags); err != nil {
		return err
	}
	o.question = explain.Question{Typed: args[len(args)-1], Manager: o.manager}
	if cmd.Flags().Changed("value") {
		var v any
		if err := yaml.Unmarshal([]byte(o.value), &v); err != nil {
			return fmt.Errorf("--value: %w", err)
		}
		o.question.Value = &v
	}
	o.wanted, err = parseNames(args[:len(args)-1])
	return err
}

func (o *whyOptions) inquiry() inquiry[pair, whyAnswer, explain.Answers] {
	return inquiry[pair, whyAnswer, explain.Answers]{
		question: question[pair, whyAnswer]{reads: o.reading(), verb: "asking", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

func (o *whyOptions) subjects(_ context.Context, c *cluster) ([]pair, error) {
	return c.targets(o.wanted)
}

func (o *whyOptions) ask(ctx context.Context, c *cluster, p pair) whyAnswer {
	return c.whyOf(ctx, p, o.question)
}

func (o *whyOptions) failed(_ *cluster, p pair, err error) whyAnswer {
	return whyAnswer{err: fmt.Errorf("%s: %w", p.key, err)}
}

// document has the answers about the objects that have the field. Without any, the
// error is that of the first object: what it has instead. One that cannot be asked
// is a problem.
func (o *whyOptions) document(_ context.Context, _ *cluster, answers []whyAnswer, run report.Run) (explain.Answers, error) {
	var whys []explain.Why
	var missing error
	for _, a := range answers {
		switch {
		case a.err != nil:
			run.Problems = append(run.Problems, problemOf(a.err))
		case a.missing != nil:
			missing = firstError(missing, a.missing)
		default:
			whys = append(whys, a.why)
		}
	}
	if len(whys) > 0 || run.Interrupted != nil {
		missing = nil
	}
	return explain.NewAnswers(run, whys), missing
}

func (o *whyOptions) show(c *cluster, seen, _ explain.Answers) error {
	return o.answer(c.app, c.now, o.live, render.Why(seen))
}

func (o *whyOptions) verdict(_ *cluster, d explain.Answers) error {
	return verdictOf(report.Report{Ending: d.Ending})
}

// whyAnswer is what is said of one object, why it has no such field, or why
// there is no answer.
type whyAnswer struct {
	why          explain.Why
	missing, err error
}

func (c *cluster) whyOf(ctx context.Context, p pair, ask explain.Question) whyAnswer {
	if p.err != nil {
		return whyAnswer{err: p.err}
	}
	w := c.write(p)
	object, err := p.live.Decode()
	if err != nil {
		return whyAnswer{err: err}
	}
	if err := cmp.Or(c.unserved(w.Kind), c.misfit(w.Kind, object)); err != nil {
		return whyAnswer{err: fmt.Errorf("%s: %w", p.key, err)}
	}
	found, err := explain.NewNames(c.server.Types(w.Kind).ParseableType, object).Find(ask.Typed)
	if err != nil {
		return whyAnswer{missing: fmt.Errorf("%s: %w", p.key, err)}
	}
	w.LiveObject = object
	if ask.Value != nil && redact.IsSecret(w.Kind.GroupVersion().String(), w.Kind.Kind) {
		c.app.secrets.LearnPatch(*ask.Value)
	}
	ask.Object, ask.Path, ask.Inside = w, found.Path, found.Inside
	return whyAnswer{why: explain.Ask(ctx, c.server, ask)}
}

func firstError(first, next error) error {
	if first != nil {
		return first
	}
	return next
}

// fieldsIn completes a field with those that the live files have, written as
// it was begun: with a dot in front or without. Completion tells no errors.
func (a *app) fieldsIn(ctx context.Context, o *whyOptions, args []string, typed string) []string {
	// Completing, the flags are parsed twice, and each file is named twice.
	files := slices.DeleteFunc(slices.Clone(o.live), isStdin)
	slices.Sort(files)
	o.live, o.quiet = slices.Compact(files), true
	c, err := a.load(ctx, o.reading())
	if err != nil {
		return nil
	}
	wanted, err := parseNames(args)
	if err != nil {
		return nil
	}
	pairs, _ := c.targets(wanted)
	var out []string
	for _, p := range pairs {
		if p.err != nil {
			continue
		}
		object, err := p.live.Decode()
		if err != nil {
			continue
		}
		for _, field := range explain.NewNames(c.server.Types(kindOf(p.live.Identity)).ParseableType, object).Fields() {
			if !strings.HasPrefix(typed, ".") {
				field = strings.TrimPrefix(field, ".")
			}
			if strings.HasPrefix(field, typed) {
				out = append(out, field)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
