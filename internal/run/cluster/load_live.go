package cluster

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// loadLive keeps the live objects that a manifest names, and those that the
// server's code looks up: of the files, or of the documents where those were read
// with the manifests. Without manifests, and of documents, it keeps all. Objects of
// kinds that nothing defines so far wait until all is read, as their definitions
// may be among the live objects. It gives what was given with what they add.
func (c *Cluster) loadLive(in *input.Flags, documents []manifest.Document, objects given, input manifest.Options) (given, error) {
	namespaces := map[string]bool{}
	keyOf := func(id manifest.Identity) live.Key {
		key := c.Scope.Key(id)
		if key.Namespace == id.Namespace || c.Scope.knows(id) {
			namespaces[key.Namespace] = true
		}
		return key
	}
	options := live.Options{Input: input, KeyOf: keyOf, Keep: c.keeps, Light: c.claimsOnly, Defer: IsDefinition, Later: c.later()}
	options.Amend = func(d manifest.Document) manifest.Document { return c.Reveal(d, in) }
	objects.learn = c.App.Learn
	if !in.HasManifests() || in.Mixed {
		options.Match = in.Selector.Matches
	}
	if in.Compact {
		options.HoldBytes = HoldBytes
	}
	compared := len(c.Manifests) > 0 && !in.Mixed
	named := map[live.Key]bool{}
	name := func() {
		for _, document := range c.Manifests {
			named[c.Scope.Key(document.Identity)] = true
		}
	}
	if compared {
		name()
		options.HoldBytes = HoldBytes
		scaled := c.Scope.scales(c.Manifests)
		options.Want = func(k live.Key) bool {
			return named[k] || c.scaling && scaled.has(k)
		}
		options.Spare = in.Spare
	}
	if len(in.Live) > 0 && !in.Mixed {
		c.absent = newAbsences(c.Manifests)
	}
	m := &misnaming{served: c.Server, scope: c.Scope, manifests: c.Manifests, meant: map[schema.GroupVersionKind]schema.GroupVersionKind{}}
	m.matters = func(id manifest.Identity) bool {
		return options.Want == nil || options.Want(c.Scope.Key(id)) || c.keeps(id)
	}
	options.Wrong = m.wrong
	options.OnUnmatched = func(id manifest.Identity, key live.Key) {
		if c.absent != nil {
			c.absent.pass(id, key)
		}
		if in.Unmatched {
			c.Unmatched = append(c.Unmatched, TargetOf(id))
		}
	}
	options.Input.OnNotice = func(n manifest.Notice) {
		if c.absent != nil && n.Incomplete != "" {
			c.absent.incomplete = append(c.absent.incomplete, n)
		}
		input.OnNotice(n)
	}
	whole := kinds{}
	options.Input.OnList = func(id manifest.Identity) {
		if kind, ok := strings.CutSuffix(id.Kind, "List"); ok {
			whole[schema.GroupKind{Group: id.Group(), Kind: kind}] = true
		}
	}
	known := len(c.Problems)
	if in.Mixed {
		c.Live = live.New(options)
		for _, d := range documents {
			c.addLive(c.Live.Add(d))
		}
	} else {
		var errs []error
		c.Live, errs = live.Load(in.Live, options)
		c.AddLives(errs)
	}
	objects.listed = c.listed(whole)
	if kept := c.Live.Kept(); len(kept)+len(objects.listed) > 0 {
		var err error
		if objects, err = c.withKept(objects, in.Live, kept, input); err != nil {
			return objects, err
		}
		for _, name := range c.presumed() {
			namespaces[name] = true
		}
		objects.namespaces = slices.Sorted(maps.Keys(namespaces))
		if c.Server, err = objects.Server(c.Base); err != nil {
			return objects, err
		}
		c.Scope.server = c.Server
		c.addUnread(objects)
		c.noteRivals(objects)
	}
	c.noteClaims(c.Live.Kept())
	c.lackKinds()
	for _, s := range c.Snapshots {
		c.Server.Runs(s.Server)
	}
	name()
	c.AddLives(c.Live.Settle(c.Scope.Key))
	c.LiveUnread = len(c.Problems) > known
	c.noteAbsences(known)
	c.addUnserved(objects)
	if len(in.Live) > 0 && compared {
		n := c.Live.Unmatched()
		c.Unnamed = &n
	}
	return objects, nil
}

// listed are the kinds whose objects are all in the live files: those that snapshots
// asked for, and those of empty Lists. A List with some may be that of
// one namespace.
func (c *Cluster) listed(whole kinds) []api.Listed {
	var out []api.Listed
	for _, s := range c.Snapshots {
		for _, f := range s.Fetched {
			if len(f.Names) == 0 {
				out = append(out, api.Listed{Kind: schema.GroupKind{Group: f.Group, Kind: f.Kind}, Namespace: f.Namespace})
			}
		}
	}
	for _, o := range c.Live.Kept() {
		delete(whole, input.KindOf(o.Identity).GroupKind())
	}
	for kind := range whole {
		if server.LooksUp(kind) {
			out = append(out, api.Listed{Kind: kind})
		}
	}
	return out
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

// later reports which live objects have to wait: those of unknown kinds that a
// manifest may name, or all of unknown kinds where there are no manifests.
func (c *Cluster) later() func(manifest.Identity) bool {
	unknown := func(id manifest.Identity) bool { return !c.Scope.server.Resource(input.KindOf(id)).Known }
	named := map[live.Key]bool{}
	anywhere := func(id manifest.Identity) live.Key {
		key := live.KeyOf(id)
		key.Namespace = ""
		return key
	}
	for _, document := range c.Manifests {
		if unknown(document.Identity) {
			named[anywhere(document.Identity)] = true
		}
	}
	all := len(c.Manifests) == 0
	return func(id manifest.Identity) bool { return (all || named[anywhere(id)]) && unknown(id) }
}
