package write

import (
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// addBody adds the flags of a write whose body is the manifest.
func (o *Options) addBody(cmd *cobra.Command, subresources ...string) {
	o.Add(cmd, subresources...)
	o.AddUserAgent(cmd)
	o.FileFlags.Add(cmd)
	o.RequireManifests(cmd)
}

// NewCreate is the command create.
func NewCreate(a *app.App) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "create -f MANIFEST [--live LIVE] [KIND/NAME...]",
		Short: "Preview a create (POST)",
		Long: `Preview what creating the manifests would do: the object as the server stores
it, and who then owns which field. The server rejects a create where a live
object of the same name exists.

With --subresource eviction or binding, the manifests are Evictions or Bindings of
live Pods. An eviction is judged by the PodDisruptionBudgets among the live
objects.`,
		Example: `  ssactl create -f web.yaml --field-manager helm
  ssactl create -f eviction.yaml --subresource eviction --live pods-and-budgets.yaml`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBody(cmd, a, o, api.Create)
		},
	}
	o.addBody(cmd, "binding", "eviction")
	return cmd
}

// NewUpdate is the command update.
func NewUpdate(a *app.App) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:     "update -f MANIFEST --live LIVE [KIND/NAME...]",
		Aliases: []string{"replace"},
		Short:   "Preview an update (PUT)",
		Long: `Preview what replacing the live objects with the manifests would do, as
controllers do it: the resulting object, and which fields change owner.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl update -f edited.yaml --live live.yaml --field-manager web-operator`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBody(cmd, a, o, api.Update)
		},
	}
	o.addBody(cmd, "status", "scale", "approval", "ephemeralcontainers", "finalize", "resize")
	o.AddRounds(cmd)
	return cmd
}

// ofPods are the kinds that are created below a Pod.
var ofPods = map[schema.GroupKind]string{
	{Kind: "Binding"}:                   "binding",
	{Group: "policy", Kind: "Eviction"}: "eviction",
}

// aboutPod gives the Pod that a manifest is about which is created below one.
func aboutPod(subresource string) func(manifest.Identity) manifest.Identity {
	return func(id manifest.Identity) manifest.Identity {
		if ofPods[input.KindOf(id).GroupKind()] == subresource {
			id.APIVersion, id.Kind = "v1", "Pod"
		}
		return id
	}
}

func runBody(cmd *cobra.Command, a *app.App, o *Options, verb api.Verb) error {
	if err := o.Check(cmd); err != nil {
		return err
	}
	o.Creates = verb == api.Create
	if verb == api.Create && o.Subresource != "" {
		o.About, o.OneByOne = aboutPod(o.Subresource), true
	}
	o.Scaling = o.Subresource == "scale" && verb == api.Update
	return AnswerWrites(
		cmd.Context(),
		a,
		&Writing{Options: o, Command: cmd.Name(), WriteOf: func(c *cluster.Cluster, p cluster.Pair) engine.Write {
			w := c.Write(p)
			if w.Verb = verb; verb == api.Create {
				// That there is no live object is what a create asks for.
				w.Caveats = nil
			}
			o.Fill(&w)
			return w
		}},
	)
}
