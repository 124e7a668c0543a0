package cli

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/apicall"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/live"
	"github.com/ssactl/ssactl/internal/manifest"
)

// simulate answers a write for each pair, several at once, and collects the
// report in the order of the pairs. An interrupt ends it with what is known.
func (c *cluster) simulate(ctx context.Context, pairs []pair, write func(pair) engine.Write) engine.Report {
	results := make([]engine.Result, len(pairs))
	answered := make([]bool, len(pairs))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(c.jobs, len(pairs)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pairs) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				results[i] = c.answer(ctx, pairs[i], write(pairs[i]))
				answered[i] = true
			}
		})
	}
	workers.Wait()
	return engine.NewReport(c.server.Version(), known(results, answered), c.problems)
}

// known are the results from the first on without a gap: what an interrupt
// left.
func known(results []engine.Result, answered []bool) []engine.Result {
	if i := slices.Index(answered, false); i >= 0 {
		return results[:i]
	}
	return results
}

func (c *cluster) answer(ctx context.Context, p pair, w engine.Write) engine.Result {
	if p.err != nil {
		return engine.Failure(w, p.err)
	}
	if w.Name == "" && w.Verb != apicall.Create {
		return engine.Failure(w, fmt.Errorf("the manifest has no metadata.name%s", generated(p.document.Identity)))
	}
	return engine.Simulate(ctx, c.server, w)
}

func generated(id manifest.Identity) string {
	if id.GenerateName == "" {
		return ""
	}
	return ", and generateName works only with create"
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
		Source:    engine.Source(d.Source),
		Locator:   locator{d},
		Now:       c.now,
	}
	var decoded any
	if json.Unmarshal(d.JSON(), &decoded) == nil {
		w.Decoded = decoded
	}
	setLive(&w, p.live)
	return w
}

func setLive(w *engine.Write, o *live.Object) {
	if o == nil {
		return
	}
	w.Live = o.JSON()
	source := engine.Source(o.Source)
	w.LiveSource = &source
}

// mediaType is that of a document sent as it is.
func mediaType(d manifest.Document) string {
	if d.Format == manifest.JSON {
		return apicall.JSON
	}
	return apicall.YAML
}

// locator finds fields in a document's file.
type locator struct{ document manifest.Document }

func (l locator) Line(path fieldpath.Path) (engine.Source, bool) {
	line, ok := manifest.Locate(l.document, path)
	source := engine.Source(l.document.Source)
	source.Line = line
	return source, ok
}
