package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/bounded"
	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/cli/resourcelist"
	"github.com/ssactl/ssactl/internal/report"
)

// functionFlags are those flags of apply that the configuration of a function may
// set: they read files, and write none.
var functionFlags = []string{
	"crds", "fail-on", "field-manager", "force-conflicts", "ignore-field", "kubernetes-version", "live", "namespace",
	"policy", "recursive", "require-schema", "server-flag", "server-preset", "validate",
}

// maxFunctionInput is the most that a list may have, in bytes.
const maxFunctionInput = 256 << 20

func newFnCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "fn",
		Short: "Preview a Server-Side Apply as a function of kustomize or kpt",
		Long: `Preview what applying the items of a ResourceList would do, as a KRM function: the
list comes on standard input and goes to standard output, its items as they are,
with results: conflicts and refusals as errors, risks, and what would change.

The function's configuration has the flags of apply under spec, or in the data of a
ConfigMap, by their names as in .ssactl.yaml: live, field-manager, force-conflicts,
fail-on, crds and others. Paths are relative to the directory that the function is
run in. Items with the annotation config.kubernetes.io/local-config are not applied.

The exit code is that of apply.`,
		Example: `  kpt fn eval manifests/ --exec "ssactl fn" -- live=live.yaml field-manager=argocd-controller`,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return runFn(a) },
	}
}

func runFn(a *app) error {
	text, err := bounded.All(a.streams.In, "standard input", maxFunctionInput)
	if err != nil {
		return err
	}
	list, err := resourcelist.Read(text)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	args, err := functionArgs(list.Config)
	if err != nil {
		return fmt.Errorf("functionConfig: %w", err)
	}
	doc, runErr := a.applied(args, list.Manifests)
	if doc == nil {
		return runErr
	}
	results := functionResults(*doc, list.Items)
	for _, r := range results {
		if r.Severity != resourcelist.SeverityInfo {
			fmt.Fprintf(a.streams.Err, "%s: %s\n", r.Severity, r)
		}
	}
	out, err := list.With(results)
	if err != nil {
		return err
	}
	if _, err := a.streams.Out.Write(out); err != nil {
		return err
	}
	return runErr
}

// functionArgs are the flags of a configuration, sorted by name.
func functionArgs(config map[string][]string) ([]string, error) {
	var args []string
	for name, values := range config {
		if !slices.Contains(functionFlags, name) {
			return nil, fmt.Errorf("unknown key %q: use one of %s", name, strings.Join(functionFlags, ", "))
		}
		for _, v := range values {
			args = append(args, "--"+name+"="+v)
		}
	}
	slices.Sort(args)
	return args, nil
}

// applied is the report of an apply of the manifests, with the verdict as its error;
// nil where there is none.
func (a *app) applied(args []string, manifests []byte) (*report.Report, error) {
	if len(manifests) == 0 {
		return &report.Report{}, nil
	}
	var out bytes.Buffer
	streams := iostreams.New(bytes.NewReader(manifests), &out, a.streams.Err, a.streams.Getenv)
	code := Main(append([]string{"apply", "-f", "-", "-o", "report", "-q"}, args...), streams)
	var doc report.Report
	if json.Unmarshal(out.Bytes(), &doc) != nil {
		return nil, errTrouble
	}
	if code != exitDone {
		return &doc, verdict{code}
	}
	return &doc, nil
}

// functionResults say of each item what the report does, and of inputs what is wrong
// with them.
func functionResults(doc report.Report, items []resourcelist.Item) []resourcelist.Result {
	out := []resourcelist.Result{}
	for _, p := range doc.Problems {
		out = append(out, resourcelist.Result{Severity: report.SeverityError, Message: p.Message})
	}
	for _, r := range doc.Results {
		var item resourcelist.Item
		if n := r.Source.Document; n >= 1 && n <= len(items) {
			item = items[n-1]
		}
		out = append(out, resourcelist.ResultsOf(r, item)...)
	}
	return out
}
