package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server"
)

// noteNamespaces says once which namespaces are taken to exist: something would be
// created in them, which no manifest makes, and no live object is in them. With any
// Namespace that is live the server judges, and refuses.
func (c *cluster) noteNamespaces(pairs []pair) {
	if c.absent == nil || c.hasNamespaces() {
		return
	}
	known := maps.Clone(c.absent.namespaces)
	for _, d := range c.manifests {
		if isNamespace(d.Identity) {
			known[d.Name] = true
		}
	}
	presumed := map[string]bool{}
	for _, p := range pairs {
		name := p.key.Namespace
		if p.live == nil && p.err == nil && name != "" && !known[name] && !server.MakesNamespace(name) {
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
	c.notices = append(c.notices, fmt.Sprintf(text, strings.Join(slices.Sorted(maps.Keys(presumed)), ", ")))
}

// hasNamespaces reports whether any Namespace is live.
func (c *cluster) hasNamespaces() bool {
	for _, o := range c.live.Kept() {
		if isNamespace(o.Identity) {
			return true
		}
	}
	for o := range c.live.All() {
		if isNamespace(o.Identity) {
			return true
		}
	}
	return slices.ContainsFunc(c.definitions, func(d manifest.Document) bool { return isNamespace(d.Identity) })
}

func isNamespace(id manifest.Identity) bool { return id.APIVersion == "v1" && id.Kind == "Namespace" }
