package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/bounded"
	"github.com/ssactl/ssactl/internal/cli/settings"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/policy"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/report"
)

// addPolicy is for the commands that know who may own what.
func (f *inputFlags) addPolicy(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.policies, "policy", nil, "YAML `file` that says who may own which field (repeatable)")
}

// loadPolicy reads files as one policy, in their order. Rules may stand among the
// settings of a repository.
func loadPolicy(files []string) (policy.Policy, error) {
	var out policy.Policy
	var errs []error
	for _, file := range files {
		p, err := readPolicy(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("--policy: %w", err))
		}
		out.Rules = append(out.Rules, p.Rules...)
	}
	return out, errors.Join(errs...)
}

func readPolicy(file string) (policy.Policy, error) {
	text, err := bounded.File(file, manifest.DefaultMaxDocumentBytes)
	if err != nil {
		return policy.Policy{}, err
	}
	var others []string
	if filepath.Base(file) == settings.FileName {
		others = settings.Names()
	}
	return policy.Parse(file, text, others...)
}

// risks gives those of a result of a write, by what is given of the cluster and by
// the policy.
func (c *cluster) risks(w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := risk.Of(r, c.claims)
		if len(c.policy.Rules) == 0 {
			return risks
		}
		kind := policy.Object{Kind: w.Kind.GroupKind(), Namespace: w.Namespace}
		if types := c.server.Types(w.Kind); !types.Deduced {
			kind.Shape = managedfields.ShapeOf(types.ParseableType)
		}
		return risk.Forbidden(risks, r, c.policy, kind, w.Locator)
	}
}
