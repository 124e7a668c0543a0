package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestPrintedCommands runs every command that the console blocks of the pages print, in
// a copy of the example: none is a usage error, only what has --write writes, and an edit
// is what the answer recommends.
func TestPrintedCommands(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for page, folder := range pages {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(docs, page))
			if err != nil {
				t.Fatal(err)
			}
			inCopy(t, filepath.Join(docs, "..", "examples", folder))
			for _, block := range strings.Split(string(text), "```console\n$ ssactl ")[1:] {
				command, _, _ := strings.Cut(block, "\n")
				words, err := shellWords(command)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range printedCommands(printed(words)) {
					runPrinted(t, p)
				}
			}
		})
	}
}

// TestPrintedCommandsOfAnUpgrade does so for charts whose live objects were written by
// Helm, autoscalers, an injector and a person. What an edit changes is counted, too: it is
// what the sentence above it says.
func TestPrintedCommandsOfAnUpgrade(t *testing.T) {
	for i, manager := range []string{"argocd-controller", "kubectl", "web-team"} {
		for j, asked := range []string{"apply", "apply -v", "apply --force-conflicts", "explain"} {
			if every := sampled.Every(t, 4); (i+j)%every != 0 {
				continue
			}
			t.Run(manager+" "+asked, func(t *testing.T) {
				t.Chdir(t.TempDir())
				upgrade(t)
				words := append(strings.Fields(asked), "-R", "-f", "v2", "--live", "live.yaml", "--field-manager", manager)
				list := printedCommands(printed(words))
				if len(list) == 0 {
					t.Fatal("nothing is printed")
				}
				for _, p := range list {
					runPrinted(t, p)
				}
				editsInOrder(t, list)
			})
		}
	}
}

// A fix of one object leaves the others alone, whose field of that name is meant.
func TestPrintedCommandsLeaveOthersAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	upgrade(t)
	cart := filepath.Join("v2", "cart.yaml")
	before, err := os.ReadFile(cart)
	if err != nil {
		t.Fatal(err)
	}
	text := printed(
		[]string{
			"apply", "-R", "-f", "v2", "--live", "live.yaml", "--field-manager", "argocd-controller",
			"--force-conflicts",
		},
	)
	for _, p := range printedCommands(text) {
		if strings.Contains(p.line, "--write") {
			printed(p.words(t))
		}
	}
	after, err := os.ReadFile(cart)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Errorf("edited:\n%s\nby what this prints:\n%s", after, text)
	}
	if web, _ := os.ReadFile(filepath.Join("v2", "web.yaml")); bytes.Contains(web, []byte("replicas: ")) {
		t.Errorf("not edited:\n%s", web)
	}
}

// printedCommand is one with the text between it and the one before it.
type printedCommand struct{ line, above string }

// printedLine is a command line, whose flags stand first, and no sentence about one.
// What asks a cluster, and steps that are not in files yet, cannot be run here.
var (
	printedLine = regexp.MustCompile(`(?m)^ *((?:ssactl \w+(?: \w+)?|kubectl apply) -.*)$`)
	elsewhere   = regexp.MustCompile(`^ssactl snapshot .*--to|-f step-\d`)
)

func printedCommands(text string) []printedCommand {
	var out []printedCommand
	end := 0
	for _, at := range printedLine.FindAllStringSubmatchIndex(text, -1) {
		if line := text[at[2]:at[3]]; !elsewhere.MatchString(line) {
			out = append(out, printedCommand{line, text[end:at[0]]})
		}
		end = at[1]
	}
	return out
}

func (p printedCommand) words(t *testing.T) []string {
	t.Helper()
	words, err := shellWords(p.line)
	if err != nil {
		t.Fatal(err)
	}
	return words[1:]
}

// runPrinted runs a command as it is printed, and undoes what it wrote.
func runPrinted(t *testing.T, p printedCommand) {
	t.Helper()
	words := p.words(t)
	if strings.HasPrefix(p.line, "kubectl") {
		words = asSimulated(words)
	}
	before := contents(t)
	defer restore(t, before)
	code, text := runIn(words)
	if code != 0 && code != 1 && code != 3 {
		t.Errorf("%s ends with %d:\n%s", p.line, code, text)
	}
	after := contents(t)
	if !slices.Contains(words, "--write") {
		if !maps.Equal(before, after) {
			t.Errorf("%s writes files", p.line)
		}
		return
	}
	restore(t, before)
	was := conflictsOf(t, words)
	restore(t, after)
	left := conflictsOf(t, words)
	edited := 0
	for key, advice := range was {
		if _, still := left[key]; still {
			continue
		}
		if edited++; advice != "StopManaging" && advice != "UseLiveValue" {
			t.Errorf("%s edits %s, about which it is recommended to %s", p.line, key, advice)
		}
	}
	if said, known := p.said(); edited == 0 || known && said != edited {
		t.Errorf("%s edits %d fields, and %d are said:\n%s", p.line, edited, said, p.above)
	}
}

var (
	saidFields  = regexp.MustCompile(`(?:owns|loses) (\d+) fields?;`)
	saidObjects = regexp.MustCompile(`Risky?: \S+ in\s+(\d+) [A-Z]`)
)

// said is how many fields the text above a command is about, where it counts them.
func (p printedCommand) said() (int, bool) {
	for _, counted := range []*regexp.Regexp{saidObjects, saidFields} {
		if found := counted.FindAllStringSubmatch(p.above, -1); found != nil {
			n, err := strconv.Atoi(found[len(found)-1][1])
			return n, err == nil
		}
	}
	return 0, false
}

// editsInOrder runs the edits one after the other, and then what is forced: only what was
// recommended to be forced is taken, beside what is to be migrated.
func editsInOrder(t *testing.T, list []printedCommand) {
	t.Helper()
	before := contents(t)
	defer restore(t, before)
	var forced [][]string
	for _, p := range list {
		words := p.words(t)
		switch {
		case strings.HasPrefix(p.line, "kubectl"):
			forced = append(forced, asSimulated(words))
		case slices.Contains(words, "--write"):
			runIn(words)
		}
	}
	for _, words := range forced {
		unforced := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "--force-conflicts" })
		for key, advice := range conflictsOf(t, unforced) {
			if advice != "Force" && advice != "Migrate" && advice != "None" {
				t.Errorf("%v takes %s, about which it is recommended to %s", words, key, advice)
			}
		}
		if code, text := runIn(words); code != 0 {
			t.Errorf("%v ends with %d:\n%s", words, code, text)
		}
	}
}

// asSimulated is an apply by kubectl as ours on the live objects of these tests.
func asSimulated(words []string) []string {
	return append([]string{"apply", "--live=live.yaml"}, words[1:]...)
}

// conflictsOf are what is recommended about the conflicts of the apply that a command is
// about, by object and field.
func conflictsOf(t *testing.T, words []string) map[string]string {
	t.Helper()
	apply := []string{"apply", "-o", "report"}
	for _, word := range words[1:] {
		name, _, _ := strings.Cut(word, "=")
		switch name {
		case "--write",
			"--all-stop-managing", "--all-use-live-value", "--force-conflicts", "--server-side",
			"--stop-managing", "--use-live-value",
			"--owned-by":
		default:
			apply = append(apply, word)
		}
	}
	var stdout, stderr bytes.Buffer
	Main(apply, iostreams.New(strings.NewReader(""), &stdout, &stderr, nil))
	var r struct {
		Results []struct {
			Target   report.Target
			Findings []struct {
				Rule, Field string
				Fixes       []struct{ Command string }
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v: %v\n%s", apply, err, stderr.String())
	}
	out := map[string]string{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Rule != report.RuleConflict {
				continue
			}
			advice := "None"
			if len(f.Fixes) > 0 {
				advice = adviceOf(f.Fixes[0].Command)
			}
			out[fmt.Sprintf("%s %s/%s %s", result.Target.Kind, result.Target.Namespace, result.Target.Name, f.Field)] = advice
		}
	}
	return out
}

// adviceOf is the resolution that the command of a fix makes; None for another one.
func adviceOf(line string) string {
	for word, advice := range map[string]string{
		"stop-managing": "StopManaging", "use-live-value": "UseLiveValue", "--force-conflicts": "Force", "migrate": "Migrate",
	} {
		if strings.Contains(line, word) {
			return advice
		}
	}
	return "None"
}

func runIn(args []string) (int, string) {
	var stdout, stderr bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &stdout, &stderr, nil))
	return code, stderr.String() + stdout.String()
}

func inCopy(t *testing.T, folder string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// contents are the files of the folder.
func contents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func restore(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// upgrade makes a chart at two versions, v1 and v2, and live objects on which everybody
// has been at work.
func upgrade(t *testing.T) {
	t.Helper()
	for version, chart := range map[string]string{"v1": upgradeOf("1.4.0", "2"), "v2": upgradeOf("1.5.0", "4")} {
		if err := os.Mkdir(version, 0o755); err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(chart, "\n===\n") {
			name := []string{"api", "web", "cart", "others"}[i]
			if err := os.WriteFile(filepath.Join(version, name+".yaml"), []byte(part), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	create := []string{
		"create", "-f", "v1", "--field-manager", "helm", "--show-managed-fields", "--show-secrets", "-o",
		"yaml",
	}
	if code := Main(create, iostreams.New(strings.NewReader(""), &stdout, &stderr, nil)); code != 0 {
		t.Fatal(stderr.String())
	}
	if err := os.WriteFile("live.yaml", stdout.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{
		{"scale", "deployment/api", "--replicas", "5", "--field-manager", "kube-controller-manager"},
		{"scale", "deployment/web", "--replicas", "5", "--field-manager", "kube-controller-manager"},
		{"patch", "deployment/web", "--type", "strategic", "--field-manager", "kubectl-edit", "-p",
			`{"spec": {"template": {"spec": {"containers": [{"name": "web", "resources": {"limits": {"memory": "1Gi"}}}]}}}}`},
		{"patch", "validatingwebhookconfiguration/shop", "--type", "json", "--field-manager", "cert-manager-cainjector", "-p",
			`[{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUIKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="}]`},
	} {
		if code, text := runIn(append(words, "--live", "live.yaml", "--write", "-q")); code != 0 {
			t.Fatal(text)
		}
	}
}

// upgradeOf is the chart at a version, whose cart has so many replicas.
func upgradeOf(version, replicas string) string {
	workload := func(name, replicas string) string {
		return strings.NewReplacer("NAME", name, "VERSION", version, "REPLICAS", replicas).Replace(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
  namespace: shop
  labels: {app: NAME, version: "VERSION"}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - name: NAME
        image: registry.example.com/NAME:VERSION
        resources: {limits: {memory: 512Mi}}
`)
	}
	scaler := func(name string) string {
		return strings.NewReplacer("NAME", name, "VERSION", version).Replace(`---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: NAME, namespace: shop, labels: {version: "VERSION"}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}
  minReplicas: 2
  maxReplicas: 9
`)
	}
	return workload(
		"api",
		"3",
	) + scaler(
		"api",
	) + "\n===\n" + workload(
		"web",
		"3",
	) + scaler(
		"web",
	) + "\n===\n" + workload(
		"cart",
		replicas,
	) + "\n===\n" +
		strings.ReplaceAll(
			`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: shop
  labels: {version: "VERSION"}
  annotations: {cert-manager.io/inject-ca-from: shop/ca}
webhooks:
- name: orders.shop.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service: {name: api, namespace: shop}
    caBundle: ""
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: orders.shop.example.com, labels: {version: "VERSION"}}
spec:
  group: shop.example.com
  names: {kind: Order, plural: orders}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, description: "VERSION"}}
---
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop, labels: {version: "VERSION"}}
data: {password: aHVudGVyMg==}
`,
			"VERSION",
			version,
		)
}
