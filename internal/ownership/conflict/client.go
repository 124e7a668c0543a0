package conflict

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// ClientOf is the client that applies as a field manager; empty for one that is not
// known.
func ClientOf(manager string) report.Client {
	return ManagerKindOf(report.Writer{Manager: manager, Operation: managedfields.Apply}, "").Client
}

// by is a kind of writer that is a client.
func by(c report.Client, k ManagerKind) ManagerKind {
	k.Client = c
	return k
}
