package owners

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// whyOptions ask about one field.
type whyOptions struct {
	run.InquiryFlags
	manager string
	value   string
	// question is what check made of the flags and the arguments, of the objects
	// that are wanted.
	question conflict.Question
	wanted   []input.ObjectName
}

// check finds wrong flags before anything is read.
func (o *whyOptions) check(cmd *cobra.Command, args []string) (err error) {
	if err := o.AnswerFlags.Check(&o.Flags); err != nil {
		return err
	}
	o.question = conflict.Question{Typed: args[len(args)-1], Manager: o.manager}
	if cmd.Flags().Changed("value") {
		var v any
		if err := yaml.Unmarshal([]byte(o.value), &v); err != nil {
			return fmt.Errorf("--value: %w", err)
		}
		o.question.Value = &v
	}
	o.wanted, err = input.ParseNames(args[:len(args)-1])
	return err
}

func (o *whyOptions) inquiry() run.Inquiry[cluster.Pair, whyAnswer, conflict.Answers] {
	return run.Inquiry[cluster.Pair, whyAnswer, conflict.Answers]{
		Question: run.Question[cluster.Pair, whyAnswer]{Reads: o.Reading(), Verb: "asking",
			Subjects: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) { return c.Targets(o.wanted) },
			Ask: func(ctx context.Context, c *cluster.Cluster, p cluster.Pair) whyAnswer {
				return whyOf(ctx, c, p, o.question)
			},
			Failed: func(_ *cluster.Cluster, p cluster.Pair, err error) whyAnswer {
				return whyAnswer{err: fmt.Errorf("%s: %w", p.Key, err)}
			},
		},
		Document: whyDocument,
		Show: func(c *cluster.Cluster, seen, _ conflict.Answers) error {
			return o.Answer(c.App, c.Now, o.Live, fieldFormatsOf(seen))
		},
		Verdict: func(_ *cluster.Cluster, d conflict.Answers) error {
			return app.VerdictOf(report.Report{Ending: d.Ending})
		},
	}
}

// whyDocument has the answers about the objects that have the field. Without any, the
// error is that of the first object: what it has instead. One that cannot be asked
// is a problem.
func whyDocument(_ context.Context, _ *cluster.Cluster, answers []whyAnswer, run report.Run) (conflict.Answers, error) {
	var whys []conflict.Why
	var missing error
	for _, a := range answers {
		switch {
		case a.err != nil:
			run.Problems = append(run.Problems, cluster.ProblemOf(a.err))
		case a.missing != nil:
			missing = cmp.Or(missing, a.missing)
		default:
			whys = append(whys, a.why)
		}
	}
	if len(whys) > 0 || run.Interrupted != nil {
		missing = nil
	}
	return conflict.NewAnswers(run, whys), missing
}

// whyAnswer is what is said of one object, why it has no such field, or why
// there is no answer.
type whyAnswer struct {
	why          conflict.Why
	missing, err error
}

func whyOf(ctx context.Context, c *cluster.Cluster, p cluster.Pair, ask conflict.Question) whyAnswer {
	if p.Err != nil {
		return whyAnswer{err: p.Err}
	}
	w := c.Write(p)
	object, err := p.Live.Decode()
	if err != nil {
		return whyAnswer{err: err}
	}
	if err := cmp.Or(c.Unserved(w.Kind), c.Misfit(w.Kind, object)); err != nil {
		return whyAnswer{err: fmt.Errorf("%s: %w", p.Key, err)}
	}
	found, err := conflict.NewNames(c.Server.Types(w.Kind).ParseableType, object).Find(ask.Typed)
	if err != nil {
		return whyAnswer{missing: fmt.Errorf("%s: %w", p.Key, err)}
	}
	w.LiveObject = object
	if ask.Value != nil && redact.IsSecret(w.Kind.GroupVersion().String(), w.Kind.Kind) {
		c.App.Secrets.LearnPatch(*ask.Value)
	}
	ask.Object, ask.Path, ask.Inside = w, found.Path, found.Inside
	return whyAnswer{why: conflict.Ask(ctx, c.Server, ask)}
}

// fieldsIn completes a field with those that the live files have, written as
// it was begun: with a dot in front or without. Completion tells no errors.
func fieldsIn(ctx context.Context, a *app.App, o *whyOptions, args []string, typed string) []string {
	// Completing, the flags are parsed twice, and each file is named twice.
	files := slices.DeleteFunc(slices.Clone(o.Live), input.IsStdin)
	slices.Sort(files)
	o.Live, o.Quiet = slices.Compact(files), true
	c, err := cluster.Load(ctx, a, o.Reading())
	if err != nil {
		return nil
	}
	wanted, err := input.ParseNames(args)
	if err != nil {
		return nil
	}
	pairs, _ := c.Targets(wanted)
	var out []string
	for _, p := range pairs {
		if p.Err != nil {
			continue
		}
		object, err := p.Live.Decode()
		if err != nil {
			continue
		}
		schema := c.Server.Types(input.KindOf(p.Live.Identity)).ParseableType
		for _, field := range conflict.NewNames(schema, object).Fields() {
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
