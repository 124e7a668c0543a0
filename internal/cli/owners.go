package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/view"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

type ownersOptions struct {
	inputFlags
	serverFlags
	answerFlags
	view    string
	filter  owners.Filter
	shared  bool
	unowned bool
	stale   bool
}

func newOwnersCmd(a *app) *cobra.Command {
	o := &ownersOptions{}
	cmd := &cobra.Command{
		Use:   "owners -f LIVE [KIND/NAME...]",
		Short: "Show who owns which field of live objects, and since when",
		Long: `Show who owns which field of live objects, and since when: of all objects of the
files, or of those named by KIND/NAME.

  table     a line for each owner of each field
  blame     the object's YAML, each line with its owners and age in a margin
  tree      the fields as branches; what has the same owners is one line
  managers  for each managed fields entry, what it owns in short

Letters in a margin stand for the entries listed above it: A+C is a field that
both own. In brackets, an entry owns only something inside an atomic field. A
dash is a field without an owner, such as a default.

Filters are combined with AND; of --shared, --unowned and --stale one is enough.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl owners -f live.yaml
  ssactl owners -f live.yaml --as blame --field spec.template
  ssactl owners -f dump.yaml deployment/web --manager 'helm*' --shared`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runOwners(cmd.Context(), a, o, args)
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *ownersOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.live, "filename", "f", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	flags.StringArrayVar(&o.live, "live", nil, "the same as --filename")
	o.inputFlags.addReading(cmd)
	onlyNamespace(cmd)
	o.serverFlags.add(cmd)
	flags.StringVar(&o.view, "as", string(view.OwnersTable), "`view`: "+strings.Join(ownersViews(), ", "))
	flags.StringArrayVar(&o.filter.Managers, "manager", nil, "only fields owned by this field manager; * stands for anything (repeatable)")
	flags.StringArrayVar(&o.filter.Fields, "field", nil, "only fields at or below this `prefix`, such as .spec.template (repeatable)")
	flags.BoolVar(&o.shared, "shared", false, "only fields that several own")
	flags.BoolVar(&o.unowned, "unowned", false, "only fields without owner")
	flags.BoolVar(&o.stale, "stale", false, "only owned paths that the object does not have")
	o.answerFlags.addOf(cmd, render.AnswerFormats("json", "yaml")...)
	flags.Lookup("quiet").Usage = "print the numbers of each object only"
	mustComplete(cmd, "as", ownersViews())
	complete(cmd, "manager", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return managersIn(o.live), cobra.ShellCompDirectiveNoFileComp
	})
}

func ownersViews() []string {
	var names []string
	for _, v := range view.Layouts() {
		names = append(names, string(v))
	}
	return names
}

// check finds wrong flags before anything is read.
func (o *ownersOptions) check() error {
	errs := []error{o.answerFlags.check(&o.inputFlags)}
	if len(o.live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	if !slices.Contains(ownersViews(), o.view) {
		errs = append(errs, fmt.Errorf("--as %q: use one of %s", o.view, strings.Join(ownersViews(), ", ")))
	}
	if o.unowned && !o.shared && !o.stale && len(o.filter.Managers) > 0 {
		errs = append(errs, errors.New("--unowned asks for fields without a field manager: leave --manager out"))
	}
	return errors.Join(errs...)
}

func runOwners(ctx context.Context, a *app, o *ownersOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	wanted, err := parseNames(args)
	if err != nil {
		return err
	}
	a = a.watched(o.quiet)
	c, err := a.loadCluster(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	pairs, err := c.targets(wanted)
	if err != nil {
		return a.unanswered(c, err)
	}
	objects, interrupted := c.ownerships(ctx, o, pairs)
	a.notice(c.notices)
	if err := a.printOwners(c, objects, interrupted, o); err != nil {
		return err
	}
	if interrupted != nil {
		return interruptedError(interrupted)
	}
	if len(c.problems) > 0 {
		return errTrouble
	}
	return nil
}

// ownerships attributes the fields of each object. One that cannot be read is
// a problem, and the others are still answered. An interrupt ends it with what
// is known.
func (c *cluster) ownerships(ctx context.Context, o *ownersOptions, pairs []pair) ([]*owners.Object, *report.Interruption) {
	var out []*owners.Object
	friendly := map[string][]string{}
	var interrupted *report.Interruption
	c.bar.Start("attributing", int64(len(pairs)), progress.Objects)
	defer c.bar.End()
	for i, p := range pairs {
		c.bar.Add(1)
		if ctx.Err() != nil {
			interrupted = interruption(i, len(pairs))
			break
		}
		// Of two objects with one identity, none is the live one.
		if _, err := c.live.Get(p.key); err != nil {
			c.problems = append(c.problems, problemOf(err))
			continue
		}
		decoded, err := p.live.Decode()
		if err != nil {
			c.problems = append(c.problems, problemOf(err))
			continue
		}
		decoded = c.secrets.Object(decoded)
		object, found, err := c.attribute(p.live, decoded, o.filter.Fields)
		if err != nil {
			c.problems = append(c.problems, report.Problem{Source: report.Source(p.live.Source), Message: err.Error()})
			continue
		}
		for typed, path := range found {
			friendly[typed] = append(friendly[typed], path)
		}
		out = append(out, object)
	}
	o.filter.Fields = meant(o.filter.Fields, friendly, len(out))
	return out, interrupted
}

// attribute tells who owns the fields of an object, and which of them the
// friendly forms among the wanted stand for.
func (c *cluster) attribute(o *live.Object, decoded map[string]any, wanted []string) (object *owners.Object, friendly map[string]string, err error) {
	friendly = map[string]string{}
	err = guard.Do(func() error {
		object = owners.New(blameTarget(o), report.Source(o.Source), decoded, c.shape(o))
		for _, typed := range object.Unmatched(owners.Filter{Fields: wanted}).Fields {
			names := explain.NewNames(c.server.Types(kindOf(o.Identity)).ParseableType, decoded)
			if found, err := names.Find(typed); err == nil {
				friendly[typed] = found.Path.String()
			}
		}
		return nil
	})
	return object, friendly, err
}

// meant puts the fields that friendly forms stand for, such as
// containers[main].image, in their places. As typed they stay too where not
// every object took them so.
func meant(fields []string, friendly map[string][]string, objects int) []string {
	var out []string
	for _, typed := range fields {
		out = append(out, friendly[typed]...)
		if len(friendly[typed]) < objects {
			out = append(out, typed)
		}
	}
	return out
}

func blameTarget(o *live.Object) report.Target {
	return report.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Key.Namespace, Name: o.Name}
}

// shape is that of the object's merge type; zero where nothing is known of the
// kind, so that its entries tell how its lists are cut.
func (c *cluster) shape(o *live.Object) managedfields.Shape {
	t := c.server.Types(kindOf(o.Identity))
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

func (a *app) printOwners(c *cluster, objects []*owners.Object, interrupted *report.Interruption, o *ownersOptions) error {
	filter := o.filter
	for _, kind := range []struct {
		asked bool
		kind  owners.Kind
	}{{o.shared, owners.SharedFields}, {o.unowned, owners.UnownedFields}, {o.stale, owners.StaleFields}} {
		if kind.asked {
			filter.States = append(filter.States, kind.kind)
		}
	}
	answer := owners.Answer{Objects: objects, Filter: filter, Problems: redact.Document(a.secrets, c.problems), Interrupted: interrupted}
	return o.answerFlags.answer(a, c.now, nil, render.Owners(answer, view.Layout(o.view)))
}
