package cli

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/server"
)

// loadLive keeps the live objects that a manifest names, and those that the
// server's code looks up: of the files, or of the documents where those were read
// with the manifests. Without manifests, and of documents, it keeps all. Objects of
// kinds that nothing defines so far wait until all is read, as their definitions
// may be among the live objects. It gives what was given with what they add.
func (c *cluster) loadLive(in *inputFlags, documents []manifest.Document, objects given, input manifest.Options) (given, error) {
	namespaces := map[string]bool{}
	keyOf := func(id manifest.Identity) live.Key {
		key := c.scope.key(id)
		if key.Namespace == id.Namespace || c.scope.knows(id) {
			namespaces[key.Namespace] = true
		}
		return key
	}
	options := live.Options{Input: input, KeyOf: keyOf, Keep: c.keeps, Light: c.claimsOnly, Defer: isDefinition, Later: c.later()}
	options.Amend = func(d manifest.Document) manifest.Document { return c.reveal(d, in) }
	objects.learn = c.app.learn
	if !in.hasManifests() || in.mixed {
		options.Match = in.selector.matches
	}
	if in.compact {
		options.HoldBytes = holdBytes
	}
	compared := len(c.manifests) > 0 && !in.mixed
	named := map[live.Key]bool{}
	name := func() {
		for _, document := range c.manifests {
			named[c.scope.key(document.Identity)] = true
		}
	}
	if compared {
		name()
		options.HoldBytes = holdBytes
		scaled := c.scope.scales(c.manifests)
		options.Want = func(k live.Key) bool {
			return named[k] || c.scaling && scaled.has(k)
		}
		options.Spare = in.spare
	}
	if len(in.live) > 0 && !in.mixed {
		c.absent = newAbsences(c.manifests)
	}
	m := &misnaming{served: c.server, scope: c.scope, manifests: c.manifests, meant: map[schema.GroupVersionKind]schema.GroupVersionKind{}}
	m.matters = func(id manifest.Identity) bool {
		return options.Want == nil || options.Want(c.scope.key(id)) || c.keeps(id)
	}
	options.Wrong = m.wrong
	options.OnUnmatched = func(id manifest.Identity, key live.Key) {
		if c.absent != nil {
			c.absent.pass(id, key)
		}
		if in.unmatched {
			c.unmatched = append(c.unmatched, targetOf(id))
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
	known := len(c.problems)
	if in.mixed {
		c.live = live.New(options)
		for _, d := range documents {
			c.addLive(c.live.Add(d))
		}
	} else {
		var errs []error
		c.live, errs = live.Load(in.live, options)
		c.addLives(errs)
	}
	objects.listed = c.listed(whole)
	if kept := c.live.Kept(); len(kept)+len(objects.listed) > 0 {
		var err error
		if objects, err = c.withKept(objects, in.live, kept, input); err != nil {
			return objects, err
		}
		for _, name := range c.presumed() {
			namespaces[name] = true
		}
		objects.namespaces = slices.Sorted(maps.Keys(namespaces))
		if c.server, err = objects.server(c.base); err != nil {
			return objects, err
		}
		c.scope.server = c.server
		c.addUnread(objects)
		c.noteRivals(objects)
	}
	c.noteClaims(c.live.Kept())
	c.lackKinds()
	for _, s := range c.snapshots {
		c.server.Runs(s.Server)
	}
	name()
	c.addLives(c.live.Settle(c.scope.key))
	c.liveUnread = len(c.problems) > known
	c.noteAbsences(known)
	c.addUnserved(objects)
	if len(in.live) > 0 && compared {
		n := c.live.Unmatched()
		c.unnamed = &n
	}
	return objects, nil
}

// listed are the kinds whose objects are all in the live files: those that snapshots
// asked for, and those of empty Lists. A List with some may be that of
// one namespace.
func (c *cluster) listed(whole kinds) []server.Listed {
	var out []server.Listed
	for _, s := range c.snapshots {
		for _, f := range s.Fetched {
			if len(f.Names) == 0 {
				out = append(out, server.Listed{Kind: schema.GroupKind{Group: f.Group, Kind: f.Kind}, Namespace: f.Namespace})
			}
		}
	}
	for _, o := range c.live.Kept() {
		delete(whole, kindOf(o.Identity).GroupKind())
	}
	for kind := range whole {
		if server.LooksUp(kind) {
			out = append(out, server.Listed{Kind: kind})
		}
	}
	return out
}

// lookedFor says where live objects are looked for; empty without live files.
func lookedFor(in *inputFlags) string {
	files := in.live
	if in.mixed {
		files = in.filenames
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
func (c *cluster) later() func(manifest.Identity) bool {
	unknown := func(id manifest.Identity) bool { return !c.scope.server.Resource(kindOf(id)).Known }
	named := map[live.Key]bool{}
	anywhere := func(id manifest.Identity) live.Key {
		key := live.KeyOf(id)
		key.Namespace = ""
		return key
	}
	for _, document := range c.manifests {
		if unknown(document.Identity) {
			named[anywhere(document.Identity)] = true
		}
	}
	all := len(c.manifests) == 0
	return func(id manifest.Identity) bool { return (all || named[anywhere(id)]) && unknown(id) }
}
