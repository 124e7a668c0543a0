package migrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// migratePatch is one object of several.
type migratePatch struct {
	Target  report.Target         `json:"target"`
	Patch   []migration.Operation `json:"patch,omitempty"`
	NoPatch string                `json:"noPatch,omitempty"`
}

// migratePatches writes the patches of the objects that change. For a single
// object it is the patch itself (an empty one where nothing changes), which
// 'kubectl patch --type json --patch-file' sends; for several a list with the
// target of each.
func migratePatches(w io.Writer, d migration.Document) error {
	patches := []migratePatch{}
	for _, m := range d.Objects {
		if m.Verdict == migration.Migrates {
			patches = append(patches, migratePatch{m.Target, m.Patch, m.NoPatch})
		}
	}
	var v any = patches
	if d.Summary.Total == 1 && d.Interrupted == nil {
		v = []migration.Operation{}
		if len(patches) == 1 {
			if patches[0].NoPatch != "" {
				return fmt.Errorf("%s: %s", words.Object(patches[0].Target), patches[0].NoPatch)
			}
			v = patches[0].Patch
		}
	}
	return render.EncodeTo(w, v)
}

// maxArgument is how long one argument may be in Linux; a longer patch goes in
// by standard input.
const maxArgument = 120_000

// migrateCommands writes a script for a POSIX shell: a kubectl patch for each
// object that changes. It stops at the first that fails.
func migrateCommands(w io.Writer, d migration.Document) error {
	var b strings.Builder
	b.WriteString("set -e\n")
	for _, m := range d.Objects {
		name := glyph.Visible(words.Object(m.Target) + words.Where(m.Target))
		switch {
		case m.Verdict == migration.Migrates && m.NoPatch != "":
			b.WriteString("# " + name + ": no patch: " + glyph.Visible(m.NoPatch) + "\n")
		case m.Verdict == migration.Migrates:
			line, err := patchCommand(m)
			if err != nil {
				return render.NoCommand(m.Target, m.Source, err)
			}
			b.WriteString(line + "\n")
		case m.Verdict != migration.NothingToDo:
			b.WriteString("# " + name + ": " + strings.ToLower(string(m.Verdict)) + BlockedBy(m) + "\n")
		}
	}
	b.WriteString(render.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, b.String())
	return err
}

// patchCommand is the line that sends an object's patch, or the lines where
// the patch is too long for an argument.
func patchCommand(m migration.Migration) (string, error) {
	s, err := objects.JSON(m.Patch, "")
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	if err := json.Compact(&body, []byte(s)); err != nil {
		return "", err
	}
	group, version := words.GroupVersion(m.Target.APIVersion)
	object := kubectl.Object{
		Resource:  schema.GroupVersionResource{Group: group, Version: version, Resource: m.Resource},
		Namespace: m.Target.Namespace,
		Name:      m.Target.Name,
	}
	patch := kubectl.Patch{Type: kubectl.JSONPatch, Body: body.Bytes(), Manager: m.PatchManager}
	if body.Len() <= maxArgument {
		line := object.Patch(patch)
		return line.String(), line.Err()
	}
	patch.File = "/dev/stdin"
	line := object.Patch(patch)
	// JSON on one line cannot be the line that ends the document.
	return line.String() + " <<'END'\n" + body.String() + "\nEND", line.Err()
}
