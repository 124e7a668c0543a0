package cluster

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
)

// isScale reports whether a document is a Scale, which is what the scale subresource
// takes and answers with. It names the object, and not its kind.
func isScale(id manifest.Identity) bool {
	return id.Group() == "autoscaling" && id.Version() == "v1" && id.Kind == "Scale"
}

// scales are the objects that Scales are for, by namespace and name; nil where no
// document is one.
type scales map[[2]string]bool

func (s *scope) scales(documents []manifest.Document) scales {
	out := scales{}
	for _, d := range documents {
		if isScale(d.Identity) {
			out[[2]string{s.scaleNamespace(d.Identity), d.Name}] = true
		}
	}
	return out
}

// scaleNamespace is the namespace of a Scale's object: all kinds that scale have one.
func (s *scope) scaleNamespace(id manifest.Identity) string {
	switch {
	case id.Namespace != "":
		return id.Namespace
	case s.namespace != "":
		return s.namespace
	}
	return "default"
}

func (s scales) has(k live.Key) bool { return s[[2]string{k.Namespace, k.Name}] }

// scalePair is a Scale with the live object that it is for: the only one of its
// name that has a scale subresource.
func (c *Cluster) scalePair(document manifest.Document) Pair {
	key := live.Key{Group: document.Group(), Kind: document.Kind, Namespace: c.Scope.scaleNamespace(document.Identity), Name: document.Name}
	p := Pair{Document: document, Key: key}
	var kinds []string
	for _, o := range c.Live.Objects() {
		if o.Key.Namespace != key.Namespace || o.Key.Name != key.Name || !c.canScale(o) {
			continue
		}
		kinds = append(kinds, o.Key.String())
		p.Live, p.Key, p.kind = o, o.Key, input.KindOf(o.Identity)
	}
	switch {
	case len(kinds) == 0:
		p.Err = fmt.Errorf("no live object %s/%s has a scale subresource: a Scale does not name the kind of its object, so give the object with --live", key.Namespace, key.Name)
	case len(kinds) > 1:
		p.Live, p.Err = nil, fmt.Errorf("a Scale does not name the kind of its object, and the live files have %s: give only one of them", strings.Join(kinds, " and "))
	default:
		p.Live, p.Err = c.Live.Get(p.Key)
	}
	return p
}

func (c *Cluster) canScale(o *live.Object) bool {
	for _, subresource := range c.Server.Resource(input.KindOf(o.Identity)).Subresources {
		if subresource == "scale" {
			return true
		}
	}
	return false
}
