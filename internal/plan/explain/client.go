package explain

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Client is a program that applies manifests, and has settings of its own for what it
// applies.
type Client string

// The clients.
const (
	ArgoCD    Client = "ArgoCD"
	Flux      Client = "Flux"
	Helm      Client = "Helm"
	Terraform Client = "Terraform"
	Pulumi    Client = "Pulumi"
	Kubectl   Client = "Kubectl"
)

// ClientOf is the client that applies as a field manager; empty for one that is not
// known.
func ClientOf(manager string) Client {
	return ManagerKindOf(report.Writer{Manager: manager, Operation: managedfields.Apply}, "").Client
}

// by is a kind of writer that is a client.
func by(c Client, k ManagerKind) ManagerKind {
	k.Client = c
	return k
}
