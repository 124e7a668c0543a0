package transfer

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

type transferOptions struct {
	run.InquiryFlags
	from, to   string
	controller string
	// named is true where --to-controller has a name.
	named        bool
	between      string
	fromManifest []string
	toManifest   []string
	folder       string
	overwrite    bool
	// args are the objects and the fields.
	args []string
	// The client is that of --from.
	input.ClientFlags
	// former and next are the manifests of the managers, by object; without counts
	// the objects that have none of the fields.
	former, next map[string]manifest.Document
	without      int
}

// unnamed is the value of --to-controller without a name: the horizontal pod
// autoscaler, which writes as writers.ControllerManager.
const unnamed = "hpa"

// New is the command transfer.
func New(a *app.App) *cobra.Command {
	o := &transferOptions{}
	cmd := &cobra.Command{
		Use:   "transfer -f LIVE [KIND/NAME...] FIELD... [--from A] (--to B | --to-controller[=NAME])",
		Short: "Plan how fields move from one field manager to another",
		Long: `Plan how the ownership of fields moves from one field manager to another without
a change of their values. Each step is simulated on the result of the one
before, and so is what goes wrong in another order.

--to names a manager that applies manifests: it shares the live value before the
former owner drops it. --to-controller is for a controller that updates, by
default the horizontal pod autoscaler: a temporary manager keeps the value in
between, as the Kubernetes documentation describes. Fields that the former owner
owns by updates are removed from its entry by a patch.

The manifests are made from what each manager owns in the live object, unless
--from-manifest and --to-manifest name the real ones, which are edited with
their comments kept. --output-dir writes the manifests and patches of each step
into a folder, with a README.md and an apply.sh.

FIELD is written as the API server writes it, or as people type it, as in
ssactl owners. The fields are transferred in every object of the live files that
has them, or in those named by KIND/NAME.

The exit code is 0 when every object has a safe plan, 1 when one has none, and 2
when no answer could be given.`,
		Example: `  # From people to the autoscaler
  ssactl transfer -f live.yaml spec.replicas --from helm --to-controller --output-dir steps

  # From one tool to another
  ssactl transfer -f live.yaml spec.template.spec.tolerations --from helm --to argocd-controller \
      --from-manifest chart.yaml --to-manifest app.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(o.check(cmd, args), o.ClientFlags.Check(cmd, "from")); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *transferOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.Flags.AddLiveObjects(cmd)
	o.ServerFlags.Add(cmd)
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("json", "yaml", "kubectl")...)
	flags.StringVar(
		&o.from,
		"from",
		"",
		"`name` of the field manager that has the fields (default the only one that does)",
	)
	o.AddClient(cmd)
	flags.StringVar(&o.to, "to", "", "`name` of the field manager that applies them afterwards")
	flags.StringVar(&o.controller, "to-controller", "", "`name` of the controller that updates them afterwards")
	flags.Lookup("to-controller").NoOptDefVal = unnamed
	flags.StringVar(
		&o.between,
		"hand-over-manager",
		"",
		"`name` of the manager in between (default handover-to- and the controller, or handover-to-hpa)",
	)
	flags.StringArrayVar(
		&o.fromManifest,
		"from-manifest",
		nil,
		"what --from applies: a `file`, directory, or - (repeatable)",
	)
	flags.StringArrayVar(&o.toManifest, "to-manifest", nil, "what --to applies: a `file`, directory, or - (repeatable)")
	flags.StringVar(&o.folder, "output-dir", "", "write the manifests of each step into this `folder`, all or none")
	flags.BoolVar(&o.overwrite, "overwrite", false, "replace what an earlier run wrote into --output-dir")
	for _, flag := range []string{"from", "to", "to-controller"} {
		input.Complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return input.ManagersIn(o.Live), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// check finds wrong flags before anything is read.
func (o *transferOptions) check(cmd *cobra.Command, args []string) error {
	o.args = args
	o.Extra = [][]string{o.fromManifest, o.toManifest}
	o.Others = slices.Concat(o.Extra...)
	errs := []error{o.AnswerFlags.Check(&o.Flags), cluster.CheckStdin(o.Live, o.fromManifest, o.toManifest, o.Crds)}
	toController := cmd.Flags().Changed("to-controller")
	o.named = toController && o.controller != unnamed
	if toController && !o.named {
		o.controller = writers.ControllerManager
	}
	if len(o.Live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	errs = append(errs, o.checkReceiver(toController))
	if o.between != "" && (o.between == o.from || o.between == o.controller) {
		errs = append(errs, errors.New("--hand-over-manager must differ from --from and the controller"))
	}
	if o.folder != "" {
		errs = append(errs, output.RefuseSpecial("--output-dir", o.folder), output.RefuseOutputsIn(o.folder, o.Outputs))
	}
	switch {
	case o.overwrite && o.folder == "":
		errs = append(errs, errors.New("--overwrite works only with --output-dir"))
	case o.overwrite:
		errs = append(errs, output.RefuseInputsIn(o.folder, &o.Flags))
	}
	return errors.Join(errs...)
}

// checkReceiver checks that the flags name one manager, or one controller, that is to have the
// fields.
func (o *transferOptions) checkReceiver(toController bool) error {
	switch {
	case o.to != "" && toController:
		return errors.New("--to and --to-controller exclude each other: give one, for who is to have the fields")
	case o.to == "" && !toController:
		return errors.New("one of --to NAME and --to-controller[=NAME] is needed: who is to have the fields")
	case toController && o.controller == "":
		return errors.New("--to-controller= names no controller")
	case toController && len(o.toManifest) > 0:
		return errors.New("--to-manifest is for --to: a controller applies no manifest")
	}
	return nil
}
