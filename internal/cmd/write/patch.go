package write

import (
	"cmp"
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
		if !redact.IsSecret(p.Document.APIVersion, p.Document.Kind) {
			return nil
		}
		return maskedPatch(cmp.Or(o.file, "the patch"), decoded)
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

// maskedPatch is the error of a patch of a Secret that has a mask; nil without.
func maskedPatch(place string, patch any) error {
	found := redact.MaskedPatch(patch)
	if found == nil {
		return nil
	}
	return fmt.Errorf("%s: %v is masked, and its value is not known: give the value, which --show-secrets prints", place, fieldpath.MakePathOrDie(found...))
}
