package write

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

type deleteOptions struct {
	targetOptions
	cascade string
	grace   int64
}

// Propagation maps --cascade as kubectl does.
var Propagation = map[string]string{
	"background": "Background",
	"foreground": "Foreground",
	"orphan":     "Orphan",
}

// NewDelete is the command delete.
func NewDelete(a *app.App) *cobra.Command {
	o := &deleteOptions{}
	cmd := &cobra.Command{
		Use:   "delete (KIND/NAME | -f FILE | --all) --live LIVE",
		Short: "Preview a delete",
		Long: `Preview what deleting the live object would do: whether it is removed at once,
or stays with a deletion timestamp until its finalizers are removed.

` + targetHelp,
		Example: `  ssactl delete deployment/web --live live.yaml --cascade foreground`,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return runDelete(cmd, a, o, args) },
	}
	o.targetOptions.add(cmd)
	cmd.Flags().StringVar(&o.cascade, "cascade", "background", "what happens to dependents: background, foreground, orphan")
	cmd.Flags().Int64Var(&o.grace, "grace-period", -1, "`seconds` that a Pod is given to end; -1 leaves it to the server")
	input.MustComplete(cmd, "cascade", []string{"background", "foreground", "orphan"})
	return cmd
}

func runDelete(cmd *cobra.Command, a *app.App, o *deleteOptions, args []string) error {
	policy, ok := Propagation[o.cascade]
	if !ok {
		return fmt.Errorf("--cascade %q: use background, foreground, or orphan", o.cascade)
	}
	return target(a, cmd, &o.targetOptions, args, func(w *engine.Write) {
		w.Verb, w.PropagationPolicy = api.Delete, policy
		if o.grace >= 0 {
			w.GracePeriodSeconds = &o.grace
		}
	})
}
