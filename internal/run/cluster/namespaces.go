package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server"
)

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
