package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

func (o *transferOptions) inquiry() inquiry[sought, transfer.Plan, transfer.Document] {
	return inquiry[sought, transfer.Plan, transfer.Document]{
		question: question[sought, transfer.Plan]{reads: o.reading(), verb: "planning", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict, conclude: o.conclude,
	}
}

func (o *transferOptions) subjects(ctx context.Context, c *cluster) (out []sought, err error) {
	o.former, o.next = c.byKey(c.extra[0]), c.byKey(c.extra[1])
	names, fields := c.namesAndFields(o.args)
	wanted, err := parseNames(names)
	if err != nil {
		return nil, err
	}
	out, o.without, err = c.seekAll(wanted, fields)
	return out, err
}

func (o *transferOptions) failed(_ *cluster, s sought, err error) transfer.Plan {
	return transfer.Failure(transfer.Request{Object: s.write, From: o.from, To: o.to}, err)
}

func (o *transferOptions) document(_ context.Context, c *cluster, plans []transfer.Plan, run report.Run) (transfer.Document, error) {
	return transfer.NewDocument(run, plans, o.without), nil
}

func (o *transferOptions) verdict(_ *cluster, d transfer.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Unsafe > 0:
		return errNo
	}
	return nil
}

func (o *transferOptions) conclude(ctx context.Context, c *cluster, _ []sought, d transfer.Document, verdict error) error {
	if o.folder != "" {
		if err := o.writeSteps(ctx, c.app, d); err != nil {
			return err
		}
	}
	return verdict
}

// namesAndFields separates objects from fields among the arguments. KIND/NAME is
// an object of the live files, or has no dot before its only slash; a JSON
// pointer begins with the slash, and keys such as app.kubernetes.io/name have
// dots.
func (c *cluster) namesAndFields(args []string) (names, fields []string) {
	for _, arg := range args {
		kind, _, slashed := strings.Cut(arg, "/")
		parsed, err := parseNames([]string{arg})
		switch {
		case err != nil || !slashed || kind == "" || strings.Count(arg, "/") > 1 || strings.ContainsAny(arg, "[]{}$"):
			fields = append(fields, arg)
		case !strings.Contains(kind, ".") || c.hasLive(parsed[0]):
			names = append(names, arg)
		default:
			fields = append(fields, arg)
		}
	}
	return names, fields
}

func (c *cluster) hasLive(name objectName) bool {
	for _, o := range c.live.Objects() {
		if name.matches(c, o.Identity) {
			return true
		}
	}
	return false
}

// show prints the document, or the part of it that the format is for.
func (o *transferOptions) show(c *cluster, d, _ transfer.Document) error {
	a := c.app
	if o.asks("kubectl") && !o.showSecrets && slices.ContainsFunc(d.Plans, ofSecret) {
		return errors.New("the manifests of a Secret hold its values: -o kubectl needs --show-secrets for them")
	}
	o.answerFlags.files = o.folder != ""
	return o.answerFlags.answer(a, c.now, o.live, render.Transfer(d))
}

// ofSecret reports whether the manifests of a plan have values of a Secret.
func ofSecret(p transfer.Plan) bool {
	if p.Chosen == "" {
		return false
	}
	return redact.IsSecret(p.Target.APIVersion, p.Target.Kind) || slices.ContainsFunc(p.Options[0].Steps, func(s transfer.Step) bool {
		return redact.Holds(s.Manifest)
	})
}

// asOwn reads a document as what a manager applies.
func asOwn(documents map[string]manifest.Document, key string) (*transfer.Manifest, error) {
	d, ok := documents[key]
	if !ok {
		return nil, nil
	}
	m := &transfer.Manifest{Kind: kindOf(d.Identity), Body: d.Raw, Source: report.Source(d.Source)}
	if err := json.Unmarshal(d.JSON(), &m.Decoded); err != nil {
		return nil, fmt.Errorf("parse %s: %w", d.Source, err)
	}
	return m, nil
}

// ask plans for one object.
func (o *transferOptions) ask(ctx context.Context, c *cluster, s sought) transfer.Plan {
	q := transfer.Request{Object: s.write, Fields: s.fields, From: o.from, To: o.to, Between: o.between}
	if q.To == "" {
		q.To, q.Writes = o.controller, transfer.ByUpdate
	}
	err := s.err
	var noField *explain.NameError
	if errors.As(err, &noField) && q.Writes == transfer.ByUpdate && !o.named {
		err = fmt.Errorf("%w (the name of a controller is written --to-controller=NAME)", err)
	}
	if err == nil && q.From == "" {
		q.From, err = onlyOwner(s, q.To)
	}
	if q.Between == "" {
		q.Between = "handover-to-" + q.To
		if q.To == writers.ControllerManager {
			q.Between = "handover-to-hpa"
		}
	}
	if err == nil && q.Writes == transfer.ByUpdate && !o.named && !s.scales {
		err = fmt.Errorf("%s is no number of replicas: name the controller, as --to-controller=NAME", s.fields[0])
	}
	if err == nil {
		q.FromManifest, err = asOwn(o.former, s.key)
	}
	if err == nil {
		q.ToManifest, err = asOwn(o.next, s.key)
	}
	if err == nil {
		q.Next, err = o.nextOf(ctx, c, q)
	}
	if err != nil {
		return transfer.Failure(q, err)
	}
	return transfer.Make(ctx, c.server, q)
}
