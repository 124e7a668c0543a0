package cmd

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// component is templates/preview.yml, as far as it is run.
type component struct {
	Spec struct {
		Inputs map[string]struct {
			Default string `json:"default"`
			Regex   string `json:"regex"`
		} `json:"inputs"`
	} `json:"spec"`
	job struct {
		Variables map[string]struct {
			Value  string `json:"value"`
			Expand *bool  `json:"expand"`
		} `json:"variables"`
		BeforeScript []string `json:"before_script"`
		Script       []string `json:"script"`
	}
}

func readComponent(t *testing.T) component {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "templates", "preview.yml"))
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(raw), "\n---\n")
	var c component
	var jobs map[string]json.RawMessage
	if err := errors.Join(yaml.Unmarshal([]byte(head), &c), yaml.Unmarshal([]byte(body), &jobs)); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(jobs["ssactl"], &c.job); err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs: %v", len(jobs), err)
	}
	return c
}

// script is what a runner executes, a line each.
func (c component) script() string {
	return strings.Join(append(c.job.BeforeScript, c.job.Script...), "\n")
}

var inputValue = regexp.MustCompile(`\$\[\[ *inputs\.([a-z-]+) *\]\]`)

// variables are those of the job, with inputs that are given or the defaults.
func (c component) variables(t *testing.T, given map[string]string) []string {
	t.Helper()
	var env []string
	for name, v := range c.job.Variables {
		if v.Expand == nil || *v.Expand {
			t.Errorf("%s is expanded: a value could name another variable", name)
		}
		env = append(env, name+"="+inputValue.ReplaceAllStringFunc(v.Value, func(of string) string {
			name := inputValue.FindStringSubmatch(of)[1]
			in, known := c.Spec.Inputs[name]
			if !known {
				t.Errorf("%s is no input", name)
			}
			if value, is := given[name]; is {
				return value
			}
			return in.Default
		}))
	}
	return env
}

// gitlab is a runner with a clone of a project, a release to download, and an API in files.
type gitlab struct {
	t                  *testing.T
	dir, release, fake string
	env                []string
}

// fakeCurl serves a release and GitLab's API from files, and records what is written.
const fakeCurl = `#!/bin/sh
method=GET out= data= url= config=
while [ $# -gt 0 ]; do
  case $1 in
  --request) method=$2; shift ;;
  --data) data=${2#@}; shift ;;
  --output) out=$2; shift ;;
  --config) config=$(cat); shift ;;
  --header | --retry | --proto) shift ;;
  http*) url=$1 ;;
  esac
  shift
done
case $url in
*/releases/download/*) cp "$RELEASE/${url##*/}" "$out" ;;
*)
  case $config in *'PRIVATE-TOKEN: secret'*) ;; *) exit 22 ;; esac
  case "$method $url" in
  "GET "*/user) echo '{"id": 7}' ;;
  "GET "*) cat "$NOTES" ;;
  *) echo "$method ${url#https://gitlab.example.com/api/v4}" >> "$CALLS"; if [ -n "$data" ]; then jq -r .body "$data" > "$CALLS.body"; fi ;;
  esac ;;
esac
`

func newGitLab(t *testing.T) *gitlab {
	t.Helper()
	for _, name := range []string{"sh", "git", "tar", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the component runs %s: %v", name, err)
		}
	}
	root := t.TempDir()
	g := &gitlab{
		t:       t,
		dir:     filepath.Join(root, "clone"),
		release: filepath.Join(root, "release"),
		fake:    filepath.Join(root, "bin"),
	}
	g.makeRelease()
	origin := filepath.Join(root, "origin")
	g.write(filepath.Join(origin, "live", "shop.yaml"), g.example("live/shop.yaml"))
	g.write(
		filepath.Join(origin, "manifests", "web.yaml"),
		strings.ReplaceAll(g.example("manifests/web.yaml"), "replicas: 3\n", "replicas: 5\n"),
	)
	g.git(origin, "init", "-q", "-b", "main")
	g.git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	g.commit(origin, "first")
	base := g.git(origin, "rev-parse", "HEAD")
	g.git(origin, "checkout", "-q", "-b", "change")
	g.write(filepath.Join(origin, "manifests", "web.yaml"), g.example("manifests/web.yaml"))
	// The live objects of the merge request are not believed.
	g.write(filepath.Join(origin, "live", "shop.yaml"), "apiVersion: v1\nkind: List\nitems: []\n")
	g.commit(origin, "change")
	g.git(root, "clone", "-q", "--depth", "1", "--branch", "change", "file://"+origin, g.dir)
	g.write(filepath.Join(g.fake, "curl"), fakeCurl)
	g.write(filepath.Join(root, "notes.json"), "[]")
	if err := os.Chmod(filepath.Join(g.fake, "curl"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{g.fake, binaries(t), os.Getenv("PATH")}, string(os.PathListSeparator))
	g.env = append(os.Environ(), "PATH="+path, "RELEASE="+g.release, "NOTES="+filepath.Join(root, "notes.json"),
		"CALLS="+filepath.Join(root, "calls"), "CI_API_V4_URL=https://gitlab.example.com/api/v4", "CI_PROJECT_ID=3",
		"CI_MERGE_REQUEST_IID=9", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base,
		"GIT_CONFIG_GLOBAL=/dev/null", "REPORTS=")
	return g
}

func (g *gitlab) example(file string) string {
	g.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "ci", filepath.FromSlash(file)))
	if err != nil {
		g.t.Fatal(err)
	}
	return string(text)
}

func (g *gitlab) write(file, text string) {
	g.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitlab) git(dir string, args ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (g *gitlab) commit(dir, message string) {
	g.git(dir, "add", "-A")
	g.git(dir, "commit", "-q", "-m", message)
}

// makeRelease makes what a release has that the component downloads; the program in it is this
// test's.
func (g *gitlab) makeRelease() {
	g.t.Helper()
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	tarred := tar.NewWriter(zipped)
	program := "#!/bin/sh\nexec " + filepath.Join(binaries(g.t), "ssactl") + ` "$@"` + "\n"
	header := &tar.Header{Name: "ssactl", Mode: 0o755, Size: int64(len(program)), Typeflag: tar.TypeReg}
	err := tarred.WriteHeader(header)
	_, errWrite := fmt.Fprint(tarred, program)
	if err := errors.Join(err, errWrite, tarred.Close(), zipped.Close()); err != nil {
		g.t.Fatal(err)
	}
	files := map[string]string{fmt.Sprintf("ssactl_1.0.0_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH): archive.String()}
	for _, name := range []string{"install.sh", "preview.sh", "comment.sh"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "hack", "action", name))
		if err != nil {
			g.t.Fatal(err)
		}
		files[name] = string(text)
	}
	sums := ""
	for name, text := range files {
		g.write(filepath.Join(g.release, name), text)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name)
	}
	g.write(filepath.Join(g.release, "checksums.txt"), sums)
}

// run runs the job in a fresh clone, and gives its exit code and log.
func (g *gitlab) run(c component, inputs map[string]string, env ...string) (int, string) {
	g.t.Helper()
	for _, name := range []string{".ssactl", "reports", "trusted"} {
		if err := os.RemoveAll(filepath.Join(g.dir, name)); err != nil {
			g.t.Fatal(err)
		}
	}
	_ = os.Remove(g.calls())
	cmd := exec.Command("sh", "-e", "-c", c.script())
	cmd.Dir = g.dir
	cmd.Env = append(append(g.env, c.variables(g.t, inputs)...), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		g.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (g *gitlab) calls() string { return filepath.Join(filepath.Dir(g.dir), "calls") }

func (g *gitlab) called() string {
	text, _ := os.ReadFile(g.calls())
	return string(text)
}

// TestGitLabComponent runs the job of the component with a release, a shallow clone and the API
// of GitLab in files: the change is compared with the merge base, on the live objects of the
// target branch, and its note is written, written anew, and removed.
func TestGitLabComponent(t *testing.T) {
	g, c := newGitLab(t), readComponent(t)
	inputs := map[string]string{"client": "argocd", "fail-on": "error"}
	code, log := g.run(c, inputs, "SSACTL_NOTES_TOKEN=secret")
	if code != 1 || !strings.Contains(log, "This change since ") ||
		!strings.Contains(log, "kube-controller-manager sets 5, argocd-controller sets 3") {
		t.Fatalf("exit code %d\n%s", code, log)
	}
	if diff := cmp.Diff("POST /projects/3/merge_requests/9/notes\n", g.called()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	body, err := os.ReadFile(g.calls() + ".body")
	if err != nil ||
		!strings.HasPrefix(string(body), "<!-- ssactl -->\n## Server-Side Apply: 1 error\n\nThis change: 1 object, ") {
		t.Errorf("the note is\n%s", body)
	}
	var issues []map[string]any
	quality, err := os.ReadFile(filepath.Join(g.dir, "reports", "codequality.json"))
	if err := errors.Join(err, json.Unmarshal(quality, &issues)); err != nil || len(issues) != 1 ||
		issues[0]["check_name"] != "never-settles" {
		t.Errorf("%v: %s", err, quality)
	}
	notes := filepath.Join(filepath.Dir(g.dir), "notes.json")
	ours := `{"id": 4, "system": false, "author": {"id": 7}, "body": "<!-- ssactl -->\nold"}`
	g.write(notes, `[{"id": 2, "system": false, "author": {"id": 8}, "body": "<!-- ssactl -->\nI copied this"}, `+ours+`]`)
	if g.run(c, inputs, "SSACTL_NOTES_TOKEN=secret"); g.called() != "PUT /projects/3/merge_requests/9/notes/4\n" {
		t.Errorf("a second run calls %q", g.called())
	}
	// Nothing differs from the merge base.
	code, log = g.run(
		c,
		inputs,
		"SSACTL_NOTES_TOKEN=secret",
		"CI_MERGE_REQUEST_DIFF_BASE_SHA="+g.git(g.dir, "rev-parse", "HEAD"),
	)
	if code != 0 || g.called() != "DELETE /projects/3/merge_requests/9/notes/4\n" {
		t.Errorf("exit code %d, calls %q\n%s", code, g.called(), log)
	}
	if code, _ := g.run(c, inputs); code != 1 || g.called() != "" {
		t.Errorf("without a token: exit code %d, calls %q", code, g.called())
	}
	for name, broken := range map[string][]string{
		"a base that is not there":   {"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + strings.Repeat("0", 40)},
		"a base that is no commit":   {"CI_MERGE_REQUEST_DIFF_BASE_SHA=--upload-pack=touch owned"},
		"a target that is not there": {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=none"},
	} {
		if code, log := g.run(c, inputs, append(broken, "SSACTL_NOTES_TOKEN=secret")...); code != 2 || g.called() != "" {
			t.Errorf("%s: exit code %d, calls %q\n%s", name, code, g.called(), log)
		}
	}
	g.write(filepath.Join(g.release, "preview.sh"), "echo changed\n")
	if code, log := g.run(c, inputs); code == 0 || strings.Contains(log, "\nchanged\n") {
		t.Errorf("a script with another checksum runs: %d\n%s", code, log)
	}
}

// TestGitLabInputs: no value of an input or of GitLab's own variables is read as a part of a
// script, as an option or as a pattern.
func TestGitLabInputs(t *testing.T) {
	g, c := newGitLab(t), readComponent(t)
	if strings.Contains(c.script(), "$[[") {
		t.Error("an input is a part of a script, where its value could act")
	}
	hostile := []string{
		"$(touch owned)",
		"`touch owned`",
		"; touch owned",
		"'; touch owned; '",
		"\"; touch owned; \"",
		"--output=owned",
		"-o\nname=owned",
		"a\nb$(touch owned)",
		"*",
		":(glob)**",
		"../../../etc/passwd",
		"\x1b[31m",
		"::error::x",
	}
	ran := 0
	try := func(name string, inputs map[string]string, env ...string) {
		t.Helper()
		ran++
		code, log := g.run(c, inputs, env...)
		for _, dir := range []string{g.dir, filepath.Join(g.dir, ".ssactl"), filepath.Dir(g.dir)} {
			if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
				t.Fatalf("%s acts:\n%s", name, log)
			}
		}
		// 22 is curl's, where a mirror has no release.
		if code > 2 && code != 22 || strings.Contains(log, "root:x:0") {
			t.Errorf("%s: exit code %d\n%s", name, code, log)
		}
	}
	for i, value := range hostile {
		// Each value in one input after the other takes long: each input has several of them.
		n := 0
		for _, name := range []string{"manifests", "kustomize", "trusted", "live", "config", "client", "fail-on", "releases"} {
			if n++; n%3 == i%3 {
				try(fmt.Sprintf("%s=%q", name, value), map[string]string{"client": "argocd", name: value})
			}
		}
		if i%2 == 0 {
			try(fmt.Sprintf("the target %q", value), nil, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME="+value)
			try(fmt.Sprintf("the number %q", value), nil, "CI_MERGE_REQUEST_IID="+value, "SSACTL_NOTES_TOKEN=secret")
		}
	}
	if ran < 40 {
		t.Errorf("%d runs", ran)
	}
	if version := c.Spec.Inputs["version"]; version.Regex == "" ||
		regexp.MustCompile(version.Regex).MatchString("v1.0.0; touch x") {
		t.Errorf("versions are %q", version.Regex)
	}
}
