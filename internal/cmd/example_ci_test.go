package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// workflow is the part of a GitHub workflow that the example uses.
type workflow struct {
	Permissions map[string]string `json:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `json:"permissions"`
		Steps       []workflowStep    `json:"steps"`
	} `json:"jobs"`
}

type workflowStep struct {
	Name string            `json:"name"`
	ID   string            `json:"id"`
	If   string            `json:"if"`
	Uses string            `json:"uses"`
	Run  string            `json:"run"`
	Env  map[string]string `json:"env"`
	With map[string]any    `json:"with"`
}

// expressions are what GitHub would put in for a pull request.
var expressions = map[string]string{
	"github.token":                     "token",
	"github.repository":                "shop/manifests",
	"github.event.pull_request.number": "42",
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z._]+) *\}\}`)

// TestExampleWorkflow runs the scripts of examples/ci as a runner does, step
// by step, with a gh that records its arguments.
func TestExampleWorkflow(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("the steps of a workflow are scripts for bash: %v", err)
	}
	dir := t.TempDir()
	source := filepath.Join("..", "..", "examples", "ci")
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	// The second checkout, and what a pull request would have to be believed.
	if err := errors.Join(os.CopyFS(filepath.Join(dir, "base", "live"), os.DirFS(filepath.Join(source, "live"))),
		os.RemoveAll(filepath.Join(dir, "live")), os.WriteFile(filepath.Join(dir, ".ssactl.yaml"), []byte("ignore: .spec\nfail-on: never\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	commitChange(t, dir)
	raw, err := os.ReadFile(filepath.Join(source, "workflow.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	writeComments(
		t,
		dir,
		`[{"id": 5, "user": {"type": "User"}, "body": "<!-- ssactl -->\nI copied this"}, {"id": 6, "user": {"type": "Bot"}, "body": "another one"}]`,
	)
	r := &runner{t: t, bash: bash, dir: dir, bin: binaries(t), known: expressions}
	for _, step := range w.Jobs["preview"].Steps {
		r.step(step)
	}
	if diff := cmp.Diff(1, r.code); diff != "" {
		t.Errorf("exit code of the job: (-want +got)\n%s", diff)
	}
	wantLog := "::error title=Server-Side Apply::exit 1: --fail-on error (1 error)\n" +
		"::error file=manifests/web.yaml,line=9,title=never-settles%3A deployment.apps/web::.spec.replicas: kube-controller-manager sets 5, argocd-controller sets 3: they undo each other for ever (never-settles)%0A5 -> 3%0ATo fix it: ssactl resolve -f manifests --live=base/live -R --config=none --client=argocd --field-manager=argocd-controller --owned-by=kube-controller-manager --all-stop-managing --write\n" +
		"::notice file=manifests/web.yaml,line=1,title=Change%3A deployment.apps/web::would be configured: 2 fields would change, .spec.replicas, .spec.template.spec.containers[name=\"main\"].image\n" +
		"::notice file=manifests/web.yaml,line=25,title=Change%3A configmap/web::would be configured: 1 field would change, .data.nginx.conf\n" +
		"::notice title=Server-Side Apply::This change since HEAD^1 as argocd-controller (Argo CD 3, forces, " +
		"ServerSideApply=true assumed): 3 of 3 objects, 3 fields: 2 change, 1 unchanged. 1 error.\n" +
		"::notice title=Server-Side Apply::Assumes no admission policies, webhooks, quotas or limit ranges: none are in base/live.\n"
	if diff := cmp.Diff(wantLog, r.log.String()); diff != "" {
		t.Errorf("log: (-want +got)\n%s", diff)
	}
	checkCalls(t, dir, "gh api --silent --method POST repos/shop/manifests/issues/42/comments -F body=@comment.md")
	for _, file := range []string{"ssactl.sarif", "ssactl.xml", "report.json", "comment.md", "summary"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", file, err)
		}
	}
}

// commitChange commits the manifests of a folder, in place of another one.
func commitChange(t *testing.T, dir string) {
	t.Helper()
	before := filepath.Join(dir, "manifests", "before.yaml")
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: before, namespace: shop}\n"
	if err := os.WriteFile(before, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, "-C", dir, "init", "-q")
	for n, path := range []string{"manifests/before.yaml", "manifests"} {
		git(t, "-C", dir, "add", "-A", path)
		git(t, "-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "change")
		if n == 0 {
			if err := os.Remove(before); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A comment of an earlier run is written anew, and removed where there is nothing to say.
func TestExampleWorkflowUpdatesItsComment(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "examples", "ci", "workflow.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeComments(
		t,
		dir,
		`[{"id": 6, "user": {"type": "Bot"}, "body": "another one"}, {"id": 7, "user": {"type": "Bot"}, "body": "<!-- ssactl -->\n## Server-Side Apply"}, {"id": 8, "user": {"type": "Bot"}, "body": "<!-- ssactl -->"}]`,
	)
	r := &runner{t: t, bash: bash, dir: dir, bin: binaries(t), known: expressions}
	for _, said := range []string{"<!-- ssactl -->\n## Server-Side Apply", ""} {
		if err := os.WriteFile(filepath.Join(dir, "comment.md"), []byte(said), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, step := range w.Jobs["preview"].Steps {
			if step.Name == "Comment" {
				r.step(step)
			}
		}
	}
	checkCalls(t, dir, "gh api --silent --method PATCH repos/shop/manifests/issues/comments/7 -F body=@comment.md\n"+
		"gh api --silent --method DELETE repos/shop/manifests/issues/comments/7")
}

// writeComments are those of the pull request.
func writeComments(t *testing.T, dir, comments string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "comments.json"), []byte(comments), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkCalls compares what gh was asked to write.
func checkCalls(t *testing.T, dir, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want+"\n", string(got)); diff != "" {
		t.Errorf("calls of gh: (-want +got)\n%s", diff)
	}
}

// runner does what GitHub's does with the scripts of a job.
type runner struct {
	t              *testing.T
	bash, dir, bin string
	known          map[string]string
	log            bytes.Buffer
	code           int
}

func (r *runner) step(step workflowStep) {
	r.t.Helper()
	if (step.Run == "") == (step.Uses == "") {
		r.t.Errorf("step %q has not one of run and uses", step.Name)
	}
	if step.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w/-]+@v\d+$`).MatchString(step.Uses) {
		r.t.Errorf("%s is at no major version", step.Uses)
	}
	if strings.HasPrefix(step.Run, "go install ") && !regexp.MustCompile(`@v\d+\.\d+\.\d+\s*$`).MatchString(step.Run) {
		r.t.Errorf("%s installs no version that is pinned", step.Run)
	}
	if strings.Contains(step.Run, "${{") {
		r.t.Errorf("step %q has an expression in its script, where a value could act", step.Name)
	}
	if step.Run == "" || strings.HasPrefix(step.Run, "go install ") {
		return
	}
	output := filepath.Join(r.dir, "output")
	cmd := exec.Command(r.bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+r.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(r.dir, "summary"))
	for name, v := range step.Env {
		cmd.Env = append(cmd.Env, name+"="+r.evaluate(v))
	}
	cmd.Stdout = &r.log
	var commentary bytes.Buffer
	cmd.Stderr = &commentary
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.code = exit.ExitCode()
	} else if err != nil {
		r.t.Fatal(err)
	}
	if commentary.Len() > 0 {
		r.t.Errorf("step %q on standard error: %s", step.Name, commentary.String())
	}
	r.outputs(step.ID, output)
}

// outputs keeps what a step wrote into GITHUB_OUTPUT.
func (r *runner) outputs(id, file string) {
	b, err := os.ReadFile(file)
	if err != nil {
		return
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		name, v, _ := strings.Cut(line, "=")
		if id != "" {
			r.known["steps."+id+".outputs."+name] = v
		}
	}
}

func (r *runner) evaluate(v string) string {
	return expression.ReplaceAllStringFunc(v, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := r.known[name]
		if !ok {
			r.t.Errorf("%s is not known to the test", e)
		}
		return value
	})
}

// binaries gives a folder with this test binary as ssactl and jq, and a gh that reads the
// comments from a file and writes down what it is asked to write.
func binaries(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for _, name := range []string{"ssactl", "jq"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	gh := `#!/bin/sh
case "$*" in
*--jq*)
  while [ "$1" != --jq ]; do shift; done
  exec jq -r "$2" comments.json ;;
esac
echo gh "$@" >> calls
`
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}
