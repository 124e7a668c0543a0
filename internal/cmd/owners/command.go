// Package owners prints who owns which field of live objects (command.go), and why one
// field is as it is (field.go).
package owners

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/blame"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

type ownersOptions struct {
	run.InquiryFlags
	view    string
	filter  owners.Filter
	shared  bool
	unowned bool
	stale   bool
	wanted  []input.ObjectName
	// asking and value are the field manager and the value of a question about one field.
	asking, value string
}

// New is the command owners.
func New(a *app.App) *cobra.Command {
	o := &ownersOptions{}
	cmd := &cobra.Command{
		Use:     "owners -f LIVE [KIND/NAME...] [FIELD]",
		Aliases: []string{"why"},
		Short:   "Show who owns which field of live objects, and since when",
		Long: `Show who owns which field of live objects, and since when: of all objects of the
files, or of those named by KIND/NAME.

  table     a line for each owner of each field
  blame     the object's YAML, each line with its owners and age in a margin
  tree      the fields as branches; what has the same owners is one line
  managers  for each managed fields entry, what it owns in short

Letters in a margin stand for the entries listed above it: A+C is a field that
both own. In brackets, an entry owns only something inside an atomic field. A
dash is a field without an owner, such as a default.

Filters are combined with AND; of --shared, --unowned and --stale one is enough.

With a FIELD, of that field only: its value, who set it and when, what happens
when an owner drops it or another manager applies it, and what removes it. What
happens is simulated; 'ssactl help concepts' says what is true of every field.
FIELD is written as the API server writes it, or as spec.replicas,
containers[main].image, /spec/replicas or {.spec.replicas}; the end of a path is
enough where only one field ends with it.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl owners -f live.yaml
  ssactl owners -f live.yaml spec.replicas

  ssactl owners -f live.yaml --as blame --field spec.template
  ssactl owners -f dump.yaml deployment/web --manager 'helm*' --shared`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(o.Live) == 0 {
				return fmt.Errorf(
					"-f is needed: the file with the live objects\n  kubectl get deployment web -o yaml --show-managed-fields > live.yaml\n  %s -f live.yaml",
					cmd.CommandPath(),
				)
			}
			if endsWithField(args) {
				return o.why(cmd, a, args)
			}
			if err := o.check(args); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return fieldsIn(cmd.Context(), a, o.ofField(), args, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *ownersOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.Flags.AddLiveObjects(cmd)
	o.ServerFlags.Add(cmd)
	flags.StringVar(&o.view, "as", string(blame.OwnersTable), "`view` of the owners: "+strings.Join(ownersViews(), ", "))
	flags.StringArrayVar(
		&o.filter.Managers,
		"manager",
		nil,
		"only fields owned by the field manager of this `name`; * stands for anything (repeatable)",
	)
	flags.StringArrayVar(
		&o.filter.Fields,
		"field",
		nil,
		"only fields at or below this `prefix`, such as .spec.template (repeatable)",
	)
	flags.BoolVar(&o.shared, "shared", false, "only fields that several own")
	flags.BoolVar(&o.unowned, "unowned", false, "only fields without an owner")
	flags.BoolVar(&o.stale, "stale", false, "only owned paths that the object does not have")
	flags.StringVar(
		&o.asking,
		"field-manager",
		"",
		"`name` of the field manager to ask about, with FIELD (default one that owns nothing yet)",
	)
	flags.StringVar(&o.value, "value", "", "the `value` that it applies, as YAML (default some other value)")
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("json", "yaml")...)
	flags.Lookup("quiet").Usage = "print the counts of each object only"
	input.MustComplete(cmd, "as", ownersViews())
	for _, name := range []string{"manager", "field-manager"} {
		input.Complete(cmd, name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return input.ManagersIn(o.Live), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// endsWithField reports whether the last argument is a FIELD, and names no object.
func endsWithField(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	switch {
	case strings.HasPrefix(last, ".") || strings.HasPrefix(last, "metadata.") ||
		strings.HasPrefix(last, "/") || strings.ContainsAny(last, "[{"):
		return true
	case strings.Contains(last, "/"):
		return false
	}
	return len(args) == 1 || strings.Contains(args[0], "/")
}

// ofField asks about one field.
func (o *ownersOptions) ofField() *whyOptions {
	return &whyOptions{InquiryFlags: o.InquiryFlags, manager: o.asking, value: o.value}
}

// ofAll are the flags about all fields.
var ofAll = []string{"as", "field", "manager", "shared", "stale", "unowned"}

// why answers about one field.
func (o *ownersOptions) why(cmd *cobra.Command, a *app.App, args []string) error {
	for _, name := range ofAll {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is about all fields: leave it out, or %s", name, args[len(args)-1])
		}
	}
	w := o.ofField()
	if err := w.check(cmd, args); err != nil {
		return err
	}
	if w.Asks("yaml") {
		return errors.New("-o yaml is about all fields; of one field there is -o json")
	}
	return run.Inquire(cmd.Context(), a, w.inquiry())
}

func ownersViews() []string {
	var names []string
	for _, v := range blame.Layouts() {
		names = append(names, string(v))
	}
	return names
}

// check finds wrong flags before anything is read.
func (o *ownersOptions) check(args []string) (err error) {
	// Masks are numbered in the order of the objects.
	o.Jobs = min(o.Jobs, 1)
	errs := []error{o.AnswerFlags.Check(&o.Flags)}
	if !slices.Contains(ownersViews(), o.view) {
		errs = append(errs, fmt.Errorf("--as %q: use one of %s", o.view, strings.Join(ownersViews(), ", ")))
	}
	if o.unowned && !o.shared && !o.stale && len(o.filter.Managers) > 0 {
		errs = append(errs, errors.New("--unowned asks for fields without a field manager: leave --manager out"))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	o.wanted, err = input.ParseNames(args)
	return err
}

func (o *ownersOptions) inquiry() run.Inquiry[cluster.Pair, attribution, ownership] {
	return run.Inquiry[cluster.Pair, attribution, ownership]{
		Question: run.Question[cluster.Pair, attribution]{Reads: o.Reading(), Verb: "attributing", Ask: o.ask, Failed: failed,
			Subjects: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) { return c.Targets(o.wanted) },
		},
		Document: o.document, Show: o.show,
		Verdict: func(_ *cluster.Cluster, d ownership) error { return app.VerdictOf(report.Report{Ending: d.ending}) },
	}
}

// attribution is who owns the fields of an object, or why nobody knows.
type attribution struct {
	object *owners.Object
	// friendly are the paths that friendly forms of fields stand for.
	friendly map[string]string
	problem  *report.Problem
}

func unattributed(p report.Problem) attribution { return attribution{problem: &p} }

// ask attributes the fields of an object. Of two objects with one identity, none
// is the live one.
func (o *ownersOptions) ask(_ context.Context, c *cluster.Cluster, p cluster.Pair) attribution {
	if p.Err != nil {
		return unattributed(cluster.ProblemOf(p.Err))
	}
	decoded, err := p.Live.Decode()
	if err != nil {
		return unattributed(cluster.ProblemOf(err))
	}
	if err := c.Undefined(input.KindOf(p.Live.Identity)); err != nil {
		return failed(c, p, err)
	}
	decoded = c.App.Secrets.Object(decoded)
	a := attribution{
		object:   owners.New(cluster.TargetOfLive(p.Live), report.Source(p.Live.Source), decoded, c.Shape(p.Live)),
		friendly: map[string]string{},
	}
	for _, typed := range a.object.Unmatched(owners.Filter{Fields: o.filter.Fields}).Fields {
		names := conflict.NewNames(c.Server.Types(input.KindOf(p.Live.Identity)).ParseableType, decoded)
		if found, err := names.Find(typed); err == nil {
			a.friendly[typed] = found.Path.String()
		}
	}
	return a
}

func failed(_ *cluster.Cluster, p cluster.Pair, err error) attribution {
	return unattributed(report.Problem{Source: report.Source(p.Live.Source), Message: err.Error()})
}

// document has the objects that could be read; the others are problems.
func (o *ownersOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	answers []attribution,
	run report.Run,
) (ownership, error) {
	d := ownership{ending: run.Ending}
	friendly := map[string][]string{}
	for _, a := range answers {
		if a.problem != nil {
			d.ending.Problems = append(d.ending.Problems, *a.problem)
			continue
		}
		for typed, path := range a.friendly {
			friendly[typed] = append(friendly[typed], path)
		}
		d.objects = append(d.objects, a.object)
	}
	// The fields that friendly forms stand for, such as containers[main].image, come in their
	// places. As typed they stay too where not every object took them so.
	var fields []string
	for _, typed := range o.filter.Fields {
		fields = append(fields, friendly[typed]...)
		if len(friendly[typed]) < len(d.objects) {
			fields = append(fields, typed)
		}
	}
	o.filter.Fields = fields
	return d, nil
}

// ownership is what is known of all objects, without the values of Secrets.
type ownership struct {
	objects []*owners.Object
	ending  report.Ending
}

func (o *ownersOptions) show(c *cluster.Cluster, _, d ownership) error {
	a := c.App
	filter := o.filter
	for _, kind := range []struct {
		asked bool
		kind  owners.Kind
	}{{o.shared, owners.SharedFields}, {o.unowned, owners.UnownedFields}, {o.stale, owners.StaleFields}} {
		if kind.asked {
			filter.States = append(filter.States, kind.kind)
		}
	}
	answer := owners.Answer{Objects: d.objects, Filter: filter, Ending: redact.Document(a.Secrets, d.ending)}
	return o.Answer(a, c.Now, nil, formatsOf(answer, blame.Layout(o.view)))
}

// formatsOf is the answer of owners, in one of its layouts.
func formatsOf(a owners.Answer, layout blame.Layout) show.Answer {
	return show.Answer{
		Report: a.Document(),
		View:   func(o page.Options) model.Document { return blame.Document(a, layout, o) },
	}
}
