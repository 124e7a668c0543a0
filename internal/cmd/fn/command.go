package fn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/apply"
	"github.com/ssactl/ssactl/internal/cmd/fn/resourcelist"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/suggest"
)

// maxFunctionInput is the most that a list may have, in bytes.
const maxFunctionInput = 256 << 20

// New is the command fn.
func New(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "fn",
		Short: "Preview a Server-Side Apply as a function of kustomize or kpt",
		Long: `Preview what applying the items of a ResourceList would do, as a KRM function: the
list comes on standard input and goes to standard output, its items as they are,
with results: conflicts and refusals as errors, risks, and what would change.

The function's configuration has the settings of a run under spec, or in the data of a
ConfigMap, by the names of the flags and of .ssactl.yaml: client, release, live,
fail-on, config and others ('ssactl help settings'). Paths are relative to the
directory that the function is run in. Items with the annotation
config.kubernetes.io/local-config are not applied.

The exit code is that of apply.`,
		Example: `  kpt fn eval manifests/ --exec "ssactl fn" -- live=live.yaml client=argocd`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runFn(cmd.Context(), a) },
	}
}

func runFn(ctx context.Context, a *app.App) error {
	text, err := bounded.All(a.Streams.In, "standard input", maxFunctionInput)
	if err != nil {
		return err
	}
	list, err := resourcelist.Read(text)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	args, config, err := functionArgs(list.Config)
	if err != nil {
		return fmt.Errorf("functionConfig: %w", err)
	}
	if a.Config == "" {
		a.Config = config
	}
	if len(list.Manifests) == 0 {
		return (&function{list: list, out: a.Streams.Out}).End(stream.Ending{})
	}
	return applyItems(ctx, a, list, args)
}

// applyItems applies the items of a list, as apply does with its flags; the format is
// that of functions.
func applyItems(ctx context.Context, a *app.App, list *resourcelist.List, args []string) error {
	streams := *a.Streams
	streams.In = bytes.NewReader(list.Manifests)
	within := &app.App{Streams: &streams, Secrets: a.Secrets, Config: a.Config}
	o := &apply.Options{}
	cmd := apply.Command(within, o)
	if err := cmd.ParseFlags(append([]string{"-f", "-", "-q"}, args...)); err != nil {
		return fmt.Errorf("functionConfig: %w", err)
	}
	if err := errors.Join(within.Configure(cmd), o.Check(cmd)); err != nil {
		return err
	}
	o.Outputs = []output.Output{
		{Format: show.Format{Name: "ResourceList", Refusals: true, New: func(w io.Writer, _ show.Options) stream.Stream {
			return &function{list: list, out: w, err: a.Commentary(show.Options{})}
		}}},
	}
	return apply.AnswerApplies(ctx, within, o)
}

// functionArgs are the flags of a configuration, sorted, and the file with settings that it
// names; empty for none.
func functionArgs(list []resourcelist.Key) (args []string, config string, err error) {
	for _, given := range list {
		if given.Name == settings.ConfigName && len(given.Values) == 1 {
			config = given.Values[0]
			continue
		}
		key, known := settings.InRun(given.Name)
		switch {
		case !known:
			return nil, "", fmt.Errorf("line %d: %w", given.Line, unknownKey(given.Name))
		case len(given.Values) > 1 && !key.List:
			return nil, "", fmt.Errorf("line %d: %s has several values: it takes one", given.Line, given.Name)
		}
		for _, v := range given.Values {
			args = append(args, "--"+key.Name+"="+v)
		}
	}
	slices.Sort(args)
	return args, config, nil
}

// unknownKey is the error of a key that there is none of.
func unknownKey(name string) error {
	names := []string{settings.ConfigName}
	for _, k := range settings.Run() {
		names = append(names, k.Name)
	}
	if best := suggest.Likeliest(name, names); best != "" {
		return fmt.Errorf("unknown key %q: did you mean %s?", name, best)
	}
	return fmt.Errorf("unknown key %q: use one of %s", name, strings.Join(names, ", "))
}

// function shows results in the list that they are of.
type function struct {
	list     *resourcelist.List
	out, err io.Writer
	results  []resourcelist.Result
	// assumed: what the run assumes is among the results.
	assumed bool
}

// ShowsSettings implements stream.Ruled.
func (f *function) ShowsSettings() bool { return true }

// Begin says which inputs cannot be read.
func (f *function) Begin(start stream.Start) error {
	for _, p := range start.Problems {
		f.results = append(f.results, resourcelist.Result{Severity: report.SeverityError, Message: p.Message})
	}
	return nil
}

// Part is what is said of an item.
func (f *function) Part(r report.Result) (stream.Part, error) {
	var item resourcelist.Item
	if n := r.Source.Document; n >= 1 && n <= len(f.list.Items) {
		item = f.list.Items[n-1]
	}
	return resourcelist.ResultsOf(page.ResultDocument(r), item), nil
}

// Add keeps what is said of an item, and once what every item says of the run.
func (f *function) Add(part stream.Part) error {
	for _, r := range part.([]resourcelist.Result) {
		if r.Resource != nil || !f.assumed {
			f.results = append(f.results, r)
			f.assumed = f.assumed || r.Resource == nil
		}
	}
	return nil
}

// End writes the list, and what went wrong on standard error.
func (f *function) End(e stream.Ending) error {
	var settings []resourcelist.Result
	for _, s := range e.Report.Settings {
		settings = append(settings, resourcelist.Result{Severity: report.SeverityWarning, Message: s.Message})
	}
	f.results = append(settings, f.results...)
	if exit := page.ExitReason(e.Report.Summary, e.Report.Ending); exit != "" {
		f.results = append(f.results, resourcelist.Result{Severity: report.SeverityError, Message: exit})
	}
	for _, r := range f.results {
		if r.Severity != resourcelist.SeverityInfo {
			fmt.Fprintf(f.err, "%s: %s\n", r.Severity, r)
		}
	}
	text, err := f.list.With(f.results)
	if err != nil {
		return err
	}
	_, err = f.out.Write(text)
	return err
}
