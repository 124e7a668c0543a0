// Package kubectl is the client kubectl apply. What it sends for one object is in package client, since
// Argo CD runs the same code; what it prunes is here.
package kubectl

import (
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// New is kubectl apply, of a version or the newest for an empty one. The error is that of an option that
// kubectl refuses.
func New(version string, s client.Settings) (*client.Client, error) {
	c := client.Of(about.Kubectl, version, s)
	c.Force = s.ForceConflicts
	b := client.Behavior{
		Send:   (*client.Sequence).KubectlApply,
		Doubts: func(w engine.Write) []report.Caveat { return ofApplySet(s.ApplySet, w) },
	}
	if s.ServerSide == "false" {
		c.Manager, c.ClientSide = client.ClientSideManager, true
		b.Send = func(r *client.Sequence, w engine.Write) { r.ClientSideApply(w) }
	}
	var err error
	if s.Prune && s.ApplySet == "" {
		err = prune(c, &b, s)
	}
	c.Behave(b)
	return c, err
}
