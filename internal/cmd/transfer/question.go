package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/cmd/plans"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

func (o *transferOptions) inquiry() run.Inquiry[sought, Plan, Document] {
	return run.Inquiry[sought, Plan, Document]{
		Question: run.Question[sought, Plan]{Reads: o.Reading(), Verb: "planning", Subjects: o.subjects, Ask: o.ask,
			Failed: func(_ *cluster.Cluster, s sought, err error) Plan {
				return Failure(Request{Object: s.object, From: o.from, To: o.to}, err)
			}},
		Document: func(_ context.Context, _ *cluster.Cluster, objects []Plan, run report.Run) (Document, error) {
			return NewDocument(run, objects, o.without), nil
		},
		Show: o.show,
		Verdict: func(_ *cluster.Cluster, d Document) error {
			return plans.Verdict(d.Summary.Failed, d.Summary.Unsafe, d.Ending)
		},
		Conclude: func(ctx context.Context, c *cluster.Cluster, _ []sought, d Document, verdict error) error {
			if o.folder != "" {
				if err := o.writeSteps(ctx, c.App, d); err != nil {
					return err
				}
			}
			return verdict
		},
	}
}

func (o *transferOptions) subjects(_ context.Context, c *cluster.Cluster) (out []sought, err error) {
	o.former, o.next = c.ByKey(c.Extra[0]), c.ByKey(c.Extra[1])
	names, fields := namesAndFields(c, o.args)
	wanted, err := input.ParseNames(names)
	if err != nil {
		return nil, err
	}
	out, o.without, err = seekAll(c, wanted, fields)
	return out, err
}

// namesAndFields separates objects from fields among the arguments. KIND/NAME is
// an object of the live files, or has no dot before its only slash; a JSON
// pointer begins with the slash, and keys such as app.kubernetes.io/name have
// dots.
func namesAndFields(c *cluster.Cluster, args []string) (names, fields []string) {
	for _, arg := range args {
		kind, _, slashed := strings.Cut(arg, "/")
		parsed, err := input.ParseNames([]string{arg})
		isLive := func() bool {
			for _, o := range c.Live.Objects() {
				if c.Matches(parsed[0], o.Identity) {
					return true
				}
			}
			return false
		}
		isField := err != nil || !slashed || kind == "" || strings.Count(arg, "/") > 1 || strings.ContainsAny(arg, "[]{}$")
		if !isField && (!strings.Contains(kind, ".") || isLive()) {
			names = append(names, arg)
		} else {
			fields = append(fields, arg)
		}
	}
	return names, fields
}

// ask plans for one object.
func (o *transferOptions) ask(ctx context.Context, c *cluster.Cluster, s sought) Plan {
	q := Request{
		Object:  s.object,
		Fields:  s.fields,
		From:    o.from,
		To:      o.to,
		Between: o.between,
		Scaler:  c.Claims.Scaler(s.object.Target()),
	}
	if q.To == "" {
		q.To, q.Writes = o.controller, ByUpdate
	}
	if q.Between == "" {
		q.Between = "handover-to-" + q.To
		if q.To == writers.ControllerManager {
			q.Between = "handover-to-hpa"
		}
	}
	if err := o.complete(ctx, c, s, &q); err != nil {
		return Failure(q, err)
	}
	return Make(ctx, c.Server, q)
}

// complete adds to a request what the inputs say.
func (o *transferOptions) complete(ctx context.Context, c *cluster.Cluster, s sought, q *Request) (err error) {
	unnamedController := q.Writes == ByUpdate && !o.named
	var noField *conflict.NameError
	switch {
	case errors.As(s.err, &noField) && unnamedController:
		return fmt.Errorf("%w (the name of a controller is written --to-controller=NAME)", s.err)
	case s.err != nil:
		return s.err
	}
	if q.From == "" {
		if q.From, err = s.onlyOwner(q.To); err != nil {
			return err
		}
	}
	if unnamedController && !s.scales {
		return fmt.Errorf("%s is no number of replicas: name the controller, as --to-controller=NAME", s.fields[0])
	}
	if q.FromManifest, err = manifestOf(o.former, s.key); err != nil {
		return err
	}
	if q.ToManifest, err = manifestOf(o.next, s.key); err != nil {
		return err
	}
	q.Next, err = o.nextOf(ctx, c, *q)
	return err
}

// manifestOf reads a document as what a manager applies; nil where there is none.
func manifestOf(documents map[string]manifest.Document, key string) (*Manifest, error) {
	d, ok := documents[key]
	if !ok {
		return nil, nil
	}
	m := &Manifest{Kind: input.KindOf(d.Identity), Body: d.Raw, Source: report.Source(d.Source)}
	if err := json.Unmarshal(d.JSON(), &m.Decoded); err != nil {
		return nil, fmt.Errorf("parse %s: %w", d.Source, err)
	}
	return m, nil
}

// show prints the document, or the part of it that the format is for.
func (o *transferOptions) show(c *cluster.Cluster, d, _ Document) error {
	if o.Asks("kubectl") && !o.ShowSecrets && slices.ContainsFunc(d.Plans, ofSecret) {
		return errors.New("the manifests of a Secret hold its values: -o kubectl needs --show-secrets for them")
	}
	o.AnswerFlags.Files = o.folder != ""
	return o.AnswerFlags.Answer(c.App, c.Now, o.Live, formatsOf(d))
}

// ofSecret reports whether the manifests of a plan have values of a Secret.
func ofSecret(p Plan) bool {
	if p.Chosen == "" {
		return false
	}
	return redact.IsSecret(p.Target.APIVersion, p.Target.Kind) ||
		slices.ContainsFunc(p.Options[0].Steps, func(s Step) bool {
			return redact.Holds(s.Manifest)
		})
}
