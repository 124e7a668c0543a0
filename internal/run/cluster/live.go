package cluster

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// load keeps the live objects that a manifest names, and those that the
// server's code looks up: of the files, or of the documents where those were read
// with the manifests. Without manifests, and of documents, it keeps all. Objects of
// kinds that nothing defines so far wait until all is read, as their definitions
// may be among the live objects. It gives what was given with what they add.
func (l *liveReading) load(documents []manifest.Document, objects given) (given, error) {
	l.compares = len(l.Manifests) > 0 && !l.flags.Mixed
	if l.compares {
		l.name()
	}
	if len(l.flags.Live) > 0 && !l.flags.Mixed {
		l.absent = newAbsences(slices.Concat(l.Manifests, l.formerly()))
	}
	known := len(l.Problems)
	l.read(documents)
	objects, err := l.serveAll(objects)
	if err != nil {
		return objects, err
	}
	l.name()
	l.AddLives(l.Live.Settle(l.Key))
	l.count()
	l.LiveUnread = len(l.Problems) > known
	l.noteAbsences(known)
	l.addWrong(objects.defining, unserved, func(r api.Resource) bool { return !r.Known })
	if len(l.flags.Live) > 0 && l.compares {
		n := l.Live.Unmatched()
		l.Unnamed = &n
	}
	if l.former != nil {
		l.former.namespaces, l.former.whole = l.namespaces, l.whole
	}
	return objects, nil
}

// serveAll has a server answer that knows what live objects and snapshots have.
func (l *liveReading) serveAll(objects given) (given, error) {
	objects.learn = l.learn
	objects, err := l.serveLive(objects)
	if err != nil {
		return objects, err
	}
	l.found.Claims, l.found.enforced, l.found.roles = l.claims(), l.enforced(), l.roles()
	l.found.others, l.found.named, l.found.members = sync.OnceValue(l.others), l.named, l.ofKind
	for _, s := range l.Snapshots {
		for _, k := range s.NotServed {
			l.Server.LackKind(schema.GroupKind{Group: k.Group, Kind: k.Kind})
		}
		l.Server.Runs(s.Server)
	}
	return objects, nil
}

// liveReading is the reading of the live objects.
type liveReading struct {
	*World
	digests *Digests
	learn   func(of manifest.Identity, asJSON []byte)
	reading manifest.Options
	// found is what answers go by.
	found found
	// compares: the live objects are compared with manifests.
	compares bool
	// named are the objects that manifests name.
	named map[live.Key]bool
	// namespaces are those of live objects, whole those kinds whose Lists were complete.
	namespaces map[string]bool
	whole      kinds
}

// newLiveReading has nothing read yet. The texts of definitions that are read late are
// learned; digests has the values of Secrets.
func newLiveReading(
	w *World, learn func(of manifest.Identity, asJSON []byte), digests *Digests, options manifest.Options,
) *liveReading {
	return &liveReading{
		World: w, digests: digests, learn: learn, reading: options, found: found{Counts: risk.Counts{}},
		named: map[live.Key]bool{}, namespaces: map[string]bool{}, whole: kinds{},
	}
}

// name notes the objects that manifests name, as far as it is known where those are.
func (l *liveReading) name() {
	for _, document := range l.Manifests {
		l.named[l.Key(document.Identity)] = true
	}
}

func (l *liveReading) read(documents []manifest.Document) {
	options := l.options()
	if !l.flags.Mixed {
		var errs []error
		l.Live, errs = live.Load(l.flags.Live, options)
		l.AddLives(errs)
		return
	}
	l.Live = live.New(options)
	for _, d := range documents {
		l.AddLives([]error{l.Live.Add(d)})
	}
}

// options say which of the live objects are kept, and how.
func (l *liveReading) options() live.Options {
	in := l.flags
	options := live.Options{
		Input: l.reading, Once: in.Writes, Keep: l.keeps, Defer: IsDefinition, Later: l.later(),
		Amend: func(d manifest.Document) manifest.Document { return l.digests.Reveal(d, in) },
		KeyOf: func(id manifest.Identity) live.Key {
			key := l.Key(id)
			if key.Namespace == id.Namespace || l.knows(id) {
				l.namespaces[key.Namespace] = true
			}
			return key
		},
		// Some are kept for nothing but what they have written to others.
		Light: func(id manifest.Identity) bool {
			kind := input.KindOf(id).GroupKind()
			return (writers.IsClaimant(kind) || kind == writers.ClusterRoles) && !isGiven(id) && !l.parameters[kind]
		},
		OnUnmatched: l.passUnmatched,
	}
	options.Input.OnNotice, options.Input.OnList = l.takeNotice, l.takeList
	if !in.HasManifests() || in.Mixed {
		options.Match = in.Selector.Matches
	}
	if in.Compact || l.compares {
		options.HoldBytes = HoldBytes
	}
	if l.compares {
		options.Want, options.Spare = l.wants(), l.spare()
	}
	options.Wrong = l.misnamed(func(id manifest.Identity) bool {
		return options.Want == nil || options.Want(l.Key(id)) || l.keeps(id)
	})
	return options
}

// wants reports which live objects manifests name. Scales name objects by namespace and name
// alone.
func (l *liveReading) wants() func(live.Key) bool {
	scaled := map[[2]string]bool{}
	for _, d := range l.Manifests {
		if l.flags.Scaling && isScale(d.Identity) {
			scaled[[2]string{l.scaleNamespace(d.Identity), d.Name}] = true
		}
	}
	return func(k live.Key) bool { return l.named[k] || scaled[[2]string{k.Namespace, k.Name}] }
}

// passUnmatched counts an object that is neither wanted nor kept.
func (l *liveReading) passUnmatched(id manifest.Identity, key live.Key) {
	l.found.Counts.Add(groupKind(key), key.Namespace)
	if l.absent != nil {
		l.absent.pass(id, key)
	}
	if l.flags.Unmatched {
		l.Unmatched = append(l.Unmatched, TargetOf(id))
	}
}

// takeNotice notes what of the input is not complete, and passes the notice on.
func (l *liveReading) takeNotice(n manifest.Notice) {
	if l.absent != nil && n.Incomplete != "" {
		l.absent.incomplete = append(l.absent.incomplete, n)
	}
	l.reading.OnNotice(n)
}

// takeList notes a List that has all objects of a kind.
func (l *liveReading) takeList(id manifest.Identity) {
	if kind, ok := strings.CutSuffix(id.Kind, "List"); ok {
		l.whole[schema.GroupKind{Group: id.Group(), Kind: kind}] = true
	}
}

// misnamed gives the errors of live objects whose group or kind is not written as any API
// server does, and that may be what a manifest means: passed over, the object would count as
// absent. It is nil for all others, and for those that nobody asks about.
func (l *liveReading) misnamed(matters func(manifest.Identity) bool) func(manifest.Identity) error {
	found, all := map[schema.GroupVersionKind]schema.GroupVersionKind{}, l.allKinds()
	return func(id manifest.Identity) error {
		kind := input.KindOf(id)
		meant, asked := found[kind]
		if !asked {
			meant = l.meantBy(kind, all)
			found[kind] = meant
		}
		if meant.Empty() {
			return nil
		}
		if meant == kind {
			return fmt.Errorf(
				"is a %s, and no object: give objects, as kubectl get -o yaml --show-managed-fields writes them",
				kind.Kind,
			)
		}
		as := id
		if as.APIVersion, as.Kind = meant.GroupVersion().String(), meant.Kind; !matters(as) {
			return nil
		}
		return fmt.Errorf(
			"has apiVersion %q and kind %q, which the API server does not have: did you mean apiVersion %s and kind %s?",
			id.APIVersion, id.Kind, as.APIVersion, as.Kind,
		)
	}
}

// allKinds gives the kinds that are served, and those of manifests, which the server may not
// know. They are found once for a server: all definitions are decoded for it.
func (l *liveReading) allKinds() func() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	var of Simulated
	return func() []schema.GroupVersionKind {
		if of != l.Server {
			of, all = l.Server, l.Server.Kinds()
			for _, d := range l.Manifests {
				all = append(all, input.KindOf(d.Identity))
			}
		}
		return all
	}
}

// meantBy is the kind of all that is meant by one that is not served: itself where it is none
// of objects, empty for none. Groups without a dot are the server's own.
func (l *liveReading) meantBy(
	kind schema.GroupVersionKind, all func() []schema.GroupVersionKind,
) (meant schema.GroupVersionKind) {
	if kind.Group == "meta.k8s.io" || kind.Group == "" && kind.Kind == "List" {
		return kind
	}
	if l.Server.Resource(kind).Known {
		return schema.GroupVersionKind{}
	}
	group, name := strings.TrimSpace(kind.Group), strings.TrimSpace(kind.Kind)
	for _, k := range all() {
		switch {
		case k.GroupKind() == kind.GroupKind():
			return schema.GroupVersionKind{}
		case !strings.EqualFold(name, k.Kind) && !strings.EqualFold(name, l.Server.Resource(k).Resource):
		case strings.EqualFold(k.Group, group):
			return schema.GroupVersionKind{Group: k.Group, Version: kind.Version, Kind: k.Kind}
		case !strings.Contains(group, "."):
			meant = k
		}
	}
	return meant
}

// later reports which live objects have to wait: those of unknown kinds that a
// manifest may name, or all of unknown kinds where there are no manifests.
func (l *liveReading) later() func(manifest.Identity) bool {
	named := map[live.Key]bool{}
	anywhere := func(id manifest.Identity) live.Key {
		key := live.KeyOf(id)
		key.Namespace = ""
		return key
	}
	for _, document := range slices.Concat(l.Manifests, l.formerly()) {
		if !l.knows(document.Identity) {
			named[anywhere(document.Identity)] = true
		}
	}
	all := len(l.Manifests) == 0
	return func(id manifest.Identity) bool { return (all || named[anywhere(id)]) && !l.knows(id) }
}

// count counts the live objects that a manifest names, or that were kept.
func (l *liveReading) count() {
	for o := range l.Live.All() {
		l.found.Counts.Add(groupKind(o.Key), o.Key.Namespace)
	}
	for _, o := range l.Live.Kept() {
		if wanted, _ := l.Live.Get(o.Key); wanted == nil {
			l.found.Counts.Add(groupKind(o.Key), o.Key.Namespace)
		}
	}
}

// Deletes notes that a run deletes a live object, so that it is not one that the manifests
// leave alone.
func (w *World) Deletes(p Pair) {
	if w.Unnamed == nil || *w.Unnamed == 0 || p.Live == nil || w.keeps(p.Live.Identity) {
		return
	}
	n := *w.Unnamed - 1
	w.Unnamed = &n
	w.Unmatched = slices.DeleteFunc(w.Unmatched, func(t report.Target) bool { return t == TargetOf(p.Live.Identity) })
}

// noteAbsences says what is known of the live objects that are not there; the
// problems from the given one on are those of live inputs.
func (l *liveReading) noteAbsences(first int) {
	if l.absent == nil {
		return
	}
	// A masked object is known, and has an answer of its own.
	for n := first; n < len(l.Problems) && l.absent.unread == nil; n++ {
		if _, known := l.masked[n]; !known {
			l.absent.unread = &l.Problems[n]
		}
	}
	for o := range l.Live.All() {
		l.absent.see(l.Key(o.Identity))
	}
	for _, o := range l.Live.Kept() {
		l.absent.see(l.Key(o.Identity))
	}
}

// presumed are the namespaces that may exist: those that a snapshot could not fetch, and
// those of manifests that it was not taken for, or, without one, those of all manifests where
// the inputs do not claim to have all Namespaces and the manifests bring none of that name.
func (l *liveReading) presumed() []string {
	var names []string
	for _, s := range l.Snapshots {
		for _, m := range s.Missing {
			if m.Group == "" && m.Kind == "Namespace" {
				names = append(names, m.Names...)
			}
		}
	}
	comes := map[string]bool{}
	for _, d := range l.Manifests {
		comes[d.Name] = comes[d.Name] || isNamespace(d.Identity)
	}
	for _, d := range l.Manifests {
		key := l.Key(d.Identity)
		unseen := len(l.Snapshots) > 0 && !l.Snapshots.covered(key) ||
			len(l.Snapshots) == 0 && !l.allNamespaces && !comes[key.Namespace]
		if key.Namespace != "" && unseen {
			names = append(names, key.Namespace)
		}
	}
	return names
}

// lookedFor says where live objects are looked for; empty without live files.
func lookedFor(in *input.Flags) string {
	files := in.Live
	if in.Mixed {
		files = in.Filenames
	}
	switch len(files) {
	case 0:
		return ""
	case 1:
		return "in " + words.FileOrStdin(files[0])
	}
	return "in the live files"
}

// TargetOf is the object of a document.
func TargetOf(id manifest.Identity) report.Target {
	return report.Target{APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}

// TargetOfLive is a live object in the namespace that it is taken to be in.
func TargetOfLive(o *live.Object) report.Target {
	target := TargetOf(o.Identity)
	target.Namespace = o.Key.Namespace
	return target
}
