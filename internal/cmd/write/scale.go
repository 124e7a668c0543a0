package write

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/server/api"
)

type scaleOptions struct {
	targetOptions
	replicas int32
}

// NewScale is the command scale.
func NewScale(a *app.App) *cobra.Command {
	o := &scaleOptions{}
	cmd := &cobra.Command{
		Use:   "scale (KIND/NAME | -f FILE | --all) --live LIVE --replicas N",
		Short: "Preview scaling",
		Long: `Preview what setting the number of replicas through the scale subresource would
do, as kubectl scale and the autoscaler do it.

` + targetHelp,
		Example: `  ssactl scale deployment/web --live live.yaml --replicas 5`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.replicas < 0 || !cmd.Flags().Changed("replicas") {
				return errors.New("--replicas is needed, a number from 0")
			}
			return runScale(cmd, a, o, args)
		},
	}
	o.targetOptions.add(cmd)
	cmd.Flags().Int32Var(&o.replicas, "replicas", 0, "`number` of replicas")
	return cmd
}

func runScale(cmd *cobra.Command, a *app.App, o *scaleOptions, args []string) error {
	body := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, o.replicas)
	return target(a, cmd, &o.targetOptions, args, func(w *engine.Write) {
		w.Verb, w.Subresource, w.Body = api.MergePatch, "scale", body
	})
}
