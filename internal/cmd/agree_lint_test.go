package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// linted are manifests of an empty cluster, each with something that lint and apply find by a rule of one name.
var linted = map[string]string{
	"replicas-autoscaled": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 3, maxReplicas: 9}
`,
	"injected-field": `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: web
  annotations: {cert-manager.io/inject-ca-from: shop/web}
webhooks:
- name: one.example.com
  clientConfig: {url: "https://web.example.com", caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==}
  sideEffects: None
  admissionReviewVersions: [v1]
`,
	"stored-differently": `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
      - name: db
        image: "db:1"
        resources: {limits: {cpu: 1000m, memory: 1024Mi}}
`,
}

// TestLintAgrees: lint says of each field of a manifest what apply says of it on an empty cluster, where both have a
// rule of the name: as severe, and with the same first fix.
func TestLintAgrees(t *testing.T) {
	for rule, text := range linted {
		t.Run(rule, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.yaml")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			found := findingsIn(t, "lint", "-f", file, "-o", "json")
			compared := 0
			for _, f := range findingsIn(t, "apply", "-f", file, "--assume-absent", "--client", "argocd", "-o", "report") {
				if f.Rule != rule {
					continue
				}
				is := func(other saidFinding) bool { return other.Rule == rule && slices.Contains(other.Fields, f.Field) }
				i := slices.IndexFunc(found, is)
				if i < 0 {
					t.Errorf("lint does not say %s", f.is())
					continue
				}
				compared++
				if l := found[i]; l.Severity != f.Severity || l.first() != f.first() {
					t.Errorf("%s: apply says %s, %q; lint says %s, %q", f.is(), f.Severity, f.first(), l.Severity, l.first())
				}
			}
			if compared == 0 {
				t.Errorf("apply does not say %s", rule)
			}
		})
	}
}

// findingsIn are the findings in the JSON of a command, also those of its results.
func findingsIn(t *testing.T, args ...string) []saidFinding {
	t.Helper()
	var out, errOut bytes.Buffer
	Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, func(string) string { return "" }))
	var doc struct {
		Results []struct {
			Target   struct{ Kind, Namespace, Name string }
			Findings []saidFinding
		}
		Findings []saidFinding
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %v: %s", args, err, errOut.String())
	}
	for _, r := range doc.Results {
		for _, f := range r.Findings {
			f.Target = r.Target
			doc.Findings = append(doc.Findings, f)
		}
	}
	return doc.Findings
}
