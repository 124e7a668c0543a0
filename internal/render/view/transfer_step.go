package view

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/transfer"
)

// StepFile names the manifest or patch of step i; empty where there is nothing
// to run.
func StepFile(i int, s transfer.Step) string {
	name := fmt.Sprintf("step-%d-%s", i+1, fileWord(s.Manager))
	switch {
	case s.Kind == transfer.ByItself:
		return ""
	case s.Kind == transfer.Patch, strings.HasPrefix(strings.TrimSpace(s.Text), "{"):
		return name + ".json"
	}
	return name + ".yaml"
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

// StepCommand is the line that does a step with its file.
func StepCommand(p transfer.Plan, s transfer.Step, file string) string {
	line := []string{"kubectl", "apply", "--server-side"}
	if s.Kind == transfer.Patch {
		line = []string{"kubectl", "patch", p.Reference}
	}
	if p.Target.Namespace != "" {
		line = append(line, "-n", p.Target.Namespace)
	}
	line = append(line, "--field-manager="+s.Manager)
	if s.Force {
		line = append(line, "--force-conflicts")
	}
	if s.Subresource != "" {
		line = append(line, "--subresource="+s.Subresource)
	}
	if s.Kind == transfer.Patch {
		return commandLine(append(line, "--type=json", "--patch-file="+file)...)
	}
	return commandLine(append(line, "-f", file)...)
}
