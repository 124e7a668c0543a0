package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/sampled"
)

// merge is a change of the manifests of a release whose live objects have drifted: replicas
// by an autoscaler, a variable by hand, a CA bundle by an injector.
type merge struct {
	before, after edits
	// differ are the objects that are listed, with their outcomes; findings those that are
	// caused or fixed, without notes and caveats.
	differ, findings []string
	code             int
	flags            []string
}

// edits change files; nil for none.
type edits func(files map[string]string)

// replaced replaces a text of a file that has it.
func replaced(file, old, new string) edits {
	return func(files map[string]string) {
		if !strings.Contains(files[file], old) {
			panic(file + " has no " + old)
		}
		files[file] = strings.ReplaceAll(files[file], old, new)
	}
}

func added(file, text string) edits {
	return func(files map[string]string) { files[file] = text }
}

func moved(from, to string) edits {
	return func(files map[string]string) {
		files[to] = files[from]
		delete(files, from)
	}
}

const (
	application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://example.com/shop, path: manifests}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  syncPolicy: {syncOptions: [ServerSideApply=true, RespectIgnoreDifferences=true]}
`
	ignoring = `  ignoreDifferences:
  - {group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}
`
	denial = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: object.spec.replicas > 9, message: too few}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
`
	theApp, theHook = "manifests/app-0.yaml", "manifests/hook.yaml"
	replicas        = "deployment.apps/app-0 .spec.replicas replicas-autoscaled"
	logged          = `deployment.apps/app-0 .spec.template.spec.containers[name="main"].env[name="LOG"].value taken-by-force`
	image           = "deployment.apps/app-0 Configured"
)

// merges are those of the suite.
var merges = map[string]merge{
	"nothing":     {},
	"a comment":   {after: replaced(theApp, "  replicas: 3\n", "  # few\n  replicas: 3\n")},
	"the style":   {after: replaced(theApp, "{matchLabels: {app: app-0}}", "\n    matchLabels:\n      app: app-0")},
	"the name":    {after: moved(theApp, "manifests/sub/zoo.yaml")},
	"a new image": {after: replaced(theApp, "app-0:1.4", "app-0:2.4"), differ: []string{image}},
	"a new image in a renamed file": {differ: []string{image}, after: func(files map[string]string) {
		replaced(theApp, "app-0:1.4", "app-0:2.4")(files)
		moved(theApp, "manifests/a.yaml")(files)
	}},
	"replicas left to the autoscaler": {after: replaced(theApp, "  replicas: 3\n", ""), differ: []string{image},
		findings: []string{replicas + " Fixed"}},
	"replicas taken from the autoscaler": {before: replaced(theApp, "  replicas: 3\n", ""), differ: []string{image},
		findings: []string{replicas + " Change"}},
	"other replicas": {after: replaced(theApp, "replicas: 3", "replicas: 4"), differ: []string{image}},
	"what was set by hand": {after: replaced(theApp, "value: info", "value: debug"), differ: []string{image},
		findings: []string{logged + " Fixed"}},
	"undone by hand again": {before: replaced(theApp, "value: info", "value: debug"), differ: []string{image},
		findings: []string{logged + " Change"}},
	"a new manifest": {after: added("manifests/new.yaml",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: shop}\ndata: {a: b}\n"),
		differ: []string{"configmap/new Created"}},
	"a removed manifest": {
		after:  func(files map[string]string) { delete(files, theHook) },
		differ: []string{"validatingwebhookconfiguration.admissionregistration.k8s.io/shop Unchanged removed"},
		findings: []string{
			`validatingwebhookconfiguration.admissionregistration.k8s.io/shop .webhooks[name="orders.shop.example.com"].clientConfig.caBundle injected-field Fixed`,
		}},
	"an invalid manifest": {after: replaced(theApp, "port: 80", "port: 80000"), code: 1,
		differ: []string{
			"service/app-0 Invalid",
		}, findings: []string{
			"service/app-0 spec.ports[0].port refused Change", "service/app-0 spec.ports[0].targetPort refused Change",
		}},
	"an invalid manifest, as before": {
		before: replaced(theApp, "port: 80", "port: 80000"), after: replaced(theApp, "port: 80", "port: 80000")},
	"an invalid manifest, fixed": {before: replaced(theApp, "port: 80", "port: 80000"),
		differ: []string{
			"service/app-0 Unchanged",
		}, findings: []string{
			"service/app-0 spec.ports[0].port refused Fixed", "service/app-0 spec.ports[0].targetPort refused Fixed",
		}},
	"an invalid manifest, changed elsewhere": {
		before: replaced(theApp, "port: 80", "port: 80000"), differ: []string{image},
		after: func(files map[string]string) {
			replaced(theApp, "port: 80", "port: 80000")(files)
			replaced(theApp, "app-0:1.4", "app-0:2.4")(files)
		}},
	"another namespace": {
		flags: []string{"--assume-absent"},
		after: replaced(theApp, "kind: Service\nmetadata: {name: app-0, namespace: shop",
			"kind: Service\nmetadata: {name: app-0, namespace: other"),
		differ: []string{"service/app-0 Created", "service/app-0 Unchanged removed"}},
	"a policy that denies another manifest": {after: added("manifests/a-policy.yaml", denial), code: 1,
		differ: []string{
			"deployment.apps/app-0 Invalid", "validatingadmissionpolicy.admissionregistration.k8s.io/few Created",
			"validatingadmissionpolicybinding.admissionregistration.k8s.io/few Created",
		},
		findings: []string{"deployment.apps/app-0  refused Change", replicas + " Fixed", logged + " Fixed"}},
	"settings of the client": {
		flags: []string{"--client", "argocd"}, before: added("manifests/a-app.yaml", application),
		after:    added("manifests/a-app.yaml", application+ignoring),
		differ:   []string{"application.argoproj.io/shop Created", image},
		findings: []string{"deployment.apps/app-0 .spec.replicas never-settles Fixed"}},
	"all of what stood before": {
		flags:  []string{"--fail-on", "error", "--fail-on-existing"},
		code:   1,
		differ: []string{"*"},
	},
}

// TestMerges asks about each change in a repository: what it causes and what it fixes, from
// git's objects and from a folder alike.
func TestMerges(t *testing.T) {
	t.Chdir(t.TempDir())
	release{1, "apply"}.make(t)
	start := map[string]string{}
	for name, file := range map[string]string{theApp: "app-0/app.yaml", theHook: "hook.yaml", "manifests/scalers.yaml": "scalers.yaml"} {
		text, err := os.ReadFile(filepath.Join("v1", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		start[name] = string(text)
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "a"}, {"config", "user.email", "a@example.com"}} {
		git(t, args...)
	}
	for name, m := range merges {
		t.Run(name, func(t *testing.T) {
			commit(t, start, m.before)
			if err := errors.Join(os.RemoveAll("base"), os.CopyFS("base", os.DirFS("manifests"))); err != nil {
				t.Fatal(err)
			}
			commit(t, start, m.after)
			asked := append([]string{
				"apply", "-R", "-f", "manifests", "--live", "live.yaml", "--now", "2026-11-24T00:00:00Z", "-o", "report",
			}, m.flags...)
			if m.flags == nil || m.flags[0] != "--client" {
				asked = append(asked, "--field-manager", "helm", "--client", "none", "--force-conflicts")
			}
			for _, base := range [][]string{{"--base-ref", "HEAD~1"}, {"--base", "base"}} {
				code, text := runIn(append(asked, base...))
				var doc report.Report
				if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &doc); err != nil {
					t.Fatalf("%v: %v\n%s", base, err, text)
				}
				differ, findings := attributions(doc)
				if diff := cmp.Diff(m.differ, differ); diff != "" && !slices.Equal(m.differ, []string{"*"}) {
					t.Errorf("%v: objects (-want +got):\n%s", base, diff)
				}
				if diff := cmp.Diff(m.findings, findings); diff != "" {
					t.Errorf("%v: findings (-want +got):\n%s", base, diff)
				}
				if code != m.code {
					t.Errorf("%v: exit code %d, want %d\n%s", base, code, m.code, text)
				}
			}
		})
	}
}

// attributions are the objects of a report and its findings that the change causes or fixes,
// sorted.
func attributions(doc report.Report) (differ, findings []string) {
	for _, r := range doc.Results {
		said := r.Target.Reference() + " " + string(r.Outcome)
		if r.Removed {
			said += " removed"
		}
		differ = append(differ, said)
		for _, f := range r.Findings {
			if f.Severity != report.SeverityNote && f.Rule != report.RuleCaveat && f.Cause != report.StoodBefore {
				findings = append(findings, fmt.Sprintf("%s %s %s %s", r.Target.Reference(), f.Field, f.Rule, f.Cause))
			}
		}
	}
	slices.Sort(differ)
	slices.Sort(findings)
	return differ, findings
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if text, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
}

// commit commits files with edits.
func commit(t *testing.T, files map[string]string, e edits) {
	t.Helper()
	files = maps.Clone(files)
	if e != nil {
		e(files)
	}
	if err := os.RemoveAll("manifests"); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git(t, "add", "-A", "manifests")
	git(t, "commit", "-q", "--allow-empty", "-m", "change")
}

// TestMergesAtRandom takes manifests of two versions of a release at random on both sides,
// and compares both ways: no finding that is on both sides is caused by the change.
func TestMergesAtRandom(t *testing.T) {
	t.Chdir(t.TempDir())
	release{8, "apply"}.make(t)
	random := rand.New(rand.NewPCG(45, 2))
	var documents []string
	for _, dir := range []string{"v1", "v2"} {
		err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, file))
			documents = append(documents, strings.Split(string(text), "---\n")...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	half := len(documents) / 2
	side := func(dir string) {
		var chosen []string
		for i := range half {
			if n := random.IntN(5); n < 4 {
				chosen = append(chosen, documents[i+half*(n%2)])
			}
		}
		writeChart(t, dir, "all", strings.Join(chosen, "---\n"))
	}
	for range sampled.Of(t, 5, make([]int, 50)) {
		side("one")
		side("other")
		there, back := comparedDirs(t, "one", "other"), comparedDirs(t, "other", "one")
		for finding, cause := range there {
			if want := map[report.Attribution]report.Attribution{report.CausedByChange: report.FixedByChange,
				report.FixedByChange: report.CausedByChange, report.StoodBefore: report.StoodBefore}[cause]; back[finding] != want {
				t.Errorf("%s: %s one way, %s the other", finding, cause, back[finding])
			}
		}
	}
}

// comparedDirs are the findings of a change and their causes.
func comparedDirs(t *testing.T, before, after string) map[string]report.Attribution {
	t.Helper()
	code, text := runIn([]string{"apply", "-f", after, "--base", before, "--live", "live.yaml", "--field-manager", "helm",
		"--client", "none", "--force-conflicts", "--now", "2026-11-24T00:00:00Z", "-o", "report", "--all"})
	var doc report.Report
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &doc); err != nil || code > 1 {
		t.Fatalf("%d, %v\n%s", code, err, text)
	}
	out := map[string]report.Attribution{}
	for _, r := range doc.Results {
		for _, f := range r.Findings {
			for _, rule := range append([]string{f.Rule}, f.Also...) {
				out[r.Target.Reference()+" "+f.Field+" "+rule] = f.Cause
			}
		}
	}
	return out
}
