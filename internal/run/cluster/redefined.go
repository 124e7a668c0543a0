package cluster

import (
	"context"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
)

// redefined adds to an accepted answer to the write of a definition what the change does to live
// objects of its kind. Where both definitions differ in nothing that could harm one, none is asked about.
func (a *Answering) redefined(ctx context.Context, w engine.Write, r *report.Result) {
	defines := w.Kind.GroupKind() == api.CustomResourceDefinition && w.Subresource == ""
	if !defines || a.Advice == AdviceNone || a.members == nil || r.Outcome != report.Configured || r.Deleted ||
		r.Recreated || impact.OnlyAdds(r.Live["spec"], r.Object["spec"]) || !a.concerns(*r) {
		return
	}
	found := guard.Or(
		func() []report.Finding { return a.impacts(ctx, w, *r) },
		func(error) []report.Finding { return nil },
	)
	r.Risks = append(r.Risks, found...)
}

// concerns reports whether there is a live object of the kind, or a version that goes for others as well.
func (a *Answering) concerns(r report.Result) bool {
	group, _ := fieldtree.Value(r.Object, "spec", "group").(string)
	kind, _ := fieldtree.Value(r.Object, "spec", "names", "kind").(string)
	return impact.ServesLess(r.Live["spec"], r.Object["spec"]) ||
		a.Counts.Has(schema.GroupKind{Group: group, Kind: kind})
}

func (a *Answering) impacts(ctx context.Context, w engine.Write, r report.Result) []report.Finding {
	before, was := a.defined(r.Live)
	after, is := a.defined(r.Object)
	if was == nil || is == nil {
		return nil
	}
	is.Source, is.Locator = w.Source, w.Locator
	kind := impact.Kind{GroupKind: is.Kind(), Old: was, New: is, Before: before, After: after}
	examined, err := impact.Examine(kind)
	if err != nil || impact.Harmless(examined) {
		return nil
	}
	var all impact.Effects
	members := 0
	for target, object := range a.members(kind.GroupKind) {
		if ctx.Err() != nil {
			return nil
		}
		if members++; members > mostMembers {
			all.Pass()
			continue
		}
		q, served := kind.Object(target, object, before, after)
		own := schema.FromAPIVersionAndKind(target.APIVersion, target.Kind).Version
		if !served || is.NeedsWebhook(own, q.To.Version) {
			continue
		}
		q.Now = w.Now
		if effects, err := impact.Affect(ctx, q); err == nil {
			all.Add(target, effects)
		}
	}
	found := all.Written(kind, examined)
	for i := range found {
		found[i].Target, found[i].Manager = r.Target, r.Manager
	}
	return found
}

// mostMembers is how many live objects of a changed kind are asked about: each takes a few milliseconds, and
// one answer has ten seconds.
const mostMembers = 300

// defined is the server that has nothing but a definition, and the definition as it is stored; nil for one
// that cannot be read.
func (a *Answering) defined(object map[string]any) (Simulated, *impact.Definition) {
	asJSON := inNamespace(object, "")
	stored, err := custom.StoredDefinition(asJSON)
	if err != nil {
		return nil, nil
	}
	side, err := given{crds: [][]byte{asJSON}, parameters: kinds{}}.Server(a.served.Base)
	if err != nil {
		return nil, nil
	}
	return side, &impact.Definition{Object: stored}
}

// ofKind are the live objects of a kind, decoded. The live files are read once more, as few runs change a
// definition. What is wrong with them was reported when they were read first.
func (l *liveReading) ofKind(kind schema.GroupKind) iter.Seq2[report.Target, map[string]any] {
	return func(yield func(report.Target, map[string]any) bool) {
		for d := range l.documentsAgain() {
			if input.KindOf(d.Identity).GroupKind() != kind {
				continue
			}
			object, err := jsontree.Decode(d.JSON())
			if err != nil {
				continue
			}
			target := TargetOf(d.Identity)
			target.Namespace = l.Key(d.Identity).Namespace
			if !yield(target, object) {
				return
			}
		}
	}
}

// documentsAgain are the documents of the live files, read once more; those that were held where they
// can be read once.
func (l *liveReading) documentsAgain() iter.Seq[manifest.Document] {
	return func(yield func(manifest.Document) bool) {
		files := slices.DeleteFunc(slices.Clone(l.flags.Live), input.IsStdin)
		if l.flags.Mixed || len(files) < len(l.flags.Live) {
			for o := range l.Live.All() {
				if !yield(o.Document.Replaced(o.JSON())) {
					return
				}
			}
			return
		}
		reading := l.reading
		reading.OnNotice, reading.OnRead = nil, nil
		for d, err := range manifest.Read(files, reading) {
			if err == nil && !yield(d) {
				return
			}
		}
	}
}
