package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/cli/bounded"
	"github.com/ssactl/ssactl/internal/cli/settings"
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/policy"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
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

// unusedRules says which rules of a policy are about nothing that was audited.
func unusedRules(p policy.Policy) []string {
	var out []string
	for _, u := range p.Unused() {
		text := "the rule matches no object: none is of its kinds, namespaces and labels"
		if u.Object {
			text = "the rule matches no field: its fields have no owner in the objects that it is about"
		}
		out = append(out, fmt.Sprintf("%s:%d: %s", u.Rule.Source.File, u.Rule.Source.Line, text))
	}
	if n := len(out); n > mostUnused {
		out = append(out[:mostUnused], fmt.Sprintf("%d more rules of the policy match nothing", n-mostUnused))
	}
	return out
}

// mostUnused is how many rules are named that are about nothing.
const mostUnused = 10

// aboutNothing reports whether no rule of a policy was about an object of a run. Manifests
// are often a part of what a policy is for: that some rules were not is nothing to say.
func aboutNothing(p policy.Policy) bool {
	unused := p.Unused()
	return len(p.Rules) > 0 && len(unused) == len(p.Rules) && !slices.ContainsFunc(unused, func(u policy.Unused) bool { return u.Object })
}

// judges know of a write what the server does not ask.
func (c *cluster) judges(ctx context.Context, w engine.Write) explain.Judges {
	j := explain.Judges{Risks: c.risks(ctx, w)}
	switch {
	case c.none || c.client != nil && c.client.Name != "kubectl":
		// What is asked about is the request that a client sends in the end.
		j.Send = engine.Simulate
	case c.client != nil:
		j.Send = c.client.Simulate
	}
	if len(c.policy.Rules) > 0 {
		j.Forbids = func(live map[string]any, path fieldpath.Path, role managedfields.Role) bool {
			o := c.policyObject(w)
			o.Live = live
			return c.policy.Forbids(o, path, role)
		}
	}
	return j
}

// policyObject is the object of a write, as a policy is asked about it.
func (c *cluster) policyObject(w engine.Write) policy.Object {
	o := policy.Object{Kind: w.Kind.GroupKind(), Namespace: w.Namespace}
	if types := c.server.Types(w.Kind); !types.Deduced {
		o.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	return o
}

// risks gives those of a result of a write, by what is given of the cluster, by the
// policy, and by what the client sends after it.
func (c *cluster) risks(ctx context.Context, w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := c.answerRisks(w)(r)
		if w.Verb != api.Apply || w.Manager != client.KubectlManager || len(client.AnnotationUpdaters(r.Live)) == 0 {
			return risks
		}
		if r.Outcome == report.Conflicted {
			w.Force = true
			return risk.Kubectl(risks, client.Kubectl(ctx, c.server, w))
		}
		return risk.Kubectl(risks, client.KubectlAfter(ctx, c.server, w, r))
	}
}

// runRisks are those of all requests of a client, which come to a result. That its
// annotation goes is what a client means to do.
func (c *cluster) runRisks(ctx context.Context, w engine.Write, run client.Run, whole report.Result) []report.Risk {
	if len(run.Steps) <= 1 {
		return c.risks(ctx, w)(whole)
	}
	kubectl := c.client.Name == "kubectl"
	risks := slices.DeleteFunc(c.answerRisks(w)(whole), func(k report.Risk) bool {
		return k.Field != "" && (managedfields.Within(".metadata.annotations."+client.LastApplied, k.Field) || kubectl && run.Loses(k.Field))
	})
	if kubectl {
		risks = risk.Kubectl(risks, run)
	}
	return risks
}

// answerRisks are the risks of the answer to one request.
func (c *cluster) answerRisks(w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := risk.Of(r, c.claims)
		if len(c.policy.Rules) == 0 {
			return risks
		}
		return risk.Forbidden(risks, r, c.policy, c.policyObject(w), w.Locator)
	}
}
