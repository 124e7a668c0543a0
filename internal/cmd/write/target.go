package write

import (
	"cmp"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// targetOptions are those of a write that has no manifest: a patch, a scale, a
// delete. Its targets are the objects that -f names, or those of the arguments
// (KIND/NAME). All of the live files, or all of some kinds, need --all. Of the
// last two, --namespace takes only its own.
type targetOptions struct {
	Options
	all bool
	// refuse is the error of a write to an object; nil for none.
	refuse func(cluster.Pair) error
}

// targetHelp says in the help of these commands what they write to.
const targetHelp = `The objects are those that the arguments name (KIND/NAME, or KIND NAME, as kubectl
takes them), or those in the files of -f; with --all, all live objects, or all of
the kinds that the arguments name.`

func (o *targetOptions) add(cmd *cobra.Command, subresources ...string) {
	o.Options.Add(cmd, subresources...)
	o.AddUserAgent(cmd)
	o.FileFlags.Add(cmd)
	cmd.Flags().BoolVar(&o.all, "all", false, "write to all live objects, or to all of the kinds that are named")
	input.OnlyNamespace(cmd)
}

// names are the objects that the arguments name; none for those of -f, or for
// all.
func (o *targetOptions) names(cmd *cobra.Command, args []string) ([]input.ObjectName, error) {
	switch {
	case len(args) > 0 && o.HasManifests():
		return nil, errors.New("name the objects by -f (or -k) or by arguments, not by both")
	case o.all && o.HasManifests():
		return nil, errors.New("--all means the live objects: leave it or -f out")
	case len(args) == 0 && !o.HasManifests() && !o.all:
		return nil, fmt.Errorf(
			"nothing says which objects: name them as KIND/NAME, such as deployment/web, or by -f FILE; --all means every live object\nSee '%s --help'",
			cmd.CommandPath(),
		)
	case len(o.Live) == 0 && !o.HasManifests():
		return nil, errors.New("--live is needed: the file with the live object")
	case o.all:
		return input.ParseKinds(args)
	}
	return input.ParseNames(args)
}

// target answers a write for each object that the options name.
func target(a *app.App, cmd *cobra.Command, o *targetOptions, args []string, fill func(*engine.Write)) error {
	o.StandIn = input.ThePatch
	wanted, err := o.names(cmd, args)
	if err != nil {
		return err
	}
	if err := o.Check(cmd); err != nil {
		return err
	}
	return AnswerWrites(cmd.Context(), a, &Writing{
		Options: &o.Options,
		Command: cmd.Name(),
		PairsOf: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
			// None of the manifests, too, where none could be read.
			pairs, err := c.Pairs(), error(nil)
			if !o.HasManifests() {
				pairs, err = c.Targets(wanted)
			}
			for i := range pairs {
				if o.refuse != nil && pairs[i].Err == nil {
					pairs[i].Err = o.refuse(pairs[i])
				}
			}
			return pairs, err
		},
		WriteOf: func(c *cluster.Cluster, p cluster.Pair) engine.Write {
			w := c.Write(p).WithBody(nil, nil)
			o.Fill(&w)
			fill(&w)
			return w
		},
	})
}

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
			body := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, o.replicas)
			return target(a, cmd, &o.targetOptions, args, func(w *engine.Write) {
				w.Verb, w.Subresource, w.Body = api.MergePatch, "scale", body
			})
		},
	}
	o.targetOptions.add(cmd)
	cmd.Flags().Int32Var(&o.replicas, "replicas", 0, "`number` of replicas")
	return cmd
}

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
		RunE: func(cmd *cobra.Command, args []string) error {
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
		},
	}
	o.targetOptions.add(cmd)
	cmd.Flags().
		StringVar(&o.cascade, "cascade", "background", "what happens to dependents: background, foreground, orphan")
	cmd.Flags().Int64Var(&o.grace, "grace-period", -1, "`seconds` that a Pod is given to end; -1 leaves it to the server")
	input.MustComplete(cmd, "cascade", []string{"background", "foreground", "orphan"})
	return cmd
}

type patchOptions struct {
	targetOptions
	kind string
	text string
	file string
}

// patchVerbs are the values of --type.
var patchVerbs = map[string]api.Verb{
	"strategic": api.StrategicPatch,
	"merge":     api.MergePatch,
	"json":      api.JSONPatch,
}

// NewPatch is the command patch.
func NewPatch(a *app.App) *cobra.Command {
	o := &patchOptions{}
	cmd := &cobra.Command{
		Use:   "patch (KIND/NAME | -f FILE | --all) --live LIVE --type strategic|merge|json (-p PATCH | --patch-file FILE)",
		Short: "Preview a patch",
		Long: `Preview what a strategic merge patch, a JSON merge patch or a JSON patch would
do to the live object and to the ownership of its fields.

` + targetHelp,
		Example: `  ssactl patch deployment/web --live live.yaml -p '{"spec":{"paused":true}}'
  ssactl patch deployment/web --live live.yaml --type json --patch-file patch.json --field-manager web-operator`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runPatch(cmd, a, o, args) },
	}
	o.targetOptions.add(cmd, "status", "scale", "ephemeralcontainers", "resize")
	cmd.Flags().StringVar(&o.kind, "type", "strategic", "`kind` of patch: strategic, merge, json")
	cmd.Flags().StringVarP(&o.text, "patch", "p", "", "the `patch`, as JSON or YAML")
	cmd.Flags().StringVar(&o.file, "patch-file", "", "`file` with the patch, as JSON or YAML")
	input.MustComplete(cmd, "type", []string{"strategic", "merge", "json"})
	return cmd
}

func runPatch(cmd *cobra.Command, a *app.App, o *patchOptions, args []string) error {
	verb, ok := patchVerbs[o.kind]
	if !ok {
		return fmt.Errorf("--type %q: use strategic, merge, or json", o.kind)
	}
	if o.file != "" {
		o.Others = []string{o.file}
	}
	body, decoded, err := o.body()
	if err != nil {
		return err
	}
	o.refuse = func(p cluster.Pair) error {
		found := redact.MaskedPatch(decoded)
		if found == nil || !redact.IsSecret(p.Document.APIVersion, p.Document.Kind) {
			return nil
		}
		return fmt.Errorf("%s: %v is masked, and its value is not known: give the value, which --show-secrets prints",
			cmp.Or(o.file, "the patch"), fieldpath.MakePathOrDie(found...))
	}
	a.Secrets.Learn(decoded)
	o.Patch, _ = decoded.(map[string]any)
	var ofSecret sync.Once
	return target(a, cmd, &o.targetOptions, args, func(w *engine.Write) {
		if redact.IsSecret(w.Kind.GroupVersion().String(), w.Kind.Kind) {
			ofSecret.Do(func() { a.Secrets.LearnPatch(decoded) })
		}
		*w = w.WithBody(body, decoded)
		w.Verb = verb
	})
}

// body reads the patch and, as kubectl does, turns YAML into JSON.
func (o *patchOptions) body() ([]byte, any, error) {
	raw, place := []byte(o.text), "--patch"
	switch {
	case o.text != "" && o.file != "":
		return nil, nil, errors.New("give the patch by --patch or by --patch-file, not by both")
	case o.text == "" && o.file == "":
		return nil, nil, errors.New("the patch is missing: give it by --patch or --patch-file")
	case o.file != "":
		var err error
		if raw, err = bounded.File(o.file, manifest.DefaultMaxDocumentBytes); err != nil {
			return nil, nil, fmt.Errorf("--patch-file: %w", err)
		}
		place = o.file
	}
	body, err := manifest.FromYAML(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", place, err)
	}
	if stdjson.Valid(raw) {
		body = raw
	}
	var decoded any
	if err := json.Unmarshal(body, &decoded); err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", place, err)
	}
	return body, decoded, nil
}
