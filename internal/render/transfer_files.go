package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/shell"
)

// TransferFile is a file of a plan.
type TransferFile struct {
	// Name is relative, with slashes.
	Name string
	Text []byte
	// Script is true for a file to be run.
	Script bool
}

// TransferFiles are the manifests and patches of the chosen ways, a README.md
// and apply.sh, which runs the steps. Of several plans each has its own folder
// for its steps. Plans without a safe way have no files.
func TransferFiles(d transfer.Document) ([]TransferFile, error) {
	var out []TransferFile
	var script, readme strings.Builder
	script.WriteString("#!/bin/sh\n# The steps that ssactl transfer simulated. Read README.md first.\nset -eu\ncd \"$(dirname \"$0\")\"\n")
	readme.WriteString("# Hand-over of fields\n\nWritten by ssactl transfer. Every step was simulated on the outcome of the one\nbefore it.\n")
	for _, plan := range d.Plans {
		if plan.Chosen == "" {
			continue
		}
		folder := ""
		if d.Summary.Safe > 1 {
			folder = fileName(plan.Target) + "/"
		}
		readme.WriteString(planPage(plan, folder))
		fmt.Fprintf(&script, "\n# %s\n", visible(objectName(plan.Target)+where(plan.Target)))
		for i, s := range plan.Ways[0].Steps {
			file, err := stepFile(plan, i, s)
			if err != nil {
				return nil, err
			}
			if file.Name == "" {
				fmt.Fprintf(&script, "# Step %d needs no command: %s.\n", i+1, visible(s.Does))
				continue
			}
			file.Name = folder + file.Name
			out = append(out, file)
			fmt.Fprintf(&script, "# Step %d: %s.\n%s\n", i+1, visible(s.Does), stepCommand(plan, s, file.Name))
		}
	}
	return append(out,
		TransferFile{Name: "README.md", Text: []byte(readme.String())},
		TransferFile{Name: "apply.sh", Text: []byte(script.String()), Script: true}), nil
}

// TransferCommands writes the steps of the chosen ways as a script that needs
// no files: manifests and patches stand in it.
func TransferCommands(w io.Writer, d transfer.Document, _ Options) error {
	var out strings.Builder
	for _, plan := range d.Plans {
		if plan.Chosen == "" {
			continue
		}
		fmt.Fprintf(&out, "# %s\n", visible(objectName(plan.Target)+where(plan.Target)))
		for i, s := range plan.Ways[0].Steps {
			file, err := stepFile(plan, i, s)
			if err != nil {
				return err
			}
			if file.Name == "" {
				fmt.Fprintf(&out, "# Step %d needs no command: %s.\n", i+1, visible(s.Does))
				continue
			}
			text := string(ensureFinalNewline(file.Text))
			mark := delimiter(text)
			fmt.Fprintf(&out, "# Step %d: %s.\n%s <<'%s'\n%s%s\n", i+1, visible(s.Does), stepCommand(plan, s, stdinFor(s)), mark, text, mark)
		}
	}
	out.WriteString(interruptedComment(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}

// stdinFor names standard input to kubectl.
func stdinFor(s transfer.Step) string {
	if s.Kind == transfer.Patch {
		return "/dev/stdin"
	}
	return "-"
}

// delimiter is a word that is no line of the text.
func delimiter(text string) string {
	mark := "EOF"
	for strings.Contains("\n"+text, "\n"+mark+"\n") {
		mark += "F"
	}
	return mark
}

// stepFile is the manifest or patch of a step; without a name where there is
// nothing to run.
func stepFile(plan transfer.Plan, i int, s transfer.Step) (TransferFile, error) {
	name := fmt.Sprintf("step-%d-%s", i+1, fileWord(s.Manager))
	switch {
	case s.Kind == transfer.ByItself:
		return TransferFile{}, nil
	case s.Kind == transfer.Patch:
		text, err := json.MarshalIndent(s.Patch, "", "  ")
		if err != nil {
			return TransferFile{}, fmt.Errorf("encode the patch of step %d: %w", i+1, err)
		}
		return TransferFile{Name: name + ".json", Text: append(text, '\n')}, nil
	case s.Text != "":
		if strings.HasPrefix(strings.TrimSpace(s.Text), "{") {
			name += ".json"
		} else {
			name += ".yaml"
		}
		return TransferFile{Name: name, Text: ensureFinalNewline([]byte(s.Text))}, nil
	}
	text, err := encodeYAML(s.Manifest)
	return TransferFile{Name: name + ".yaml", Text: []byte(text)}, err
}

var notInFileNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileWord makes a part of a file name of any text.
func fileWord(s string) string {
	word := strings.Trim(notInFileNames.ReplaceAllString(s, "-"), "-.")
	if len(word) > 60 {
		word = word[:60]
	}
	if word == "" {
		return "manager"
	}
	return word
}

func ensureFinalNewline(text []byte) []byte {
	if bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(bytes.Clone(text), '\n')
}

// stepCommand is the line that does a step with its file.
func stepCommand(plan transfer.Plan, s transfer.Step, file string) string {
	words := []string{"kubectl"}
	if s.Kind == transfer.Patch {
		words = append(words, "patch", plan.Reference)
	} else {
		words = append(words, "apply", "--server-side")
	}
	if plan.Target.Namespace != "" {
		words = append(words, "-n", plan.Target.Namespace)
	}
	words = append(words, "--field-manager="+s.Manager)
	if s.Force {
		words = append(words, "--force-conflicts")
	}
	if s.Subresource != "" {
		words = append(words, "--subresource="+s.Subresource)
	}
	if s.Kind == transfer.Patch {
		words = append(words, "--type=json", "--patch-file="+file)
	} else {
		words = append(words, "-f", file)
	}
	return shell.Command(words...)
}

// planPage is the part of README.md on one object.
func planPage(plan transfer.Plan, folder string) string {
	var b strings.Builder
	p := newPrinter(Options{})
	fmt.Fprintf(&b, "\n## %s\n\nFrom %s to %s. %s\n\n", objectName(plan.Target)+where(plan.Target), visible(plan.From), visible(plan.To), visible(plan.Reason))
	for i, s := range plan.Ways[0].Steps {
		fmt.Fprintf(&b, "%d. %s.", i+1, visible(s.Does))
		if file, err := stepFile(plan, i, s); err == nil && file.Name != "" {
			fmt.Fprintf(&b, " File: `%s%s`.", folder, file.Name)
		}
		if s.Kind == transfer.Apply && s.Manager == plan.From {
			b.WriteString(" Where a tool\n   applies this manifest from a repository, commit the change there.")
		}
		b.WriteString("\n")
		for _, state := range s.States {
			fmt.Fprintf(&b, "   Then %s.\n", visible(p.stateText(state)))
		}
	}
	if len(plan.Races) > 0 {
		b.WriteString("\nWhat may come between:\n\n")
		for _, r := range plan.Races {
			fmt.Fprintf(&b, "- %s\n", visible(raceText(plan, r)))
		}
	}
	return b.String()
}
