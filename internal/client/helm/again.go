package helm

import (
	"maps"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
)

// afterwards is the next upgrade once a write has succeeded: the revision that is deployed
// then has the manifest that was sent.
func (h *helm) afterwards(w engine.Write) *client.Client {
	next, c := *h, *h.Client
	next.Client, next.adopts = &c, false
	deployed := release{Name: h.Release, Namespace: h.Namespace}
	if h.deployed != nil {
		deployed = *h.deployed
	}
	// That it is not empty says that it is known; old has the objects.
	deployed.Manifest, deployed.ApplyMethod = "deployed", "csa"
	if h.serverSide {
		deployed.ApplyMethod = "ssa"
	}
	next.deployed, next.last = &deployed, &deployed
	next.old, next.absent = maps.Clone(h.old), map[client.Key]bool{}
	if manifest := client.Manifest(w); manifest != nil {
		next.old[client.KeyOf(w)] = manifest
	}
	c.Behave(client.Behavior{Send: next.apply, Hook: next.event, Owns: next.keeps})
	c.Applied = func(key client.Key) map[string]any { return next.old[key] }
	return &c
}
