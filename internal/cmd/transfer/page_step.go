package transfer

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/shell"
)

// StepFile names the manifest or patch of step i; empty where there is nothing
// to run.
func StepFile(i int, s Step) string {
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
	if len(word) > 60 {
		word = word[:60]
	}
	if word == "" {
		return "manager"
	}
	return word
}

// StepCommand is the line that does a step with its file.
func StepCommand(p Plan, s Step, file string) shell.Line {
	if s.Kind == Patch {
		return p.Object.Patch(kubectl.Patch{Type: kubectl.JSONPatch, File: file, Subresource: s.Subresource, Manager: s.Manager})
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
