package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	inquiryFlags
	view    string
	filter  owners.Filter
	shared  bool
	unowned bool
	stale   bool
	wanted  []objectName
	// asking and value are the field manager and the value of a question about one field.
	asking, value string
}

func newOwnersCmd(a *app) *cobra.Command {
	o := &ownersOptions{}
	cmd := &cobra.Command{
		Use:   "owners -f LIVE [KIND/NAME...] [FIELD]",
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
			if len(o.live) == 0 {
				return fmt.Errorf("-f is needed: the file with the live objects\n  kubectl get deployment web -o yaml --show-managed-fields > live.yaml\n  %s -f live.yaml", cmd.CommandPath())
			}
			if endsWithField(args) {
				return o.why(cmd, a, args)
			}
			if err := o.check(args); err != nil {
				return err
			}
			return inquire(cmd.Context(), a, o.inquiry())
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.fieldsIn(cmd.Context(), o.ofField(), args, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *ownersOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.inputFlags.addLiveObjects(cmd)
	o.serverFlags.add(cmd)
	flags.StringVar(&o.view, "as", string(view.OwnersTable), "`view` of the owners: "+strings.Join(ownersViews(), ", "))
	flags.StringArrayVar(&o.filter.Managers, "manager", nil, "only fields owned by the field manager of this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&o.filter.Fields, "field", nil, "only fields at or below this `prefix`, such as .spec.template (repeatable)")
	flags.BoolVar(&o.shared, "shared", false, "only fields that several own")
	flags.BoolVar(&o.unowned, "unowned", false, "only fields without an owner")
	flags.BoolVar(&o.stale, "stale", false, "only owned paths that the object does not have")
	flags.StringVar(&o.asking, "field-manager", "", "`name` of the field manager to ask about, with FIELD (default one that owns nothing yet)")
	flags.StringVar(&o.value, "value", "", "the `value` that it applies, as YAML (default some other value)")
	o.answerFlags.addOf(cmd, render.AnswerFormats("json", "yaml")...)
	flags.Lookup("quiet").Usage = "print the counts of each object only"
	mustComplete(cmd, "as", ownersViews())
	for _, name := range []string{"manager", "field-manager"} {
		complete(cmd, name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return managersIn(o.live), cobra.ShellCompDirectiveNoFileComp
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
	case strings.HasPrefix(last, ".") || strings.HasPrefix(last, "metadata.") || strings.HasPrefix(last, "/") || strings.ContainsAny(last, "[{"):
		return true
	case strings.Contains(last, "/"):
		return false
	}
	return len(args) == 1 || strings.Contains(args[0], "/")
}

// ofField asks about one field.
func (o *ownersOptions) ofField() *whyOptions {
	return &whyOptions{inquiryFlags: o.inquiryFlags, manager: o.asking, value: o.value}
}

// ofAll are the flags about all fields.
var ofAll = []string{"as", "field", "manager", "shared", "stale", "unowned"}

// why answers about one field.
func (o *ownersOptions) why(cmd *cobra.Command, a *app, args []string) error {
	for _, name := range ofAll {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is about all fields: leave it out, or %s", name, args[len(args)-1])
		}
	}
	w := o.ofField()
	if err := w.check(cmd, args); err != nil {
		return err
	}
	if w.asks("yaml") {
		return errors.New("-o yaml is about all fields; of one field there is -o json")
	}
	return inquire(cmd.Context(), a, w.inquiry())
}

func ownersViews() []string {
	var names []string
	for _, v := range view.Layouts() {
		names = append(names, string(v))
	}
	return names
}

// check finds wrong flags before anything is read.
func (o *ownersOptions) check(args []string) (err error) {
	// Masks are numbered in the order of the objects.
	o.jobs = min(o.jobs, 1)
	errs := []error{o.answerFlags.check(&o.inputFlags)}
	if !slices.Contains(ownersViews(), o.view) {
		errs = append(errs, fmt.Errorf("--as %q: use one of %s", o.view, strings.Join(ownersViews(), ", ")))
	}
	if o.unowned && !o.shared && !o.stale && len(o.filter.Managers) > 0 {
		errs = append(errs, errors.New("--unowned asks for fields without a field manager: leave --manager out"))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	o.wanted, err = parseNames(args)
	return err
}

func (o *ownersOptions) inquiry() inquiry[pair, attribution, ownership] {
	return inquiry[pair, attribution, ownership]{
		question: question[pair, attribution]{reads: o.reading(), verb: "attributing", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

func (o *ownersOptions) subjects(_ context.Context, c *cluster) ([]pair, error) {
	return c.targets(o.wanted)
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
func (o *ownersOptions) ask(_ context.Context, c *cluster, p pair) attribution {
	if p.err != nil {
		return unattributed(problemOf(p.err))
	}
	decoded, err := p.live.Decode()
	if err != nil {
		return unattributed(problemOf(err))
	}
	if err := c.undefined(kindOf(p.live.Identity)); err != nil {
		return o.failed(c, p, err)
	}
	decoded = c.app.secrets.Object(decoded)
	a := attribution{object: owners.New(blameTarget(p.live), report.Source(p.live.Source), decoded, c.shape(p.live)), friendly: map[string]string{}}
	for _, typed := range a.object.Unmatched(owners.Filter{Fields: o.filter.Fields}).Fields {
		names := explain.NewNames(c.server.Types(kindOf(p.live.Identity)).ParseableType, decoded)
		if found, err := names.Find(typed); err == nil {
			a.friendly[typed] = found.Path.String()
		}
	}
	return a
}

func (o *ownersOptions) failed(_ *cluster, p pair, err error) attribution {
	return unattributed(report.Problem{Source: report.Source(p.live.Source), Message: err.Error()})
}

// document has the objects that could be read; the others are problems.
func (o *ownersOptions) document(_ context.Context, c *cluster, answers []attribution, run report.Run) (ownership, error) {
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
	o.filter.Fields = meant(o.filter.Fields, friendly, len(d.objects))
	return d, nil
}

// ownership is what is known of all objects, without the values of Secrets.
type ownership struct {
	objects []*owners.Object
	ending  report.Ending
}

func (o *ownersOptions) show(c *cluster, _, whole ownership) error {
	return o.printOwners(c, whole)
}

func (o *ownersOptions) verdict(_ *cluster, d ownership) error {
	return verdictOf(report.Report{Ending: d.ending})
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

// shape is that of the object's merge type. It is zero for an unknown kind, whose
// entries show how its lists are split.
func (c *cluster) shape(o *live.Object) managedfields.Shape {
	t := c.server.Types(kindOf(o.Identity))
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

func (o *ownersOptions) printOwners(c *cluster, d ownership) error {
	a := c.app
	filter := o.filter
	for _, kind := range []struct {
		asked bool
		kind  owners.Kind
	}{{o.shared, owners.SharedFields}, {o.unowned, owners.UnownedFields}, {o.stale, owners.StaleFields}} {
		if kind.asked {
			filter.States = append(filter.States, kind.kind)
		}
	}
	answer := owners.Answer{Objects: d.objects, Filter: filter, Ending: redact.Document(a.secrets, d.ending)}
	return o.answer(a, c.now, nil, render.Owners(answer, view.Layout(o.view)))
}
