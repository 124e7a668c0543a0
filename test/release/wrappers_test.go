package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/run/settings"
)

// action is what the action says of itself.
type action struct {
	Inputs map[string]struct{ Description, DeprecationMessage string }
	Runs   struct {
		Steps []struct {
			ID  string
			Env map[string]string
		}
	}
}

// ownInputs are those of the action alone: what is applied, and what the action does itself.
var ownInputs = []string{"manifests", "kustomize", "version", "sha256", "comment", "sarif", "token", "manager"}

// TestActionHasTheRun: each word that describes a run is an input by its name, comes to the
// script as the variable of its name, and is passed on; there are no other inputs but its own.
func TestActionHasTheRun(t *testing.T) {
	var a action
	if err := yaml.Unmarshal([]byte(read(t, "../../action.yml")), &a); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, step := range a.Runs.Steps {
		if step.ID == "preview" {
			env = step.Env
		}
	}
	script := strings.Fields(
		strings.NewReplacer("'", " ", "\\", " ").Replace(read(t, "../../hack/action/preview.sh")),
	)
	names := []string{settings.ConfigName}
	for _, k := range settings.Run() {
		names = append(names, k.Name)
	}
	for _, name := range names {
		if a.Inputs[name].Description == "" {
			t.Errorf("the action has no input %s", name)
		}
		variable := strings.TrimPrefix(settings.Variable(name), "SSACTL_")
		if from := fmt.Sprintf("${{ inputs.%s ", name); !strings.HasPrefix(env[variable], from) {
			t.Errorf("%s is %q, want %s}}", variable, env[variable], from)
		}
		// The text of the key is written into a file.
		if name != "snapshot-key" && !slices.Contains(script, name) {
			t.Errorf("preview.sh does not pass %s on", name)
		}
	}
	for name := range a.Inputs {
		if !slices.Contains(names, name) && !slices.Contains(ownInputs, name) {
			t.Errorf("the input %s is no word of a run", name)
		}
	}
}

// TestActionKnowsTheClients: the action refuses the names that ssactl refuses.
func TestActionKnowsTheClients(t *testing.T) {
	want := `"" | ` + strings.Join(append(about.Names(), about.Unsimulated()...), " | ") + ")"
	if script := read(t, "../../hack/action/preview.sh"); !strings.Contains(script, want) {
		t.Errorf("preview.sh does not take %s", want)
	}
}

// TestExamplesHaveTheRun: the examples for other systems describe the run by variables that
// ssactl reads, and no flag of theirs goes before one.
func TestExamplesHaveTheRun(t *testing.T) {
	known := []string{"VERSION", "NOTES_TOKEN", "SHA256", "RELEASES", settings.ConfigName}
	for _, k := range settings.Run() {
		known = append(known, k.Name)
	}
	for i, name := range known {
		known[i] = settings.Variable(name)
	}
	for _, file := range []string{
		"hack/action/preview.sh", "templates/preview.yml", "examples/ci/Jenkinsfile", "examples/ci/workflow.yaml",
	} {
		text := read(t, "../../"+file)
		words := strings.FieldsFunc(
			text,
			func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') },
		)
		for _, word := range words {
			if strings.HasPrefix(word, "SSACTL_") && len(word) > len("SSACTL_") && !slices.Contains(known, word) {
				t.Errorf("%s sets %s, which nothing reads", file, word)
			}
		}
		for line := range strings.Lines(text) {
			for _, k := range settings.Run() {
				if strings.Contains(line, "ssactl apply") && strings.Contains(line, "--"+k.Name) {
					t.Errorf("%s: --%s goes before %s", file, k.Name, settings.Variable(k.Name))
				}
			}
		}
		if file != "hack/action/preview.sh" && !slices.Contains(words, "SSACTL_CLIENT") {
			t.Errorf("%s names no client", file)
		}
	}
}

// TestShell: the scripts that run in other people's CI are read by every POSIX shell, and
// shellcheck, where there is one, has nothing to say.
func TestShell(t *testing.T) {
	scripts, err := filepath.Glob("../../hack/action/*.sh")
	if err != nil || len(scripts) < 4 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	for _, script := range scripts {
		if !strings.HasPrefix(read(t, script), "#!/bin/sh\n") {
			t.Errorf("%s is not for sh", script)
		}
		if out, err := exec.Command("sh", "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is not in PATH")
	}
	if out, err := exec.Command("shellcheck", append([]string{"--shell=sh"}, scripts...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
