package cluster

import (
	"slices"
	"sync"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

// called is how the run was called, for the commands in what it says: it is asked once the
// manifests are paired, when who sends is known.
func called(a *app.App, flags *input.Flags, server *input.ServerFlags) func() fixes.Call {
	return sync.OnceValue(func() fixes.Call {
		c := fixes.Call{
			Repeated: slices.Concat(flags.Words(), server.Words(), a.Words()), Sender: a.Sender, Names: flags.Names(),
			Inferred: a.Inferred, Client: a.Client, Built: flags.Kustomize != "", Inputs: flags.Sources(),
			Unwritten: len(flags.Filenames) == 0 && flags.Kustomize == "",
		}
		if len(flags.Live) == 1 {
			c.LiveFile = flags.Live[0]
		}
		return c
	})
}

// Several notes that the run is over several objects, which commands name then.
func (a *Answering) Several(several bool) { a.several = several }

// Findings are all that is said of an answer.
func (a *Answering) Findings(r report.Result) []report.Finding {
	return findings.Commanded(r, findings.Listed(r), a.call, a.several)
}
