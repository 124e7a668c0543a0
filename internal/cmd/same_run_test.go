package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/run/settings"
)

// word is one of the description of a run; a value that is a list has one a line.
type word struct{ name, value string }

// sameRuns are upgrades, described once each.
var sameRuns = map[string][]word{
	"Helm 3": {
		{"client", "helm@3"}, {"release", "shop"}, {"release-manifest", "v1.yaml"}, {"namespace", "shop"},
		{"fail-on", "error"},
	},
	"Helm 4": {{"client", "helm@4"}, {"release", "shop"}, {"release-manifest", "v1.yaml"}, {"server-side", "true"},
		{"namespace", "shop"}, {"take-ownership", "true"}},
	"Helm 4 forces": {{"client", "helm"}, {"release", "shop"}, {"server-side", "true"}, {"force-conflicts", "true"}},
	"Argo CD":       {{"client", "argocd"}, {"prune", "true"}, {"fail-on", "risky"}},
	"client-side":   {{"client", "argocd"}, {"server-side", "false"}, {"ignore-field", ".spec.replicas\n.data"}},
	"Flux":          {{"client", "flux"}, {"prune", "true"}, {"force", "true"}, {"override-manager", "kubectl-edit"}},
	"kubectl":       {{"client", "kubectl"}, {"server-side", "false"}, {"kubernetes-version", "1.35"}},
	"no client":     {{"client", "none"}, {"field-manager", "me"}, {"force-conflicts", "true"}},
	"Terraform":     {{"client", "terraform"}, {"fail-on", "error\ntaken-by-force"}},
	"a change":      {{"client", "argocd"}, {"base", "base"}, {"fail-on", "error"}, {"fail-on-existing", "true"}},
	"a manager":     {{"field-manager", "helm"}, {"validate", "warn"}, {"assume-absent", "true"}},
}

// TestSameRun: a description of a run gives the same answer on the command line, as settings
// of a file and of the environment, by the scripts of the action and of other systems, and
// as the configuration of a function.
func TestSameRun(t *testing.T) {
	bin := binaries(t)
	seen := map[string]string{}
	for name, run := range sameRuns {
		s := &sameRun{t: t, dir: t.TempDir(), bin: bin, words: append(run, word{"live", "live.yaml"})}
		s.write()
		want, code := s.markdown(
			append([]string{"ssactl", "apply", "-R", "-f", "manifests", "--config=none"}, s.flags()...),
			nil,
		)
		if len(want) < 200 || code > 1 {
			t.Fatalf("%s: exit code %d\n%s", name, code, want)
		}
		if other := seen[want]; other != "" {
			t.Errorf("%s and %s are one answer: nothing of them is asked", name, other)
		}
		seen[want] = name
		for wrapper, ask := range map[string]func() (string, int){
			".ssactl.yaml": s.byFile, "SSACTL_": s.byEnvironment, "action": s.byAction, "preview.sh": s.byScript, "GitLab": s.byGitLab,
		} {
			got, exit := ask()
			if diff := cmp.Diff(want, got); diff != "" || exit != code {
				t.Errorf("%s by %s: exit code %d, want %d (-command line +%s):\n%s", name, wrapper, exit, code, wrapper, diff)
			}
		}
		s.byFunction(name, code)
	}
}

type sameRun struct {
	t        *testing.T
	dir, bin string
	words    []word
}

// write writes the files of the upgrade.
func (s *sameRun) write() {
	s.t.Helper()
	for file, text := range map[string]string{
		"manifests/web.yaml": upgradeManifests, "base/web.yaml": upgradeDeployed, "live.yaml": upgradeLive, "v1.yaml": upgradeDeployed,
		"settings.yaml": s.lines("\n  - "), "list.yaml": s.list(true), "bare.yaml": s.list(false),
	} {
		path := filepath.Join(s.dir, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(s.dir, ".git"), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// lines are the words as keys of YAML.
func (s *sameRun) lines(item string) string {
	var b strings.Builder
	for _, w := range s.words {
		value := " " + w.value
		if strings.Contains(w.value, "\n") {
			value = item + strings.ReplaceAll(w.value, "\n", item)
		}
		fmt.Fprintf(&b, "%s:%s\n", w.name, value)
	}
	return b.String()
}

// list is the ResourceList of the upgrade, with the words as its configuration or with none.
func (s *sameRun) list(configured bool) string {
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	if configured {
		text += "functionConfig:\n  spec:\n    config: none\n    " + strings.ReplaceAll(
			strings.TrimSpace(s.lines("\n    - ")),
			"\n",
			"\n    ",
		) + "\n"
		text = strings.ReplaceAll(text, "        - ", "    - ")
	}
	text += "items:\n"
	for _, document := range strings.Split(upgradeManifests, "---\n") {
		text += "- " + strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
	}
	return text
}

func (s *sameRun) flags() []string {
	var args []string
	for _, w := range s.words {
		for _, value := range strings.Split(w.value, "\n") {
			args = append(args, "--"+w.name+"="+value)
		}
	}
	return args
}

// variables are the words as variables of the environment.
func (s *sameRun) variables(prefix string) []string {
	var env []string
	for _, w := range s.words {
		env = append(env, prefix+strings.TrimPrefix(settings.Variable(w.name), "SSACTL_")+"="+w.value)
	}
	return env
}

func (s *sameRun) byFile() (string, int) {
	return s.markdown([]string{"ssactl", "apply", "-R", "-f", "manifests", "--config", "settings.yaml"}, nil)
}

func (s *sameRun) byEnvironment() (string, int) {
	return s.markdown(
		[]string{"ssactl", "apply", "-R", "-f", "manifests"},
		append(s.variables("SSACTL_"), "SSACTL_CONFIG=none"),
	)
}

func (s *sameRun) byAction() (string, int) {
	output := filepath.Join(s.dir, "output")
	env := append(
		s.variables(""), "MANIFESTS=manifests", "COMMENT=true", "SARIF=false", "REPORTS=reports",
		"GITHUB_OUTPUT="+output,
	)
	if err := os.MkdirAll(filepath.Join(s.dir, "reports"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if code := s.run([]string{"sh", s.source("hack/action/preview.sh")}, env); code != 0 {
		s.t.Errorf("the action's script ends with %d", code)
	}
	text, err := os.ReadFile(output)
	if err != nil {
		s.t.Fatal(err)
	}
	var code int
	if _, err := fmt.Sscanf(string(text), "exit-code=%d", &code); err != nil {
		s.t.Errorf("%v in %s", err, text)
	}
	return s.read("reports/ssactl.md"), code
}

func (s *sameRun) byScript() (string, int) {
	code := s.run([]string{"sh", s.source("hack/action/preview.sh")}, append(s.variables("SSACTL_"), "REPORTS="))
	return s.read("reports/ssactl.md"), code
}

// byGitLab runs the script of the component's job, without a token for notes.
func (s *sameRun) byGitLab() (string, int) {
	script := strings.Join(readComponent(s.t).job.Script, "\n")
	script = strings.ReplaceAll(script, ".ssactl/", s.source("hack/action")+"/")
	code := s.run([]string{"sh", "-e", "-c", script}, append(s.variables("SSACTL_"), "REPORTS="))
	return s.read("reports/ssactl.md"), code
}

// byFunction compares a function that is configured with one whose settings are variables.
func (s *sameRun) byFunction(name string, code int) {
	lists := map[string]string{}
	for file, env := range map[string][]string{"list.yaml": nil, "bare.yaml": append(s.variables("SSACTL_"), "SSACTL_CONFIG=none")} {
		exit := s.run([]string{"sh", "-c", "ssactl fn < " + file + " > out.yaml"}, env)
		if exit != code {
			s.t.Errorf("%s by fn with %s: exit code %d, want %d", name, file, exit, code)
		}
		_, lists[file], _ = strings.Cut(s.read("out.yaml"), "\nresults:")
	}
	if diff := cmp.Diff(lists["bare.yaml"], lists["list.yaml"]); diff != "" || lists["list.yaml"] == "" {
		s.t.Errorf("%s by fn (-SSACTL_ +functionConfig):\n%s", name, diff)
	}
}

func (s *sameRun) markdown(args, env []string) (string, int) {
	code := s.run(append(args, "-q", "-o", "name", "-o", "markdown=out.md"), env)
	return s.read("out.md"), code
}

func (s *sameRun) run(args, env []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	if args[0] == "ssactl" {
		cmd.Path = filepath.Join(s.bin, "ssactl")
		cmd.Err = nil
	}
	cmd.Dir = s.dir
	cmd.Env = append(append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH")), env...)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); err == nil || code == 1 {
		return code
	}
	s.t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	return 2
}

// configWord is how a command that is printed says where settings are: there they differ.
var configWord = regexp.MustCompile(` --config[= ]\S+`)

// settingsLine is where an answer says what settings, other than flags, do to it.
var settingsLine = regexp.MustCompile(
	`(\n  - message: '| )[^'.\n]*(: true| left out by [^()]*) \((SSACTL_[A-Z_]+|settings\.yaml:\d+)\)\.('\n    severity: warning)?`,
)

func (s *sameRun) read(file string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		s.t.Error(err)
	}
	if err := os.Remove(filepath.Join(s.dir, file)); err != nil {
		s.t.Error(err)
	}
	return settingsLine.ReplaceAllString(configWord.ReplaceAllString(string(text), ""), "")
}

func (s *sameRun) source(file string) string {
	path, err := filepath.Abs(filepath.Join("..", "..", filepath.FromSlash(file)))
	if err != nil {
		s.t.Fatal(err)
	}
	return path
}

const upgradeManifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data: {mode: fast}
`

// upgradeDeployed is the manifest of the release before.
var upgradeDeployed = strings.NewReplacer("web:2", "web:1", "fast", "slow").Replace(upgradeManifests) + `---
apiVersion: v1
kind: ConfigMap
metadata: {name: old, namespace: shop}
data: {a: b}
`

const upgradeLive = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  uid: 1b1b1b1b-0000-4000-8000-000000000001
  resourceVersion: "7"
  generation: 3
  labels: {app: web}
  managedFields:
  - {manager: helm, operation: Update, apiVersion: apps/v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:selector": {}, "f:template": {"f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:containers": {"k:{\"name\":\"web\"}": {".": {}, "f:name": {}, "f:image": {}}}}}}}}
  - {manager: kube-controller-manager, operation: Update, apiVersion: apps/v1, subresource: scale, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}
spec:
  replicas: 7
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  namespace: shop
  uid: 1b1b1b1b-0000-4000-8000-000000000002
  resourceVersion: "8"
  managedFields:
  - {manager: kubectl-edit, operation: Update, apiVersion: v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:mode": {}}}}
data: {mode: slow}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: old
  namespace: shop
  uid: 1b1b1b1b-0000-4000-8000-000000000003
  resourceVersion: "9"
  managedFields:
  - {manager: helm, operation: Update, apiVersion: v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}}
data: {a: b}
`
