package cli

import (
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server/api"
)

// addBody adds the flags of a write whose body is the manifest.
func (o *writeOptions) addBody(cmd *cobra.Command, subresources ...string) {
	o.add(cmd, subresources...)
	o.addUserAgent(cmd)
	o.writeFlags.add(cmd)
	o.requireManifests(cmd)
}

func newCreateCmd(a *app) *cobra.Command {
	o := &writeOptions{}
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
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBody(cmd, a, o, api.Create)
		},
	}
	o.addBody(cmd, "binding", "eviction")
	return cmd
}

func newUpdateCmd(a *app) *cobra.Command {
	o := &writeOptions{}
	cmd := &cobra.Command{
		Use:     "update -f MANIFEST --live LIVE [KIND/NAME...]",
		Aliases: []string{"replace"},
		Short:   "Preview an update (PUT)",
		Long: `Preview what replacing the live objects with the manifests would do, as
controllers do it: the resulting object, and which fields change owner.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl update -f edited.yaml --live live.yaml --field-manager web-operator`,
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBody(cmd, a, o, api.Update)
		},
	}
	o.addBody(cmd, "status", "scale", "approval", "ephemeralcontainers", "finalize", "resize")
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
		if ofPods[kindOf(id).GroupKind()] == subresource {
			id.APIVersion, id.Kind = "v1", "Pod"
		}
		return id
	}
}

func runBody(cmd *cobra.Command, a *app, o *writeOptions, verb api.Verb) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.creates = verb == api.Create
	if verb == api.Create && o.subresource != "" {
		o.about, o.oneByOne = aboutPod(o.subresource), true
	}
	o.scaling = o.subresource == "scale" && verb == api.Update
	return answerWrites(cmd.Context(), a, &writing{writeOptions: o, command: cmd.Name(), writeOf: func(c *cluster, p pair) engine.Write {
		w := c.write(p)
		if w.Verb = verb; verb == api.Create {
			// That there is no live object is what a create asks for.
			w.Caveats = nil
		}
		o.fill(&w)
		return w
	}})
}
