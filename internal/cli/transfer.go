package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/explain"
	"github.com/ssactl/ssactl/internal/handover"
	"github.com/ssactl/ssactl/internal/iostreams"
	"github.com/ssactl/ssactl/internal/manifest"
	"github.com/ssactl/ssactl/internal/redact"
	"github.com/ssactl/ssactl/internal/render"
)

type transferOptions struct {
	inputFlags
	serverFlags
	answerFlags
	from, to   string
	controller string
	// named is true where --to-controller has a name.
	named        bool
	between      string
	fromManifest []string
	toManifest   []string
	folder       string
	overwrite    bool
}

// autoscaler is the controller that --to-controller means by itself: the
// horizontal pod autoscaler runs in it, and writes under its name.
const autoscaler = "kube-controller-manager"

// unnamed is the value of --to-controller without a name.
const unnamed = "hpa"

func newTransferCmd(a *app) *cobra.Command {
	o := &transferOptions{}
	cmd := &cobra.Command{
		Use:   "transfer -f LIVE [KIND/NAME...] FIELD... [--from A] (--to B | --to-controller[=NAME])",
		Short: "Plan how fields go from one field manager to another, safely",
		Long: `Plan how the ownership of fields goes from one field manager to another without
the fields changing on the way. Each step is simulated on the outcome of the one
before, and what goes wrong in another order too.

--to names a manager that applies manifests: it shares the live value before the
former owner drops it. --to-controller is for a controller that updates, such as
the horizontal pod autoscaler, which is meant where no name is given: a manager
made for this keeps the value in between, as the Kubernetes documentation
describes. What the former owner owns by updates leaves its entry by a patch.

The manifests are put together from the live object, from what each manager
owns, unless --from-manifest and --to-manifest name the real ones; those are
edited with their comments kept. --output-dir writes the manifests and patches
of each step into a folder, with a README.md and an apply.sh.

FIELD is written as the API server writes it, or as people type it, as in
ssactl why. The same fields are handed over in every object of the live files
that has them, or in those named by KIND/NAME.

The exit code is 0 when every object has a safe way, 1 when one has none, and 2
when no answer could be given.`,
		Example: `  # From people to the autoscaler
  ssactl transfer -f live.yaml spec.replicas --from helm --to-controller --output-dir steps

  # From one tool to another
  ssactl transfer -f live.yaml spec.template.spec.tolerations --from helm --to argocd-controller \
      --from-manifest chart.yaml --to-manifest app.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTransfer(cmd, a, o, args)
		},
	}
	o.add(cmd)
	return cmd
}

func (o *transferOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.live, "filename", "f", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	flags.StringArrayVar(&o.live, "live", nil, "the same as --filename")
	o.inputFlags.addReading(cmd)
	o.serverFlags.add(cmd)
	o.answerFlags.addOf(cmd, "text", "json", "yaml", "kubectl")
	flags.StringVar(&o.from, "from", "", "`name` of the field manager that has the fields (default the only one that does)")
	flags.StringVar(&o.to, "to", "", "`name` of the field manager that applies them then")
	flags.StringVar(&o.controller, "to-controller", "", "`name` of the controller that updates them then")
	flags.Lookup("to-controller").NoOptDefVal = unnamed
	flags.StringVar(&o.between, "hand-over-manager", "", "`name` of the manager in between (default handover-to- and the controller, or handover-to-hpa)")
	flags.StringArrayVar(&o.fromManifest, "from-manifest", nil, "what --from applies: a `file`, directory, or - (repeatable)")
	flags.StringArrayVar(&o.toManifest, "to-manifest", nil, "what --to applies: a `file`, directory, or - (repeatable)")
	flags.StringVar(&o.folder, "output-dir", "", "write the manifests of each step into this `folder`, all or none")
	flags.BoolVar(&o.overwrite, "overwrite", false, "replace what an earlier run wrote into --output-dir")
	for _, flag := range []string{"from", "to", "to-controller"} {
		complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return managersIn(o.live), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// check finds wrong flags before anything is read.
func (o *transferOptions) check(cmd *cobra.Command) error {
	errs := []error{o.answerFlags.check(), checkStdin(o.live, o.fromManifest, o.toManifest, o.crds)}
	toController := cmd.Flags().Changed("to-controller")
	o.named = toController && o.controller != unnamed
	if toController && !o.named {
		o.controller = autoscaler
	}
	if len(o.live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	switch {
	case (o.to != "") == toController:
		errs = append(errs, errors.New("one of --to NAME and --to-controller[=NAME] is needed: who is to have the fields"))
	case toController && o.controller == "":
		errs = append(errs, errors.New("--to-controller= names no controller"))
	case toController && len(o.toManifest) > 0:
		errs = append(errs, errors.New("--to-manifest is for --to: a controller applies no manifest"))
	}
	if o.between != "" && (o.between == o.from || o.between == o.controller) {
		errs = append(errs, errors.New("--hand-over-manager is to be a manager of its own"))
	}
	if o.overwrite && o.folder == "" {
		errs = append(errs, errors.New("--overwrite works only with --output-dir"))
	}
	return errors.Join(errs...)
}

func runTransfer(cmd *cobra.Command, a *app, o *transferOptions, args []string) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	ctx := cmd.Context()
	c, err := a.loadCluster(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	from, to := a.loadManifests(ctx, c, o, o.fromManifest), a.loadManifests(ctx, c, o, o.toManifest)
	names, fields := c.namesAndFields(args)
	wanted, err := parseNames(names)
	if err != nil {
		return err
	}
	pairs, err := c.targets(wanted)
	if err == nil && len(fields) == 0 {
		err = errors.New("no FIELD is named: what is to be handed over?")
	}
	if err != nil {
		// What could not be read may be why an object is missing.
		return errors.Join(render.Problems(a.streams.Err, c.problems, render.Options{}), err)
	}
	asked, without, err := o.asked(c, ofNamespace(pairs, o.namespace), fields)
	if err != nil {
		return errors.Join(err, joined(c.problems))
	}
	plans := inOrder(ctx, c.jobs, len(asked), func(i int) handover.Plan { return o.plan(ctx, c, asked[i], from, to) })
	document := handover.NewDocument(c.server.Version(), plans, without, c.problems)
	a.notice(c.notices)
	if err := o.show(a, c, document); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d of %d objects", len(plans), len(asked))
	}
	if o.folder != "" {
		if err := o.writeSteps(a, document); err != nil {
			return err
		}
	}
	switch {
	case document.Summary.Failed > 0 || len(document.Problems) > 0:
		return errTrouble
	case document.Summary.Unsafe > 0:
		return errNo
	}
	return nil
}

// loadManifests reads manifests, by the object that each one names.
func (a *app) loadManifests(ctx context.Context, c *cluster, o *transferOptions, paths []string) map[string]manifest.Document {
	documents, problems := manifest.Load(paths, a.reading(ctx, &o.inputFlags, c))
	c.addProblems(problems)
	out := map[string]manifest.Document{}
	for _, d := range documents {
		out[c.scope.key(d.Identity).String()] = d
	}
	return out
}

// namesAndFields tells objects from fields among the arguments. KIND/NAME is
// an object of the live files, or has no dot before its only slash; a JSON
// pointer begins with the slash, and keys such as app.kubernetes.io/name have
// dots.
func (c *cluster) namesAndFields(args []string) (names, fields []string) {
	for _, arg := range args {
		kind, _, slashed := strings.Cut(arg, "/")
		parsed, err := parseNames([]string{arg})
		switch {
		case err != nil || !slashed || kind == "" || strings.Count(arg, "/") > 1 || strings.ContainsAny(arg, "[]{}$"):
			fields = append(fields, arg)
		case !strings.Contains(kind, ".") || c.hasLive(parsed[0]):
			names = append(names, arg)
		default:
			fields = append(fields, arg)
		}
	}
	return names, fields
}

func (c *cluster) hasLive(name objectName) bool {
	for _, o := range c.live.Objects() {
		if name.matches(c, o) {
			return true
		}
	}
	return false
}

// show prints the document, or the part of it that the format is for.
func (o *transferOptions) show(a *app, c *cluster, d handover.Document) error {
	if !o.showSecrets {
		d.Plans = redact.Plans(d.Plans)
	}
	return o.print(a, c.now, o.live, func(w io.Writer, options render.Options) error {
		options.Files = o.folder != ""
		switch o.format {
		case "json":
			return render.TransferJSON(w, d, options)
		case "yaml":
			return render.TransferYAML(w, d, options)
		case "kubectl":
			if !o.showSecrets && slices.ContainsFunc(d.Plans, ofSecret) {
				return errors.New("the manifests of a Secret hold its values: -o kubectl needs --show-secrets for them")
			}
			plain := options
			color, _ := iostreams.ParseColor(o.color)
			plain.Color = options.Color && (color == iostreams.ColorAlways || a.streams.ErrIsTerminal)
			if err := render.TransferProblems(a.streams.Err, d, plain); err != nil {
				return err
			}
			return render.TransferCommands(w, d, options)
		}
		return render.TransferText(w, d, options)
	})
}

func ofSecret(p handover.Plan) bool {
	return p.Chosen != "" && p.Target.APIVersion == "v1" && p.Target.Kind == "Secret"
}

// asOwn reads a document as what a manager applies.
func asOwn(documents map[string]manifest.Document, key string) (*handover.Manifest, error) {
	d, ok := documents[key]
	if !ok {
		return nil, nil
	}
	m := &handover.Manifest{Kind: kindOf(d.Identity), Body: d.Raw, Source: engine.Source(d.Source)}
	if err := json.Unmarshal(d.JSON(), &m.Decoded); err != nil {
		return nil, fmt.Errorf("parse %s: %w", d.Source, err)
	}
	return m, nil
}

// plan plans for one object.
func (o *transferOptions) plan(ctx context.Context, c *cluster, s sought, from, to map[string]manifest.Document) handover.Plan {
	q := handover.Request{Object: s.write, Fields: s.fields, From: o.from, To: o.to, Between: o.between}
	if q.To == "" {
		q.To, q.Writes = o.controller, handover.ByUpdate
	}
	err := s.err
	var noField *explain.NameError
	if errors.As(err, &noField) && q.Writes == handover.ByUpdate && !o.named {
		err = fmt.Errorf("%w (the name of a controller is written --to-controller=NAME)", err)
	}
	if err == nil && q.From == "" {
		q.From, err = onlyOwner(s, q.To)
	}
	if q.Between == "" {
		q.Between = "handover-to-" + q.To
		if q.To == autoscaler {
			q.Between = "handover-to-hpa"
		}
	}
	if err == nil && q.Writes == handover.ByUpdate && !o.named && !s.scales {
		err = fmt.Errorf("%s is no number of replicas: name the controller, as --to-controller=NAME", s.fields[0])
	}
	if err == nil {
		q.FromManifest, err = asOwn(from, s.key)
	}
	if err == nil {
		q.ToManifest, err = asOwn(to, s.key)
	}
	if err != nil {
		return handover.Failure(q, err)
	}
	return handover.Make(ctx, c.server, q)
}
