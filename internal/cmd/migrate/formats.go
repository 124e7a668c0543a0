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
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// formatsOf is the answer of migrate.
func formatsOf(d migration.Document) render.Answer {
	own := func(write func(io.Writer, migration.Document) error) func(io.Writer, render.Options) error {
		return func(w io.Writer, _ render.Options) error { return write(w, d) }
	}
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"yaml": migrated("yaml", d), "json": migrated("json", d), "json-patch": own(migratePatches), "kubectl": own(migrateCommands),
		},
	}
}

// migrated writes the objects as they are after the migration, with their
// managedFields. Those that are blocked are left out.
func migrated(format string, d migration.Document) func(io.Writer, render.Options) error {
	var results []report.Result
	for _, m := range d.Objects {
		if m.Verdict == migration.Migrates || m.Verdict == migration.NothingToDo {
			results = append(results, report.Result{Target: m.Target, Operation: report.Patch, Outcome: report.Configured, Object: m.Object})
		}
	}
	return func(w io.Writer, o render.Options) error {
		o.ShowManagedFields = true
		f, err := render.Lookup(format)
		if err != nil || results == nil {
			return err
		}
		return f.Render(w, report.New(report.Run{}, results), o)
	}
}

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
	switch single := d.Summary.Total == 1 && d.Interrupted == nil; {
	case !single:
		return render.EncodeTo(w, patches)
	case len(patches) == 0:
		return render.EncodeTo(w, []migration.Operation{})
	case patches[0].NoPatch != "":
		return fmt.Errorf("%s: %s", words.Object(patches[0].Target), patches[0].NoPatch)
	}
	return render.EncodeTo(w, patches[0].Patch)
}

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
			b.WriteString("# " + name + ": " + strings.ToLower(string(m.Verdict)) + blockedBy(m) + "\n")
		}
	}
	b.WriteString(render.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, b.String())
	return err
}

// maxArgument is how long one argument may be in Linux; a longer patch goes in
// by standard input.
const maxArgument = 120_000

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
	patch, rest := kubectl.Patch{Type: kubectl.JSONPatch, Body: body.Bytes(), Manager: m.PatchManager}, ""
	if body.Len() > maxArgument {
		// JSON on one line cannot be the line that ends the document.
		patch.File, rest = "/dev/stdin", " <<'END'\n"+body.String()+"\nEND"
	}
	line := object.Patch(patch)
	return line.String() + rest, line.Err()
}
