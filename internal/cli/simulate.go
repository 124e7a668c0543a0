package cli

import (
	"context"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// ahead is how many objects a worker may run ahead of the one whose turn it is
// to be shown.
const ahead = 8

// simulate answers a write for each pair, in order, and shows the answers as soon
// as those before are shown. Each is that of a cluster in which the writes before
// it were made. It gives the number of answers, which are those of the first pairs:
// an interrupt ends it with what is known.
func (c *cluster) simulate(ctx context.Context, pairs []pair, write func(pair) engine.Write, d *display) (int, error) {
	for answered := 0; answered < len(pairs); {
		together := pairs[answered:][:c.stretch(pairs[answered:])]
		n, err := c.simulateStretch(ctx, together, write, d)
		if answered += n; err != nil || n < len(together) {
			return answered, err
		}
	}
	return len(pairs), nil
}

// simulateStretch answers for pairs of which only the last may matter to others:
// several at once.
func (c *cluster) simulateStretch(ctx context.Context, pairs []pair, write func(pair) engine.Write, d *display) (int, error) {
	var last report.Result
	options := pool.Options{Jobs: c.jobs, Window: ahead * c.jobs}
	n, err := pool.Run(ctx, len(pairs), options,
		func(ctx context.Context, i int) answer {
			w := write(pairs[i])
			began := time.Now()
			result := guard.Or(func() report.Result { return c.answer(ctx, pairs[i], w) },
				func(err error) report.Result { return engine.Failure(w, err) })
			took := time.Since(began)
			pairs[i].document.Forget()
			if i == len(pairs)-1 {
				last = result
			}
			return d.answer(result, render.Timing{Target: result.Target, Took: took, Bytes: len(w.Body) + len(w.Live)})
		},
		func(i int, a answer) error { return d.show(pairs[i], a) })
	if n == len(pairs) {
		c.learn(pairs[n-1].key, last)
	}
	return n, err
}

func (c *cluster) answer(ctx context.Context, p pair, w engine.Write) report.Result {
	if p.err != nil {
		return engine.Failure(w, p.err)
	}
	if w.Name == "" && w.Verb != api.Create {
		return engine.Failure(w, nameless(p.document))
	}
	r := engine.Simulate(ctx, c.server, w)
	r.Notices = append(r.Notices, c.together.notices(p, r)...)
	r.Risks = risk.Of(r, c.autoscalers)
	return r
}

// write makes the write of a document's body; verb, manager and the like are
// the command's to fill in.
func (c *cluster) write(p pair) engine.Write {
	d := p.document
	w := engine.Write{
		Kind:      kindOf(d.Identity),
		Namespace: p.key.Namespace,
		Name:      d.Name,
		Body:      d.Raw,
		MediaType: mediaType(d),
		Source:    report.Source(d.Source),
		Locator:   locator{d},
		Now:       c.now,
		Detail:    c.detail,
		Schema:    c.schema,
		Caveats:   p.caveats,
	}
	if decoded, err := jsontree.Decode(d.JSON()); err == nil && decoded != nil {
		w.Decoded = decoded
	}
	if !p.kind.Empty() {
		w.Kind = p.kind
	}
	setLive(&w, p.live)
	return w
}

func setLive(w *engine.Write, o *live.Object) {
	if o == nil {
		return
	}
	w.Live = o.JSON()
	source := report.Source(o.Source)
	w.LiveSource = &source
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
