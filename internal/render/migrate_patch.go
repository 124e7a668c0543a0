package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell/kubectl"
)

// MigrateObjects writes the objects as they are after the migration, with
// their managedFields, in the given format ("yaml" or "json"): one as it is,
// several as a v1 List. Those that are blocked are left out.
func MigrateObjects(w io.Writer, d migrate.Document, format string) error {
	var items []any
	for _, m := range d.Objects {
		if m.Verdict == migrate.Migrates || m.Verdict == migrate.NothingToDo {
			items = append(items, m.Object)
		}
	}
	var v any
	switch len(items) {
	case 0:
		return nil
	case 1:
		v = items[0]
	default:
		v = map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
	}
	encode := func(v any) (string, error) {
		s, err := encodeJSON(v, "    ")
		return s + "\n", err
	}
	if format == "yaml" {
		encode = encodeYAML
	}
	s, err := encode(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// migratePatch is one object of several.
type migratePatch struct {
	Target  report.Target       `json:"target"`
	Patch   []migrate.Operation `json:"patch,omitempty"`
	NoPatch string              `json:"noPatch,omitempty"`
}

// MigratePatch writes the patches of the objects that change. For a single
// object it is the patch itself (an empty one where nothing changes), which
// 'kubectl patch --type json --patch-file' sends; for several a list with the
// target of each.
func MigratePatch(w io.Writer, d migrate.Document) error {
	patches := []migratePatch{}
	for _, m := range d.Objects {
		if m.Verdict == migrate.Migrates {
			patches = append(patches, migratePatch{m.Target, m.Patch, m.NoPatch})
		}
	}
	var v any = patches
	if d.Summary.Total == 1 && d.Interrupted == nil {
		v = []migrate.Operation{}
		if len(patches) == 1 {
			if patches[0].NoPatch != "" {
				return fmt.Errorf("%s: %s", objectName(patches[0].Target), patches[0].NoPatch)
			}
			v = patches[0].Patch
		}
	}
	s, err := encodeJSON(v, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// maxArgument is how long one argument may be in Linux; a longer patch goes in
// by standard input.
const maxArgument = 120_000

// MigrateKubectl writes a script for a POSIX shell: a kubectl patch for each
// object that changes. It stops at the first that fails.
func MigrateKubectl(w io.Writer, d migrate.Document) error {
	var b strings.Builder
	b.WriteString("set -e\n")
	for _, m := range d.Objects {
		name := safetext.String(objectName(m.Target) + where(m.Target))
		switch {
		case m.Verdict == migrate.Migrates && m.NoPatch != "":
			b.WriteString("# " + name + ": no patch: " + visible(m.NoPatch) + "\n")
		case m.Verdict == migrate.Migrates:
			line, err := patchCommand(m)
			if err != nil {
				return err
			}
			b.WriteString(line + "\n")
		case m.Verdict != migrate.NothingToDo:
			b.WriteString("# " + name + ": " + strings.ToLower(string(m.Verdict)) + blockedBy(m) + "\n")
		}
	}
	b.WriteString(interruptedComment(d.Interrupted))
	_, err := io.WriteString(w, b.String())
	return err
}

// patchCommand is the line that sends an object's patch, or the lines where
// the patch is too long for an argument.
func patchCommand(m migrate.Migration) (string, error) {
	s, err := encodeJSON(m.Patch, "")
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	if err := json.Compact(&body, []byte(s)); err != nil {
		return "", err
	}
	group, version := groupVersion(m.Target.APIVersion)
	object := kubectl.Object{
		Resource:  schema.GroupVersionResource{Group: group, Version: version, Resource: m.Resource},
		Namespace: m.Target.Namespace,
		Name:      m.Target.Name,
	}
	if body.Len() <= maxArgument {
		return object.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: body.Bytes(), Manager: m.PatchManager}), nil
	}
	args := []string{"--type=json", "--patch-file=/dev/stdin"}
	if m.PatchManager != "" {
		args = append([]string{"--field-manager=" + m.PatchManager}, args...)
	}
	// JSON on one line cannot be the line that ends the document.
	return object.Command("patch", args...) + " <<'END'\n" + body.String() + "\nEND", nil
}
