package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/files/folder"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/shell"
)

// formatsOf is the answer of transfer.
func formatsOf(d Document) show.Answer {
	return show.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, show.Options) error{
			"kubectl": func(w io.Writer, _ show.Options) error { return transferCommands(w, d) },
		},
	}
}

// filesOf are the manifests and patches of the chosen steps, a README.md
// and apply.sh, which runs them. Of several plans each has its own folder for
// its steps. Plans without a safe order of steps have no files.
func filesOf(d Document) ([]folder.File, error) {
	d.Plans = slices.DeleteFunc(slices.Clone(d.Plans), func(p Plan) bool { return p.Chosen == "" })
	folders := d.Summary.Safe > 1
	var out []folder.File
	script, err := stepLines(d, func(p Plan, i int, s Step, text []byte) (shell.Line, string) {
		name := fileOf(i, s)
		if folders {
			name = words.FileName(p.Target) + "/" + name
		}
		out = append(out, folder.File{Name: name, Text: text, Mode: 0o644})
		return commandOf(p, s, name), "\n"
	})
	if err != nil {
		return nil, err
	}
	// Nothing in README.md is folded.
	readme := layOut(d, page.Options{Files: true, Folders: folders})
	readme.Lead = []model.Text{
		model.Say("Written by ssactl transfer: each step was simulated on the outcome of the one before it."),
	}
	for i := range readme.Sections {
		readme.Sections[i].Weight = model.Decision
	}
	var text bytes.Buffer
	if err := show.Show(markdown.New(&text, markdown.Options{Verbose: true}), readme); err != nil {
		return nil, err
	}
	return append(out,
		folder.File{Name: "README.md", Text: text.Bytes(), Mode: 0o644},
		folder.File{Name: "apply.sh", Text: []byte(scriptHead + script), Mode: 0o755}), nil
}

// scriptHead stops at the first step that fails, and says how to go on.
const scriptHead = `#!/bin/sh
# The steps that ssactl transfer simulated. Read README.md first.
set -eu
cd "$(dirname "$0")"
trap 'test $? -eq 0 || echo "A step failed; those before it hold. Fetch the objects again and repeat ssactl transfer: it goes on from there." >&2' EXIT

`

// transferCommands writes the chosen steps as a script that needs no files:
// manifests and patches stand in it.
func transferCommands(w io.Writer, d Document) error {
	d.Plans = slices.DeleteFunc(slices.Clone(d.Plans), func(p Plan) bool { return p.Chosen == "" })
	script, err := stepLines(d, func(p Plan, _ int, s Step, text []byte) (shell.Line, string) {
		file, mark := "-", "EOF"
		if s.Kind == Patch {
			file = "/dev/stdin"
		}
		// No line of the text ends it.
		for strings.Contains("\n"+string(text), "\n"+mark+"\n") {
			mark += "F"
		}
		return commandOf(p, s, file), fmt.Sprintf(" <<'%s'\n%s%s\n", mark, text, mark)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "set -e\n"+script+show.ScriptEnd(d.Interrupted))
	return err
}

// stepLines is a script of the chosen steps, each behind a comment on what it is for: its
// command, and the rest of the text that is.
func stepLines(
	d Document,
	command func(p Plan, i int, s Step, text []byte) (line shell.Line, rest string),
) (string, error) {
	var b strings.Builder
	for n, p := range d.Plans {
		if n > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "# %s\n", glyph.Visible(words.Object(p.Target)+words.Where(p.Target)))
		for i, s := range p.Options[0].Steps {
			purpose := glyph.Visible(s.Does.String())
			if fileOf(i, s) == "" {
				fmt.Fprintf(&b, "# Step %d needs no command: %s.\n", i+1, purpose)
				continue
			}
			text, err := stepText(s)
			if err != nil {
				return "", fmt.Errorf("encode step %d: %w", i+1, err)
			}
			line, rest := command(p, i, s, text)
			if err := line.Err(); err != nil {
				return "", fmt.Errorf("step %d: %w", i+1, show.NoCommand(p.Target, p.Source, err))
			}
			fmt.Fprintf(&b, "# Step %d: %s.\n%s%s", i+1, purpose, line, rest)
		}
	}
	return b.String(), nil
}

// stepText is the manifest or patch of a step, with a final newline. A text with what
// terminals or runners act on is written anew, with escapes.
func stepText(s Step) ([]byte, error) {
	switch {
	case s.Kind == Patch:
		text, err := json.MarshalIndent(s.Patch, "", "  ")
		return append(text, '\n'), err
	case s.Text != "" && (s.Manifest == nil || safetext.String(s.Text) == s.Text):
		return []byte(strings.TrimSuffix(s.Text, "\n") + "\n"), nil
	}
	text, err := objects.YAML(s.Manifest)
	return []byte(text), err
}

// fileOf names the manifest or patch of step i; empty where there is nothing
// to run.
func fileOf(i int, s Step) string {
	name := fmt.Sprintf("step-%d-%s", i+1, fileWord(s.Manager))
	switch {
	case s.Kind == ByItself:
		return ""
	case s.Kind == Patch, strings.HasPrefix(strings.TrimSpace(s.Text), "{"):
		return name + ".json"
	}
	return name + ".yaml"
}

var notInFileNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileWord makes a part of a file name of any text.
func fileWord(s string) string {
	word := strings.Trim(notInFileNames.ReplaceAllString(s, "-"), "-.")
	return cmp.Or(word[:min(len(word), 60)], "manager")
}

// commandOf is the line that does a step with its file.
func commandOf(p Plan, s Step, file string) shell.Line {
	if s.Kind == Patch {
		return p.Object.Patch(
			kubectl.Patch{Type: kubectl.JSONPatch, File: file, Subresource: s.Subresource, Manager: s.Manager},
		)
	}
	line := shell.Command("kubectl", "apply", "--server-side")
	if p.Target.Namespace != "" {
		line = line.With(shell.Value("--namespace", p.Target.Namespace))
	}
	line = line.With(shell.Value("--field-manager", s.Manager))
	if s.Force {
		line = line.With(shell.Switch("--force-conflicts"))
	}
	if s.Subresource != "" {
		line = line.With(shell.Value("--subresource", s.Subresource))
	}
	return line.With(shell.File("-f", file))
}

// writeSteps writes the chosen ways into the folder. Where an object has no
// safe plan, nothing is written.
func (o *transferOptions) writeSteps(ctx context.Context, a *app.App, d Document) error {
	switch {
	case d.Summary.Safe < d.Summary.Total || len(d.Problems) > 0:
		fmt.Fprintln(a.Streams.Err, "nothing was written, since not every object has a safe plan")
		return nil
	case !o.ShowSecrets && slices.ContainsFunc(d.Plans, ofSecret):
		return errors.New(
			"the manifests of a Secret hold its values: --output-dir needs --show-secrets for them; nothing was written",
		)
	}
	files, err := filesOf(d)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(d.Plans, ofSecret) {
		for i := range files {
			files[i].Mode &= 0o700
		}
	}
	existing := folder.Refuse
	if o.overwrite {
		existing = folder.Replace
	}
	err = folder.Write(ctx, o.folder, files, existing, func(name string) bool {
		return name == "README.md" || name == "apply.sh" || stepFile.MatchString(path.Base(name))
	})
	switch {
	case errors.Is(err, folder.ErrNotEmpty) && !o.overwrite:
		return fmt.Errorf("--output-dir: %w: name another one, or replace what an earlier run wrote with --overwrite", err)
	case err != nil:
		return fmt.Errorf("--output-dir: %w", output.Unwritten(err))
	}
	fmt.Fprintf(a.Streams.Err, "wrote %d files into %s\n", len(files), o.folder)
	return nil
}

// stepFile is the name of a file of a step.
var stepFile = regexp.MustCompile(`^step-[0-9]+-[A-Za-z0-9._-]+\.(yaml|json)$`)
