package cluster

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

// Matches reports whether an object is meant: by its kind, or by its resource in the
// plural, the singular or short.
func Matches(n input.ObjectName, c *Cluster, o manifest.Identity) bool {
	if n.Name != "" && n.Name != o.Name || !n.InGroup(o.Group()) {
		return false
	}
	resource := c.Server.Resource(input.KindOf(o))
	return strings.EqualFold(n.Kind, o.Kind) || strings.EqualFold(n.Kind, resource.Resource) ||
		slices.ContainsFunc(resource.Names, func(name string) bool { return strings.EqualFold(n.Kind, name) })
}

// Named gives the live objects that a run is about, in their order: those that
// the arguments name, else all; and of them those of --namespace, where it is
// given. As with kubectl, it is ignored for an object without a namespace
// that an argument names. Where none is left, or none has a name, the error says
// so; but not where there is a problem that may be why.
func (c *Cluster) Named(wanted []input.ObjectName) ([]*live.Object, error) {
	var out []*live.Object
	all := c.Live.Objects()
	found := make([]bool, len(wanted))
	for _, o := range all {
		switch {
		case !c.InNamespace(o.Key, wanted):
		case len(wanted) == 0 || markMatches(c, wanted, found, o.Identity):
			out = append(out, o)
		}
	}
	for i, n := range wanted {
		if !found[i] {
			return nil, fmt.Errorf("the live files have no %s%s%s", n, c.OfNamespace(), c.instead(n, all))
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(all) > 0:
		return nil, fmt.Errorf("the live files have no object%s; %s", c.OfNamespace(), namespacesOf(all))
	case len(c.Problems) == 0:
		return nil, errors.New("the inputs have no live objects")
	}
	return nil, nil
}

// InNamespace reports whether an object is in the namespace of the command line; of those that are named, also one without a namespace is.
func (c *Cluster) InNamespace(k live.Key, wanted []input.ObjectName) bool {
	return c.Scope.namespace == "" || k.Namespace == c.Scope.namespace || k.Namespace == "" && len(wanted) > 0
}

// OfNamespace is --namespace in the words of a message; empty without it.
func (c *Cluster) OfNamespace() string {
	if c.Scope.namespace == "" {
		return ""
	}
	return fmt.Sprintf(" in the namespace %q", c.Scope.namespace)
}

func markMatches(c *Cluster, wanted []input.ObjectName, found []bool, o manifest.Identity) bool {
	any := false
	for i, n := range wanted {
		if Matches(n, c, o) {
			found[i], any = true, true
		}
	}
	return any
}

// want has the manifests asked about that the arguments name. Each of them names one, or
// a manifest that could not be read may be the one.
func (c *Cluster) want(names []input.ObjectName) error {
	for _, n := range names {
		one := []input.ObjectName{n}
		if len(c.Problems) == 0 && !slices.ContainsFunc(c.Manifests, func(d manifest.Document) bool {
			return c.InNamespace(c.Scope.Key(d.Identity), one) && Matches(n, c, d.Identity)
		}) {
			return fmt.Errorf("the manifests have no %s%s", n, c.OfNamespace())
		}
	}
	c.wanted = names
	return nil
}

// NoteNamespaces says once which namespaces are taken to exist: something would be
// created in them, which no manifest makes, and no live object is in them. With any
// Namespace that is live the server judges, and refuses.
func (c *Cluster) NoteNamespaces(pairs []Pair) {
	if c.absent == nil || c.hasNamespaces() {
		return
	}
	known := maps.Clone(c.absent.namespaces)
	for _, d := range c.Manifests {
		if isNamespace(d.Identity) {
			known[d.Name] = true
		}
	}
	presumed := map[string]bool{}
	for _, p := range pairs {
		name := p.Key.Namespace
		if p.Live == nil && p.Err == nil && name != "" && !known[name] && !server.MakesNamespace(name) {
			presumed[name] = true
		}
	}
	if len(presumed) == 0 {
		return
	}
	text := "namespace %s is taken to exist: no Namespace is given, and no live object in it"
	if len(presumed) > 1 {
		text = "namespaces %s are taken to exist: no Namespace is given, and no live object in them"
	}
	c.Notices = append(c.Notices, fmt.Sprintf(text, strings.Join(slices.Sorted(maps.Keys(presumed)), ", ")))
}

// hasNamespaces reports whether any Namespace is live.
func (c *Cluster) hasNamespaces() bool {
	for _, o := range c.Live.Kept() {
		if isNamespace(o.Identity) {
			return true
		}
	}
	for o := range c.Live.All() {
		if isNamespace(o.Identity) {
			return true
		}
	}
	return slices.ContainsFunc(c.Definitions, func(d manifest.Document) bool { return isNamespace(d.Identity) })
}

func isNamespace(id manifest.Identity) bool { return id.APIVersion == "v1" && id.Kind == "Namespace" }

// TargetOfLive is a live object in the namespace that it is taken to be in.
func TargetOfLive(o *live.Object) report.Target {
	return report.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Key.Namespace, Name: o.Name}
}

// Shape is that of the object's merge type. It is zero for an unknown kind, whose
// entries show how its lists are split.
func (c *Cluster) Shape(o *live.Object) managedfields.Shape {
	t := c.Server.Types(input.KindOf(o.Identity))
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

// Targets gives the pairs of a write without a manifest.
func (c *Cluster) Targets(wanted []input.ObjectName) ([]Pair, error) {
	if len(c.Manifests) > 0 {
		return c.Pairs(), nil
	}
	objects, err := c.Named(wanted)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for _, o := range objects {
		p := Pair{Document: o.Document, Key: o.Key}
		p.Live, p.Err = c.Live.Get(o.Key)
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// FirstError is the first of two errors.
func FirstError(first, next error) error {
	if first != nil {
		return first
	}
	return next
}
