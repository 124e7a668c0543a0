package cli

import (
	"cmp"
	"context"
	"errors"
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

type whyOptions struct {
	inquiryFlags
	manager string
	value   string
	// question is what check made of the flags and the arguments, of the objects
	// that are wanted.
	question explain.Question
	wanted   []objectName
}

func newWhyCmd(a *app) *cobra.Command {
	o := &whyOptions{}
	cmd := &cobra.Command{
		Hidden: true,
		Use:    "why -f LIVE [KIND/NAME] FIELD [--field-manager NAME]",
		Short:  "Explain why a field of a live object has its value",
		Long: `Explain why a field of a live object has its value: who owns it, who else may
set it, what happens when an owner drops it from its manifest or a manager
applies another value, why it stays although it was removed from a manifest, and
the shortest way to get it removed. What happens is simulated.

FIELD is written as the API server writes it, or as people type it: spec.replicas,
containers[main].image, /spec/replicas, {.spec.ports[0].port}. The end of a path
is enough where only one field ends with it. Of several live objects, those that
have the field are shown; KIND/NAME selects one.

The exit code is 0 when the question was answered, and 2 when no answer could be
given, for example when no object has the field.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl why -f live.yaml spec.replicas
  ssactl why -f live.yaml 'containers[main].image' --field-manager argocd-controller`,
		Args: o.checkArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			return inquire(cmd.Context(), a, o.inquiry())
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.fieldsIn(cmd.Context(), o, args, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.add(cmd)
	return cmd
}

func (o *whyOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.live, "filename", "f", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	o.inputFlags.addReading(cmd)
	onlyNamespace(cmd)
	o.serverFlags.add(cmd)
	o.answerFlags.addOf(cmd, render.AnswerFormats("json")...)
	flags.StringVar(&o.manager, "field-manager", "", "`name` of the field manager to ask about (default one that owns nothing yet)")
	flags.StringVar(&o.value, "value", "", "the `value` that it applies, as YAML (default some other value)")
	complete(cmd, "field-manager", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return managersIn(o.live), cobra.ShellCompDirectiveNoFileComp
	})
}

// checkArgs says what is missing, with a command that has it.
func (o *whyOptions) checkArgs(cmd *cobra.Command, args []string) error {
	example := fmt.Sprintf("\n  kubectl get deployment web -o yaml --show-managed-fields > live.yaml\n  %s -f live.yaml spec.replicas", cmd.CommandPath())
	switch {
	case len(args) == 0:
		return errors.New("no FIELD is named: which field is asked about?" + example)
	case len(args) > 2:
		return fmt.Errorf("one field is asked about, of the object that KIND/NAME selects, and not %d arguments%s", len(args), example)
	case len(o.live) == 0:
		return errors.New("-f is needed: the file with the live objects" + example)
	}
	return nil
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
