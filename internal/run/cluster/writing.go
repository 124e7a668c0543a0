package cluster

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Writing makes writes of pairs.
type Writing struct {
	Now time.Time
	// Detail is what of the results is shown.
	Detail engine.Detail
	// dryRun: nothing is stored.
	dryRun bool
	schema engine.SchemaPolicy
	// kustomization is the folder whose kustomization builds the manifests; empty where
	// they are files.
	kustomization string
	digests       *Digests
	// left is what an apply of this run has left of the objects of several manifests.
	left map[live.Key]map[string]any
	// reread counts the live objects that were read again for their lines.
	reread *atomic.Int32
}

// Write makes the write of a document's body, decoded; verb, manager and the like
// are the command's to fill in.
func (w *Writing) Write(p Pair) engine.Write { return WithTree(w.undecoded(p)) }

// WithTree decodes the body of a write.
func WithTree(w engine.Write) engine.Write {
	if decoded, err := jsontree.Decode(w.JSON); err == nil && decoded != nil {
		w.Decoded = decoded
	}
	return w
}

// Apply makes the write of a manifest as an apply sends it: always as YAML, which
// JSON is too.
func (w *Writing) Apply(p Pair) engine.Write {
	write := w.undecoded(p)
	write.Verb, write.MediaType = api.Apply, ""
	write.Body = manifest.AsApplied(p.Document.Format, p.Document.Raw)
	return write
}

// Deletion is the delete of a live object by a manager.
func (w *Writing) Deletion(p Pair, manager string) engine.Write {
	write := engine.Write{
		Verb: api.Delete, Kind: input.KindOf(p.Document.Identity), Namespace: p.Key.Namespace, Name: p.Document.Name,
		PropagationPolicy: p.Propagation, Manager: manager, Now: w.Now, DryRun: w.dryRun, Detail: w.Detail, Schema: w.schema,
	}
	w.setLive(&write, p.Live)
	return write
}

// undecoded leaves it to the simulation to decode the body, if it has to.
func (w *Writing) undecoded(p Pair) engine.Write {
	d := p.Document
	write := engine.Write{
		Kind:          input.KindOf(d.Identity),
		Namespace:     p.Key.Namespace,
		Name:          d.Name,
		Body:          d.Raw,
		JSON:          d.JSON(),
		Plain:         d.Plain(),
		MediaType:     MediaType(d),
		Source:        report.Source(d.Source),
		Template:      d.Template,
		List:          d.List,
		ListHooks:     d.ListHooks,
		Kustomization: w.kustomization,
		Derived:       d.Derived,
		Locator:       Locator{d},
		Now:           w.Now,
		DryRun:        w.dryRun,
		Detail:        w.Detail,
		Schema:        w.schema,
		Caveats:       slices.Concat(p.caveats, w.digests.caveats(p.Key)),
	}
	if !p.kind.Empty() {
		write.Kind = p.kind
	}
	w.setLive(&write, p.Live)
	if left, is := w.left[p.Key]; is && p.Before != nil {
		write = write.On(left)
	}
	return write
}

func (w *Writing) setLive(write *engine.Write, o *live.Object) {
	if o == nil {
		return
	}
	write.Live = o.JSON()
	source := report.Source(o.Source)
	write.LiveSource = &source
	write.LiveLocator = newLiveLines(o.Document, w.reread)
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
	if l.Document.Source.Document == 0 {
		// The client writes it, and no file has it.
		return report.Source{}, false
	}
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

// mostReread is how many live objects of a run are read again for their lines.
const mostReread = 20

// liveLines finds the fields of a live object in its file. What is held of the object
// has no lines, so that the file is read again.
type liveLines struct {
	source   manifest.Source
	document func() (manifest.Document, bool)
}

func newLiveLines(d manifest.Document, reread *atomic.Int32) liveLines {
	source, item := d.Source, d.Item
	return liveLines{source, sync.OnceValues(func() (manifest.Document, bool) {
		// A pipe cannot be read twice.
		if info, err := os.Stat(source.File); err != nil || !info.Mode().IsRegular() || reread.Add(1) > mostReread {
			return manifest.Document{}, false
		}
		for d, err := range manifest.Read([]string{source.File},
			manifest.Options{Want: func(id manifest.Identity) bool { return id == d.Identity }}) {
			if err == nil && d.Source == source && d.Item == item {
				return d, true
			}
		}
		return manifest.Document{}, false
	})}
}

// Line implements report.Locator.
func (l liveLines) Line(path fieldpath.Path) (report.Source, bool) {
	d, ok := l.document()
	if !ok {
		return report.Source{}, false
	}
	return Locator{d}.Line(path)
}

// Text implements report.Locator.
func (l liveLines) Text(int) report.Source { return report.Source(l.source) }
