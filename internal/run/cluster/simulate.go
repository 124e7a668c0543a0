package cluster

import (
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Answer is the answer to the write of a pair.
func (c *Cluster) Answer(ctx context.Context, p Pair, w engine.Write) report.Result {
	if p.Err != nil {
		return engine.Failure(w, p.Err)
	}
	if w.Name == "" && w.Verb != api.Create {
		return engine.Failure(w, Nameless(p.Document))
	}
	if w.Detail == engine.DetailOutcome {
		w.Lines = func(r report.Result) bool { return c.tells(p, w, r) }
	}
	if c.Sends(w) {
		return c.answerClient(ctx, p, w)
	}
	r := conflict.Advise(ctx, c.Server, w, engine.Simulate(ctx, c.Server, w), c.Judges(ctx, w))
	r.Notices = append(r.Notices, c.together.notices(p, r)...)
	r.Risks = c.risks(ctx, w)(r)
	return r
}

// Sends reports whether a write is sent as the client sends it. Clients other than kubectl
// write to no subresource.
func (c *Cluster) Sends(w engine.Write) bool {
	return c.Client != nil && w.Verb == api.Apply && (w.Subresource == "" || c.Client.Name == "kubectl")
}

// Sent is the result of an apply with all requests of the client, or of kubectl where its
// field manager applies.
func (c *Cluster) Sent(ctx context.Context, server api.Server, w engine.Write) report.Result {
	switch {
	case c.Sends(w):
		w.Force = w.Force || c.Client.Force
		return c.Client.Simulate(ctx, server, w)
	case c.none:
		return engine.Simulate(ctx, server, w)
	}
	return client.Simulate(ctx, server, w)
}

// answerClient answers with all requests of the client.
func (c *Cluster) answerClient(ctx context.Context, p Pair, w engine.Write) report.Result {
	run := c.Client.Send(ctx, c.Server, w)
	r := run.Whole()
	if len(run.Steps) == 1 {
		r = conflict.Advise(ctx, c.Server, run.Sent, r, c.Judges(ctx, w))
	} else if r.Outcome == report.Conflicted {
		advised := conflict.Advise(ctx, c.Server, run.Sent, run.Verdict(), c.Judges(ctx, w))
		r.Conflicts, r.InClient = advised.Conflicts, advised.InClient
	}
	r.Client = c.Client.Sequence(run)
	r.Notices = append(r.Notices, c.together.notices(p, r)...)
	r.Risks = c.runRisks(ctx, w, run, r)
	return r
}

// tells reports whether the output has more of a change than that there is one.
func (c *Cluster) tells(p Pair, w engine.Write, r report.Result) bool {
	doubted := slices.ContainsFunc(r.Confidence.Reasons, func(c report.Caveat) bool { return c.Rule != report.RuleNotGiven })
	return r.Outcome.Refused() || doubted || len(r.Warnings)+len(r.Notices) > 0 ||
		len(c.together.notices(p, r)) > 0 || len(c.answerRisks(w)(r)) > 0
}

// Write makes the write of a document's body, decoded; verb, manager and the like
// are the command's to fill in.
func (c *Cluster) Write(p Pair) engine.Write {
	return WithTree(c.undecoded(p))
}

// WithTree decodes the body of a write.
func WithTree(w engine.Write) engine.Write {
	if decoded, err := jsontree.Decode(w.JSON); err == nil && decoded != nil {
		w.Decoded = decoded
	}
	return w
}

// undecoded leaves it to the simulation to decode the body, if it has to.
func (c *Cluster) undecoded(p Pair) engine.Write {
	d := p.Document
	w := engine.Write{
		Kind:          input.KindOf(d.Identity),
		Namespace:     p.Key.Namespace,
		Name:          d.Name,
		Body:          d.Raw,
		JSON:          d.JSON(),
		Plain:         d.Plain(),
		MediaType:     MediaType(d),
		Source:        report.Source(d.Source),
		Kustomization: c.kustomization,
		Locator:       Locator{d},
		Now:           c.Now,
		DryRun:        c.dryRun,
		Detail:        c.Detail,
		Schema:        c.schema,
		Caveats:       slices.Concat(p.caveats, c.digestCaveats(p.Key)),
	}
	if !p.kind.Empty() {
		w.Kind = p.kind
	}
	c.setLive(&w, p.Live)
	return w
}

func (c *Cluster) setLive(w *engine.Write, o *live.Object) {
	if o == nil {
		return
	}
	w.Live = o.JSON()
	source := report.Source(o.Source)
	w.LiveSource = &source
	w.LiveLocator = newLiveLines(o.Document, &c.reread)
}

// MediaType is that of a document sent as it is.
func MediaType(d manifest.Document) string {
	if d.Format == manifest.JSON {
		return api.JSON
	}
	return api.YAML
}

// Locator finds fields in a document's file.
type Locator struct{ Document manifest.Document }

// Line implements report.Locator.
func (l Locator) Line(path fieldpath.Path) (report.Source, bool) {
	line, ok := manifest.Locate(l.Document, path)
	source := report.Source(l.Document.Source)
	source.Line = line
	return source, ok
}

// Text implements report.Locator.
func (l Locator) Text(n int) report.Source {
	source := report.Source(l.Document.Source)
	source.Line = manifest.TextLine(l.Document, n)
	return source
}

// Apply makes the write of a manifest as an apply sends it: always as YAML, which
// JSON is too.
func (c *Cluster) Apply(p Pair) engine.Write {
	w := c.undecoded(p)
	w.Verb, w.MediaType = api.Apply, ""
	w.Body = manifest.AsApplied(p.Document.Format, p.Document.Raw)
	return w
}

var _ Simulated = (*server.Server)(nil)
