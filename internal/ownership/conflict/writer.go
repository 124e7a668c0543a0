package conflict

import (
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

type (
	// WriterKind is what kind of writer a field manager is, by the table of writers.
	WriterKind = writers.WriterKind
	// Persistence says when a writer writes again.
	Persistence = writers.Persistence
	// ManagerKind is both, with the name of the writer.
	ManagerKind = writers.ManagerKind
)

// The kinds of writer, and when they write again.
const (
	Controller   = writers.Controller
	Autoscaler   = writers.Autoscaler
	GitOps       = writers.GitOps
	Deployer     = writers.Deployer
	Person       = writers.Person
	ClientSide   = writers.ClientSide
	Bookkeeping  = writers.Bookkeeping
	Self         = writers.Self
	OtherApplier = writers.OtherApplier
	OtherWriter  = writers.OtherWriter

	Always = writers.Always
	OnSync = writers.OnSync
	OnRun  = writers.OnRun
	Never  = writers.Never
)

// ManagerKindOf is the kind of an entry's manager, as an applying manager sees it; empty
// for none.
func ManagerKindOf(w report.Writer, applier string) ManagerKind {
	return writers.ManagerKindOf(w, applier)
}
