package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/test/sampled"
)

// TestUpgrade has what a reviewer sees of an upgrade that takes a release over: however
// large it is, it takes two screens, and begins with what breaks.
func TestUpgrade(t *testing.T) {
	for _, r := range sampled.Of(t, 6, []release{{8, "create"}, {8, "apply"}, {1, "create"}, {1, "apply"}, {59, "create"}, {59, "apply"}}) {
		t.Run(fmt.Sprintf("%d apps, %s", r.apps, r.installed), func(t *testing.T) {
			t.Chdir(t.TempDir())
			r.make(t)
			asked := []string{
				"-R", "-f", "v2", "--live", "live.yaml", "--field-manager", "argocd-controller", "--now",
				"2026-11-24T00:00:00Z",
			}
			forced := append([]string{"apply", "--force-conflicts"}, asked...)
			checkUpgrade(t, printed(append(forced, "-o", "text", "-o", "github=annotations", "-o", "markdown=comment.md")), 48)
			checkUpgrade(t, printed(append([]string{"apply"}, asked...)), 60)
			checkBrief(t, printed(append(forced, "-o", "brief")))
			checkBrief(t, printed(append([]string{"apply"}, append(asked, "-o", "brief")...)))
			checkBrief(t, printed(append([]string{"explain"}, append(asked, "-o", "brief")...)))
			written := contents(t)
			checkAnnotations(t, written["annotations"])
			checkComment(t, written["comment.md"])
			if text := printed(append([]string{"explain"}, asked...)); strings.Count(text, "\n") > 120 ||
				!strings.Contains(text, "ssactl resolve -f v2 --live=live.yaml -R ") {
				t.Errorf("explain:\n%s", text)
			}
			code, text := runIn(append(forced, "--fail-on", "error"))
			if code != 1 || !strings.Contains(text, "exit 1: --fail-on error") {
				t.Errorf("with --fail-on error: %d\n%s", code, text)
			}
		})
	}
}

var severityOf = regexp.MustCompile(`(?m)^(error|warning|note) +`)

// checkUpgrade: one line above the first error, the worst first, nothing twice.
func checkUpgrade(t *testing.T, text string, most int) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > most {
		t.Errorf("%d lines, want at most %d:\n%s", len(lines), most, text)
	}
	if len(lines) < 3 || !strings.HasPrefix(lines[2], "error ") {
		t.Errorf("the first error is not on line 3:\n%s", text)
	}
	rank := map[string]int{"error": 0, "warning": 1, "note": 2}
	worst := 0
	for _, found := range severityOf.FindAllStringSubmatch(text, -1) {
		if rank[found[1]] < worst {
			t.Errorf("%s comes late:\n%s", found[1], text)
		}
		worst = rank[found[1]]
	}
	for _, want := range []string{"clientConfig.caBundle", ".spec.replicas", "5 -> 3", "debug -> info", "v2/hook.yaml:", "takeover"} {
		if !strings.Contains(text, filepath.FromSlash(want)) {
			t.Errorf("%s is not said:\n%s", want, text)
		}
	}
	rows := map[string]int{}
	for _, l := range lines {
		if rows[l]++; rows[l] > 1 && strings.TrimSpace(l) != "" && !strings.HasPrefix(strings.TrimSpace(l), "Recommended") &&
			strings.Contains(l, " -> ") {
			t.Errorf("said twice: %s", l)
		}
	}
}

// checkAnnotations: each error is among the first ten, with its line, by the name of its
// rule.
func checkAnnotations(t *testing.T, text string) {
	t.Helper()
	errors := regexp.MustCompile(`(?m)^::error file=(\S+?),line=\d+,title=([a-z-]+)`).FindAllStringSubmatch(text, -1)
	if len(errors) == 0 || len(errors) > 10 || !strings.HasPrefix(text, "::error ") {
		t.Fatalf("%d errors:\n%s", len(errors), text)
	}
	rules := map[string]bool{}
	for _, e := range errors {
		rules[e[2]] = true
	}
	if !rules["injected-field"] || !rules["replicas-autoscaled"] {
		t.Errorf("rules %v:\n%s", rules, text)
	}
}

// checkComment: the findings come as a table, and each object is folded or whole.
func checkComment(t *testing.T, text string) {
	t.Helper()
	table, rest, _ := strings.Cut(text, "<details")
	for _, want := range []string{"| Severity | Before → after | Object |", "clientConfig.caBundle", "| <b>error</b> |", "| <b>warning</b> |"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %s above the objects:\n%.3000s", want, text)
		}
	}
	if open, closed := strings.Count(rest, "<details")+1, strings.Count(rest, "</details>"); open != closed ||
		strings.Count(text, "<details open>") > 10 {
		t.Errorf("%d sections begin, %d end", open, closed)
	}
}

// release is one of so many apps. Helm installed it client-side, which creates, or
// server-side, which applies.
type release struct {
	apps      int
	installed string
}

// make writes the charts, and live objects that Helm, autoscalers, an injector and a person
// wrote.
func (r release) make(t *testing.T) {
	t.Helper()
	apps := r.apps
	for _, version := range []string{"1.4.0", "1.5.0"} {
		dir := map[string]string{"1.4.0": "v1", "1.5.0": "v2"}[version]
		writeChart(t, dir, "hook", strings.NewReplacer("VERSION", version).Replace(hookChart))
		for i := range apps {
			name := fmt.Sprintf("app-%d", i)
			writeChart(
				t,
				filepath.Join(dir, name),
				"app",
				strings.NewReplacer("NAME", name, "VERSION", version).Replace(appChart),
			)
		}
		if apps > 1 {
			writeChart(
				t,
				dir,
				"scalers",
				strings.ReplaceAll(scalerChart, "NAME", "app-0")+"---\n"+strings.ReplaceAll(scalerChart, "NAME", "app-1"),
			)
		} else {
			writeChart(t, dir, "scalers", strings.ReplaceAll(scalerChart, "NAME", "app-0"))
		}
	}
	live := printed(
		[]string{
			r.installed, "-R", "-f", "v1", "--field-manager", "helm", "--show-managed-fields", "-o", "yaml",
			"-q", "--now", "2026-10-01T00:00:00Z",
		},
	)
	if err := os.WriteFile("live.yaml", []byte(live[strings.Index(live, "apiVersion:"):]), 0o600); err != nil {
		t.Fatal(err)
	}
	scaled := []string{"deployment/app-0", "deployment/app-1"}[:min(apps, 2)]
	for _, words := range [][]string{
		append([]string{"scale", "--replicas", "5", "--field-manager", "kube-controller-manager"}, scaled...),
		{"patch", "deployment/app-0", "--type", "strategic", "--field-manager", "kubectl-edit", "-p",
			`{"spec": {"template": {"spec": {"containers": [{"name": "main", "env": [{"name": "LOG", "value": "debug"}]}]}}}}`},
		{"patch", "validatingwebhookconfiguration/shop", "--type", "json", "--field-manager", "cert-manager-cainjector", "-p",
			`[{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUIKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="}]`},
	} {
		if code, text := runIn(append(words, "-n", "shop", "--live", "live.yaml", "--write", "-q")); code != 0 {
			t.Fatal(text)
		}
	}
}

func writeChart(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	hookChart = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: shop
  labels: {app.kubernetes.io/version: VERSION}
  annotations: {cert-manager.io/inject-ca-from: shop/ca}
webhooks:
- name: orders.shop.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service: {name: app-0, namespace: shop}
    caBundle: ""
`
	scalerChart = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: NAME, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}
  minReplicas: 2
  maxReplicas: 9
`
	appChart = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
  namespace: shop
  labels: {app: NAME, app.kubernetes.io/version: VERSION, helm.sh/chart: shop-VERSION}
spec:
  replicas: 3
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - name: main
        image: registry.example.com/NAME:VERSION
        env: [{name: LOG, value: info}]
---
apiVersion: v1
kind: Service
metadata: {name: NAME, namespace: shop, labels: {app.kubernetes.io/version: VERSION}}
spec:
  selector: {app: NAME}
  ports: [{port: 80}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: NAME, namespace: shop, labels: {app.kubernetes.io/version: VERSION}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: NAME, namespace: shop, labels: {app.kubernetes.io/version: VERSION}}
data: {version: VERSION}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: NAME, namespace: shop, labels: {app.kubernetes.io/version: VERSION}}
spec:
  minAvailable: 1
  selector: {matchLabels: {app: NAME}}
`
)
