// Package plans is what migrate, clear and transfer share where plans are printed: the
// verdict of a run, the objects as planned, JSON patches, and the commands that send them.
package plans

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
)

// Verdict is trouble where no answer could be given for some of the objects, and else no
// where some of them stand in the way.
func Verdict(failed, no int, e report.Ending) error {
	switch {
	case failed > 0 || len(e.Problems) > 0:
		return app.ErrTrouble
	case no > 0:
		return app.ErrNo
	}
	return nil
}

// Patch is the planned patch of one object, or why there is none.
type Patch struct {
	Target  report.Target           `json:"target"`
	Patch   []report.PatchOperation `json:"patch,omitempty"`
	NoPatch string                  `json:"noPatch,omitempty"`
}

// Patches writes the patches of the objects that change. Of a single object it is the
// patch itself (an empty one where nothing changes), which 'kubectl patch --type json
// --patch-file' sends; of several a list with the target of each.
func Patches(w io.Writer, patches []Patch, single bool) error {
	switch {
	case !single:
		return show.EncodeTo(w, report.List(patches))
	case len(patches) == 0:
		return show.EncodeTo(w, []report.PatchOperation{})
	case patches[0].NoPatch != "":
		return fmt.Errorf("%s: %s", words.Object(patches[0].Target), patches[0].NoPatch)
	}
	return show.EncodeTo(w, patches[0].Patch)
}

// Objects writes objects as they would be stored, with their managedFields; nothing
// without any.
func Objects(format string, d report.Report) func(io.Writer, show.Options) error {
	return func(w io.Writer, o show.Options) error {
		o.ShowManagedFields = true
		f, err := show.Lookup(format)
		if err != nil {
			return err
		}
		return f.Render(w, d, o)
	}
}

// maxArgument is how long one argument may be in Linux; a longer patch goes in by standard
// input.
const maxArgument = 120_000

// Command is the line that sends a JSON patch, or the lines where the patch is too long
// for an argument. An error means that no line can name the object.
func Command(o kubectl.Object, patch []report.PatchOperation, manager string) (string, error) {
	s, err := objects.JSON(patch, "")
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	if err := json.Compact(&body, []byte(s)); err != nil {
		return "", err
	}
	p, rest := kubectl.Patch{Type: kubectl.JSONPatch, Body: body.Bytes(), Manager: manager}, ""
	if body.Len() > maxArgument {
		// JSON on one line cannot be the line that ends the document.
		p.File, rest = "/dev/stdin", " <<'END'\n"+body.String()+"\nEND"
	}
	line := o.Patch(p)
	return line.String() + rest, line.Err()
}
