package cluster

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/run/input"
)

// former are the manifests before the change that is asked about.
type former struct {
	documents []manifest.Document
	// namespaces and whole are those of the live objects: see liveReading.
	namespaces map[string]bool
	whole      kinds
}

// readFormer reads the manifests before the change, where they are asked for. What of them
// cannot be read is a problem of the run: without it, everything would be the change's.
func (w *World) readFormer(ctx context.Context, options manifest.Options) error {
	if !w.flags.Base.Given() {
		return nil
	}
	options.OnNotice, options.OnFile, options.OnRead = func(manifest.Notice) {}, nil, nil
	documents, problems, err := w.flags.ReadBase(ctx, options)
	if err != nil {
		return err
	}
	documents = slices.DeleteFunc(w.found(documents, problems), func(d manifest.Document) bool {
		return !w.flags.Selector.Matches(d)
	})
	if about := w.flags.About; about != nil {
		for i := range documents {
			documents[i].Identity = about(documents[i].Identity)
		}
	}
	w.former = &former{documents: documents}
	return nil
}

// formerly are the manifests before the change; nil for none.
func (i *Inputs) formerly() []manifest.Document {
	if i.former == nil {
		return nil
	}
	return i.former.documents
}

// formerText are the manifests before the change as one file; empty for none.
func (i *Inputs) formerText() string {
	var out strings.Builder
	for _, d := range i.formerly() {
		out.WriteString("---\n")
		out.Write(d.JSON())
		out.WriteString("\n")
	}
	return out.String()
}

// spare reports which live objects are held that no manifest names: those that the run asks
// for, and those that the manifests before the change name; nil for none.
func (l *liveReading) spare() func(manifest.Identity) bool {
	if l.former == nil {
		return l.flags.Spare
	}
	named := map[live.Key]bool{}
	for _, d := range l.formerly() {
		named[l.Key(d.Identity)] = true
	}
	return func(id manifest.Identity) bool {
		return l.flags.Spare != nil && l.flags.Spare(id) || named[l.Key(id)]
	}
}

// Former is the same cluster with the manifests before the change: the live objects, the
// definitions and the flags are the same ones. It is nil where none are asked for. What it
// notes is no part of the run.
func (c *Cluster) Former(ctx context.Context) (*Cluster, error) {
	if c.former == nil {
		return nil, nil
	}
	beside := *c.App
	beside.Settings, beside.Bar = nil, nil
	f := c.made.cluster(&beside)
	f.Manifests, f.Definitions, f.Snapshots, f.masked = c.former.documents, c.Definitions, c.Snapshots, c.masked
	f.LiveUnread, f.former = c.LiveUnread, &former{documents: c.former.documents}
	f.Digests.seal = c.Digests.seal
	objects, err := f.serveManifests(nil)
	if err != nil {
		return nil, err
	}
	l := newLiveReading(&f.World, beside.Learn, &f.Digests, Reading(ctx, &beside, f.flags, &f.Inputs))
	l.compares, l.namespaces, l.whole = true, maps.Clone(c.former.namespaces), maps.Clone(c.former.whole)
	l.name()
	f.Live, f.absent = c.Live.For(func(key live.Key) bool { return l.named[key] }), c.absent.of(l.named, c.Live)
	if objects, err = l.serveAll(objects); err != nil {
		return nil, err
	}
	f.Answering.found = l.found
	f.Counts = c.Counts
	f.bringTogether(ctx, objects.planned)
	return f, nil
}

// of are the absences for manifests that name other objects of the same index; nil of none.
func (a *absences) of(named map[live.Key]bool, x *live.Index) *absences {
	if a == nil {
		return nil
	}
	out := *a
	out.others = map[schema.GroupKind][]live.Key{}
	for kind, keys := range a.others {
		out.others[kind] = slices.DeleteFunc(slices.Clone(keys), func(k live.Key) bool { return named[k] })
	}
	out.unplaced = maps.Clone(a.unplaced)
	for o := range x.All() {
		if kind := groupKind(o.Key); !named[o.Key] {
			out.others[kind] = append(out.others[kind], o.Key)
			if o.Namespace == "" {
				out.unplaced[o.Key] = true
			}
		}
	}
	return &out
}

// SameContext reports whether the manifests before the change bring the same as those of the
// run of what answers for other manifests depend on: then the same manifest has the same
// answer. A client that plans looks at all of them.
func (c *Cluster) SameContext(f *Cluster) bool {
	if c.Client != nil && (c.Client.Plans() || f.Client == nil) {
		return false
	}
	return slices.EqualFunc(c.deciding(), f.deciding(), sameText)
}

// Twins are the manifests, by their numbers, that the other side has too: written the same, for
// the same object.
func Twins(pairs, others []Pair) (numbers, otherNumbers map[int]bool) {
	at := map[live.Key]Pair{}
	for _, p := range others {
		at[p.Key] = p
	}
	numbers, otherNumbers = map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		if o, is := at[p.Key]; is && p.Number >= 0 && p.Key.Name != "" && sameText(p.Document, o.Document) {
			numbers[p.Number], otherNumbers[o.Number] = true, true
		}
	}
	return numbers, otherNumbers
}

// deciding are the manifests that answers for others depend on, in their order.
func (w *World) deciding() []manifest.Document {
	var out []manifest.Document
	seen := map[live.Key]bool{}
	for _, d := range w.Manifests {
		key := w.Key(d.Identity)
		if seen[key] || isGiven(d.Identity) || w.parameters[groupKind(key)] || input.IsSetting(d.Identity) ||
			writers.IsClaimant(groupKind(key)) {
			out = append(out, d)
		}
		seen[key] = true
	}
	return out
}

// sameText reports whether two documents are written the same.
func sameText(a, b manifest.Document) bool {
	return a.Identity == b.Identity && a.Format == b.Format && a.Template == b.Template &&
		bytes.Equal(a.Raw, b.Raw)
}
