package cli

import (
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

func (c *cluster) answer(ctx context.Context, p pair, w engine.Write) report.Result {
	if p.err != nil {
		return engine.Failure(w, p.err)
	}
	if w.Name == "" && w.Verb != api.Create {
		return engine.Failure(w, nameless(p.document))
	}
	if w.Detail == engine.DetailOutcome {
		w.Lines = func(r report.Result) bool { return c.tells(p, w, r) }
	}
	if c.sends(w) {
		return c.answerClient(ctx, p, w)
	}
	r := explain.Advise(ctx, c.server, w, engine.Simulate(ctx, c.server, w), c.judges(ctx, w))
	r.Notices = append(r.Notices, c.together.notices(p, r)...)
	r.Risks = c.risks(ctx, w)(r)
	return r
}

// sends reports whether a write is sent as the client sends it. Clients other than kubectl
// write to no subresource.
func (c *cluster) sends(w engine.Write) bool {
	return c.client != nil && w.Verb == api.Apply && (w.Subresource == "" || c.client.Name == "kubectl")
}

// sent is what comes of an apply with all requests of the client, or of kubectl where its
// field manager applies.
func (c *cluster) sent(ctx context.Context, server api.Server, w engine.Write) report.Result {
	switch {
	case c.sends(w):
		w.Force = w.Force || c.client.Force
		return c.client.Simulate(ctx, server, w)
	case c.none:
		return engine.Simulate(ctx, server, w)
	}
	return client.Simulate(ctx, server, w)
}

// answerClient answers with all requests of the client.
func (c *cluster) answerClient(ctx context.Context, p pair, w engine.Write) report.Result {
	run := c.client.Send(ctx, c.server, w)
	r := run.Whole()
	if len(run.Steps) == 1 {
		r = explain.Advise(ctx, c.server, run.Sent, r, c.judges(ctx, w))
	} else if r.Outcome == report.Conflicted {
		advised := explain.Advise(ctx, c.server, run.Sent, run.Verdict(), c.judges(ctx, w))
		r.Conflicts, r.InClient = advised.Conflicts, advised.InClient
	}
	r.Client = c.client.Sequence(run)
	r.Notices = append(r.Notices, c.together.notices(p, r)...)
	r.Risks = c.runRisks(ctx, w, run, r)
	return r
}

// tells reports whether the output has more of a change than that there is one.
func (c *cluster) tells(p pair, w engine.Write, r report.Result) bool {
	doubted := slices.ContainsFunc(r.Confidence.Reasons, func(c report.Caveat) bool { return c.Rule != report.RuleNotGiven })
	return r.Outcome.Refused() || doubted || len(r.Warnings)+len(r.Notices) > 0 ||
		len(c.together.notices(p, r)) > 0 || len(c.answerRisks(w)(r)) > 0
}

// write makes the write of a document's body, decoded; verb, manager and the like
// are the command's to fill in.
func (c *cluster) write(p pair) engine.Write {
	return withTree(c.undecoded(p))
}

// withTree decodes the body of a write.
func withTree(w engine.Write) engine.Write {
	if decoded, err := jsontree.Decode(w.JSON); err == nil && decoded != nil {
		w.Decoded = decoded
	}
	return w
}

// undecoded leaves it to the simulation to decode the body, if it has to.
func (c *cluster) undecoded(p pair) engine.Write {
	d := p.document
	w := engine.Write{
		Kind:          kindOf(d.Identity),
		Namespace:     p.key.Namespace,
		Name:          d.Name,
		Body:          d.Raw,
		JSON:          d.JSON(),
		Plain:         d.Plain(),
		MediaType:     mediaType(d),
		Source:        report.Source(d.Source),
		Kustomization: c.kustomization,
		Locator:       locator{d},
		Now:           c.now,
		DryRun:        c.dryRun,
		Detail:        c.detail,
		Schema:        c.schema,
		Caveats:       slices.Concat(p.caveats, c.digestCaveats(p.key)),
	}
	if !p.kind.Empty() {
		w.Kind = p.kind
	}
	c.setLive(&w, p.live)
	return w
}

func (c *cluster) setLive(w *engine.Write, o *live.Object) {
	if o == nil {
		return
	}
	w.Live = o.JSON()
	source := report.Source(o.Source)
	w.LiveSource = &source
	w.LiveLocator = newLiveLines(o.Document, &c.reread)
}

// mediaType is that of a document sent as it is.
func mediaType(d manifest.Document) string {
	if d.Format == manifest.JSON {
		return api.JSON
	}
	return api.YAML
}

// locator finds fields in a document's file.
type locator struct{ document manifest.Document }

func (l locator) Line(path fieldpath.Path) (report.Source, bool) {
	line, ok := manifest.Locate(l.document, path)
	source := report.Source(l.document.Source)
	source.Line = line
	return source, ok
}

func (l locator) Text(n int) report.Source {
	source := report.Source(l.document.Source)
	source.Line = manifest.TextLine(l.document, n)
	return source
}
