package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/server/api"
)

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

// Judges know of a write what the server does not ask.
func (c *Cluster) Judges(ctx context.Context, w engine.Write) conflict.Judges {
	j := conflict.Judges{Risks: c.risks(ctx, w)}
	switch {
	case c.none || c.Client != nil && c.Client.Name != "kubectl":
		// What is asked about is the request that a client sends in the end.
		j.Send = engine.Simulate
	case c.Client != nil:
		j.Send = c.Client.Simulate
	}
	if len(c.Policy.Rules) > 0 {
		j.Forbids = func(live map[string]any, path fieldpath.Path, role managedfields.Role) bool {
			o := c.policyObject(w)
			o.Live = live
			return c.Policy.Forbids(o, path, role)
		}
	}
	return j
}

// policyObject is the object of a write, as a policy is asked about it.
func (c *Cluster) policyObject(w engine.Write) policy.Object {
	o := policy.Object{Kind: w.Kind.GroupKind(), Namespace: w.Namespace}
	if types := c.Server.Types(w.Kind); !types.Deduced {
		o.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	return o
}

// risks gives those of a result of a write, by what is given of the cluster, by the
// policy, and by what the client sends after it.
func (c *Cluster) risks(ctx context.Context, w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := c.answerRisks(w)(r)
		if w.Verb != api.Apply || w.Manager != client.KubectlManager || len(client.AnnotationUpdaters(r.Live)) == 0 {
			return risks
		}
		if r.Outcome == report.Conflicted {
			w.Force = true
			return risk.Kubectl(risks, client.Kubectl(ctx, c.Server, w))
		}
		return risk.Kubectl(risks, client.KubectlAfter(ctx, c.Server, w, r))
	}
}

// runRisks are those of all requests of a client, which come to a result. That its
// annotation goes is what a client means to do.
func (c *Cluster) runRisks(ctx context.Context, w engine.Write, run client.Run, whole report.Result) []report.Risk {
	if len(run.Steps) <= 1 {
		return c.risks(ctx, w)(whole)
	}
	kubectl := c.Client.Name == "kubectl"
	risks := slices.DeleteFunc(c.answerRisks(w)(whole), func(k report.Risk) bool {
		return k.Field != "" && (managedfields.Within(".metadata.annotations."+client.LastApplied, k.Field) || kubectl && run.Loses(k.Field))
	})
	if kubectl {
		risks = risk.Kubectl(risks, run)
	}
	return risks
}

// answerRisks are the risks of the answer to one request.
func (c *Cluster) answerRisks(w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := risk.Of(r, c.Claims)
		if len(c.Policy.Rules) == 0 {
			return risks
		}
		return risk.Forbidden(risks, r, c.Policy, c.policyObject(w), w.Locator)
	}
}
