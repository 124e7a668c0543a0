package cli

import (
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

type whyOptions struct {
	inputFlags
	serverFlags
	answerFlags
	manager string
	value   string
}

func newWhyCmd(a *app) *cobra.Command {
	o := &whyOptions{}
	cmd := &cobra.Command{
		Use:   "why -f LIVE [KIND/NAME] FIELD [--field-manager NAME]",
		Short: "Explain why a field of a live object has its value",
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
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runWhy(cmd, a, o, args)
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
	flags.StringArrayVarP(&o.filenames, "filename", "f", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	o.inputFlags.addReading(cmd)
	onlyNamespace(cmd)
	o.serverFlags.add(cmd)
	o.answerFlags.addOf(cmd, render.AnswerFormats("json")...)
	flags.StringVar(&o.manager, "field-manager", "", "`name` of the field manager to ask about (default one that owns nothing yet)")
	flags.StringVar(&o.value, "value", "", "the `value` that it applies, as YAML (default some other value)")
	complete(cmd, "field-manager", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return managersIn(o.filenames), cobra.ShellCompDirectiveNoFileComp
	})
	mustRequire(cmd, "filename")
}

func runWhy(cmd *cobra.Command, a *app, o *whyOptions, args []string) error {
	if err := o.answerFlags.check(&o.inputFlags); err != nil {
		return err
	}
	ask := explain.Question{Typed: args[len(args)-1], Manager: o.manager}
	if cmd.Flags().Changed("value") {
		var v any
		if err := yaml.Unmarshal([]byte(o.value), &v); err != nil {
			return fmt.Errorf("--value: %w", err)
		}
		ask.Value = &v
	}
	wanted, err := parseNames(args[:len(args)-1])
	if err != nil {
		return err
	}
	in := o.inputFlags
	in.filenames, in.live = nil, o.filenames
	a = a.watched(o.quiet)
	c, err := a.loadCluster(cmd.Context(), &in, &o.serverFlags)
	if err != nil {
		return err
	}
	a.notice(c.notices)
	var answers []explain.Why
	var interrupted *report.Interruption
	pairs, err := c.targets(wanted)
	if err == nil {
		answers, interrupted, err = c.why(cmd.Context(), pairs, ask)
	}
	if err != nil {
		return a.unanswered(c, err)
	}
	document := explain.NewAnswers(c.server.Version(), answers, c.problems)
	document.Interrupted = interrupted
	document = redact.Document(a.secrets, document)
	if err := o.answerFlags.answer(a, c.now, o.filenames, render.Why(document)); err != nil {
		return err
	}
	if interrupted != nil {
		return interruptedError(interrupted)
	}
	return verdictOf(report.Report{Problems: c.problems})
}

// why asks every object that has the field, several at once. Without any, the
// error is that of the first object: what it has instead. One that cannot be
// asked is a problem. An interrupt ends it with what is known.
func (c *cluster) why(ctx context.Context, pairs []pair, ask explain.Question) ([]explain.Why, *report.Interruption, error) {
	asked := each(ctx, c, "asking", len(pairs),
		func(ctx context.Context, i int) whyAnswer { return c.whyOf(ctx, pairs[i], ask) },
		func(i int, err error) whyAnswer { return whyAnswer{err: fmt.Errorf("%s: %w", pairs[i].key, err)} })
	interrupted := interruption(len(asked), len(pairs))
	var answers []explain.Why
	var missing error
	for _, a := range asked {
		switch {
		case a.err != nil:
			c.problems = append(c.problems, problemOf(a.err))
		case a.missing != nil:
			missing = firstError(missing, a.missing)
		default:
			answers = append(answers, a.why)
		}
	}
	if len(answers) > 0 || interrupted != nil {
		missing = nil
	}
	return answers, interrupted, missing
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
	found, err := explain.NewNames(c.server.Types(w.Kind).ParseableType, object).Find(ask.Typed)
	if err != nil {
		return whyAnswer{missing: fmt.Errorf("%s: %w", p.key, err)}
	}
	w.LiveObject = object
	if ask.Value != nil && redact.IsSecret(w.Kind.GroupVersion().String(), w.Kind.Kind) {
		c.secrets.LearnPatch(*ask.Value)
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
	in := o.inputFlags
	// Completing, the flags are parsed twice, and each file is named twice.
	files := slices.DeleteFunc(slices.Clone(o.filenames), isStdin)
	slices.Sort(files)
	in.filenames, in.live = nil, slices.Compact(files)
	c, err := a.loadCluster(ctx, &in, &o.serverFlags)
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
