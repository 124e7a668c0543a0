package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// fakePulls is a gh that knows the open pull requests of the head that it is asked for, and
// records what it is asked to write.
const fakePulls = `#!/bin/sh
for word; do
  case $word in head=*) head=${word#head=} ;; esac
done
case "$*" in
*/pulls*)
  while [ "$1" != --jq ]; do shift; done
  case $head in
  mallory:topic) exec jq -r "$2" pulls.json ;;
  *) exec jq -r "$2" none.json ;;
  esac ;;
*--jq*) ;;
*) echo gh "$@" >> calls ;;
esac
`

// TestCommentWorkflow runs the scripts of the workflow that answers forks, and of the action
// that it uses: the pull request is the one whose head the report's run had, whatever the
// report says, and nothing of the fork's becomes a part of a script.
func TestCommentWorkflow(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	steps := stepsOf(t, "examples/ci/comment.yaml")
	for name, c := range map[string]struct{ owner, branch, sha, number string }{
		"the head":           {"mallory", "topic", "abc", "42"},
		"an older commit":    {"mallory", "topic", "old", ""},
		"another fork":       {"eve", "topic", "abc", ""},
		"a branch that acts": {"mallory", "$(touch owned)`touch owned`", "abc", ""},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{
			"pulls.json": `[{"number": 41, "head": {"sha": "older"}}, {"number": 42, "head": {"sha": "abc"}}]`, "none.json": "[]",
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		known := map[string]string{
			"github.token": "token", "github.repository": "shop/manifests", "github.event.workflow_run.head_sha": c.sha,
			"github.event.workflow_run.head_repository.owner.login": c.owner, "github.event.workflow_run.head_branch": c.branch,
		}
		r := &runner{t: t, bash: bash, dir: dir, bin: pullsIn(t), known: known}
		r.step(steps[0])
		if got := known["steps.pull.outputs.number"]; got != c.number || r.code != 0 {
			t.Errorf("%s: pull request %q, want %q; exit code %d", name, got, c.number, r.code)
		}
		if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
			t.Errorf("%s acts", name)
		}
	}
	pinned := regexp.MustCompile(`^(actions/[a-z-]+@v\d+|ssactl/ssactl/[a-z]+@v\d+\.\d+\.\d+)$`)
	for _, step := range steps[1:] {
		if step.If != "steps.pull.outputs.number" || !pinned.MatchString(step.Uses) || step.Run != "" {
			t.Errorf("step %s %s with %q runs without a pull request, or at no version", step.Name, step.Uses, step.If)
		}
		if step.Uses == "actions/checkout@v4" {
			t.Error("the workflow checks something out")
		}
	}
}

// TestCommentAction: the report is one file of the runner, and the comment is of the number.
func TestCommentAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "comment", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal(raw, &action); err != nil || len(action.Runs.Steps) != 1 {
		t.Fatalf("%d steps: %v", len(action.Runs.Steps), err)
	}
	source, err := filepath.Abs(filepath.Join("..", "..", "comment"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	report := `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "summary": {"total": 1}, "results": [{"target": {"kind": "ConfigMap",
		"name": "a"}, "outcome": "Created", "changes": [], "findings": []}]}`
	if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.json")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		report, number string
		code           int
		called         string
	}{
		{"report.json", "42", 0, "gh api --silent --method POST repos/shop/manifests/issues/42/comments -F body=@COMMENT\n"},
		{"report.json", "42/../../x", 2, ""},
		{"report.json", "", 2, ""},
		{"link.json", "42", 2, ""},
		{"none.json", "42", 2, ""},
		{"/etc/passwd", "42", 2, ""},
	} {
		_ = os.Remove(filepath.Join(dir, "calls"))
		step := action.Runs.Steps[0]
		cmd := exec.Command(bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		cmd.Dir = dir
		comment := filepath.Join(dir, "comment.md")
		cmd.Env = append(os.Environ(), "PATH="+pullsIn(t)+string(os.PathListSeparator)+os.Getenv("PATH"), "REPORT="+c.report,
			"NUMBER="+c.number, "GH_REPO=shop/manifests", "ACTION="+source+"/..", "COMMENT="+comment)
		out, _ := cmd.CombinedOutput()
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		if called := strings.ReplaceAll(string(calls), comment, "COMMENT"); cmd.ProcessState.ExitCode() != c.code ||
			called != c.called {
			t.Errorf("%s %s: exit code %d, calls %q\n%s", c.report, c.number, cmd.ProcessState.ExitCode(), called, out)
		}
	}
}

// stepsOf are those of the only job of a workflow.
func stepsOf(t *testing.T, file string) []workflowStep {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(raw, &w); err != nil || len(w.Jobs) != 1 {
		t.Fatalf("%s: %d jobs: %v", file, len(w.Jobs), err)
	}
	for _, job := range w.Jobs {
		return job.Steps
	}
	return nil
}

// pullsIn is a folder with programs, and a gh that knows pull requests.
func pullsIn(t *testing.T) string {
	t.Helper()
	bin := binaries(t)
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(fakePulls), 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}
