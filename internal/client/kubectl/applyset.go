package kubectl

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// partOf is the label that kubectl gives to the members of an ApplySet (pkg/cmd/apply/applyset.go). It
// prunes server-side what has the label and is no longer applied.
const partOf = "applyset.kubernetes.io/part-of"

// ofApplySet says that an ApplySet is not simulated: one that is given, or that the live object is a member of.
func ofApplySet(given string, w engine.Write) []report.Caveat {
	message := ""
	id := objects.Labels(client.Live(w))[partOf]
	switch {
	case given != "":
		message = fmt.Sprintf("The ApplySet %s is not simulated (--applyset): neither what kubectl prunes by it, "+
			"nor the label %s that it gives to the object.", given, partOf)
	case id != "":
		message = fmt.Sprintf("The live object is a member of the ApplySet %s: if it is applied with --prune and "+
			"--applyset, kubectl keeps the label %s and prunes what is no longer applied, which is not simulated.", id, partOf)
	default:
		return nil
	}
	return []report.Caveat{{Kind: api.Input, Message: message}}
}
