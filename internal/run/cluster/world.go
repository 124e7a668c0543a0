package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/input"
)

// World is what is known of a cluster: what was read, the kinds that its server serves, the
// namespaces that documents are of, and its live objects.
type World struct {
	Inputs
	Served
	*Scope
	// flags say what is read and asked.
	flags *input.Flags
	// dryRun: nothing is stored.
	dryRun bool
	// kinds are those of the manifests; parameters are those that admission policies take.
	kinds, parameters kinds
	// aggregates: a manifest is a ClusterRole that is made of others.
	aggregates bool
	Live       *live.Index
	// LiveUnread says that not all live objects could be read.
	LiveUnread bool
	// absent says what it may mean that a manifest has no live object; nil where no live
	// files were given, or what is live is asked about.
	absent *absences
	// allNamespaces: the live files claim to have all Namespaces.
	allNamespaces bool
	// Unnamed counts the live objects that no manifest names; nil where there is nothing
	// to compare. Unmatched are these objects, where they were asked for.
	Unnamed   *int
	Unmatched []report.Target
	// reread counts the live objects that were read again for their lines.
	reread atomic.Int32
}

// readManifests reads the manifests and the definitions, and gives the documents of -f that
// are live objects. What the manifests derive from Secrets is masked.
func (w *World) readManifests(
	ctx context.Context, options manifest.Options, secrets *redact.Masker,
) ([]manifest.Document, error) {
	manifests, lives := w.readPrepared(ctx, w.flags, options, w.Base.Prepare)
	var err error
	if w.Manifests, err = w.flags.Selector.Among(manifests); err != nil {
		return nil, err
	}
	w.holdDerived(secrets)
	if about := w.flags.About; about != nil {
		for i := range w.Manifests {
			w.Manifests[i].Identity = about(w.Manifests[i].Identity)
		}
	}
	for _, paths := range w.flags.Extra {
		w.Extra = append(w.Extra, w.Documents(paths, options))
	}
	w.Definitions = w.Documents(w.flags.Crds, options)
	if ctx.Err() != nil {
		return nil, &Interrupted{fmt.Sprintf("the manifests were read, %d so far; nothing was answered", len(w.Manifests))}
	}
	w.CheckDefinitions(w.Definitions)
	return lives, nil
}

// holdDerived has the fields masked that a kustomization made from values of Secrets.
func (w *World) holdDerived(secrets *redact.Masker) {
	for _, d := range w.Manifests {
		if fields := engine.Hidden(d.Derived, nil); len(fields) > 0 {
			for _, namespace := range []string{d.Namespace, cmp.Or(d.Namespace, w.namespace, "default")} {
				secrets.Hold(d.APIVersion, d.Kind, namespace, d.Name, fields)
			}
		}
	}
}

// serveManifests makes the server that knows what manifests and definitions say, which is
// what it gives; lives are the documents of -f that are live.
func (w *World) serveManifests(lives []manifest.Document) (given, error) {
	manifests := w.Manifests
	if w.dryRun {
		manifests = nil
	}
	objects := NewGiven(w.Definitions, manifests)
	maps.Copy(objects.parameters, parametersOf(lives))
	if slices.ContainsFunc(w.Manifests, asksNodePort) {
		objects.parameters[services] = true
	}
	w.parameters = objects.parameters
	objects.lookedFor = lookedFor(w.flags)
	if !w.flags.Mixed {
		w.kinds = KindsOf(w.Manifests)
		w.aggregates = slices.ContainsFunc(w.Manifests, isAggregated)
	}
	return objects, w.serve(objects)
}

// serve has a server answer that knows what is given.
func (w *World) serve(objects given) (err error) {
	if w.Server, err = objects.Server(w.Base); err == nil {
		w.Scope.served = w.Server
	}
	return err
}
