package pasted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

func TestRead(t *testing.T) {
	const conflicting = `Apply failed with 1 conflict: conflict with "hpa": .spec.replicas`
	for _, tt := range []struct {
		name, text, client string
		want               []string
	}{
		{"Helm 4", `Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: ` + conflicting, "helm", []string{"apps/v1 Deployment shop/web"}},
		{"Flux", "Deployment/shop/web dry-run failed (Invalid): Deployment.apps \"web\" is invalid: spec.selector: Invalid value: {}: field is immutable", "flux", []string{"apps/ Deployment shop/web"}},
		{"Flux, cluster-scoped", "ClusterRole/a:b dry-run failed: " + conflicting, "flux", []string{" ClusterRole /a:b"}},
		{"Argo CD", "one or more objects failed to apply, reason: Service \"a\" is invalid: spec.clusterIP: Invalid value: \"\": field is immutable", "argocd", []string{" Service /a"}},
		{"kubectl says no object", "error: " + conflicting + "\nPlease review the fields above--they currently have other managers.", "kubectl", []string{"  /"}},
		{"each once", conflicting + "\nretry\n" + conflicting, "", []string{"  / 2 times"}},
		{"two objects", `cannot patch "a" with kind Deployment: ` + conflicting + "\n" + `cannot patch "b" with kind Deployment: ` + conflicting, "", []string{" Deployment /a", " Deployment /b"}},
	} {
		list, err := Read(strings.NewReader(tt.text), "-")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, r := range list {
			line := r.Target.APIVersion + " " + r.Target.Kind + " " + r.Target.Namespace + "/" + r.Target.Name
			if r.Times > 1 {
				line += " 2 times"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || list[0].Client != tt.client {
			t.Errorf("%s: of %q (-want +got):\n%s", tt.name, list[0].Client, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("all is well\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"":             "give a file",
		empty:          "has no message of a refused apply",
		empty + "none": "no such file",
	} {
		if _, err := Read(strings.NewReader(""), name); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "--error: ") {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

// TestFindings: one for each owner and fault, with what to do next by what is given.
func TestFindings(t *testing.T) {
	list, err := Read(
		strings.NewReader(`cannot patch "web" with kind Deployment: Apply failed with 3 conflicts: conflicts with "helm":
- .spec.b
- .spec.a
conflicts with "kubectl-edit" using apps/v1:
- .spec.c
Service "x y" is invalid: spec.a: Forbidden: no
Secret "s" is invalid: data[k]: Invalid value: "hunter2": must be base64`),
		"-",
	)
	if err != nil {
		t.Fatal(err)
	}
	manifests, live := []shell.Flag{shell.File("-f", "m")}, []shell.Flag{shell.File("--live", "l")}
	for _, tt := range []struct {
		name string
		next Next
		want string
	}{
		{"nothing", Next{}, "kubectl get --output=yaml --show-managed-fields -- deployment web > live.yaml"},
		{"manifests", Next{Manifests: manifests}, "ssactl snapshot -f m --to=live.json.gz"},
		{"both", Next{Manifests: manifests, Live: live, Sender: []shell.Flag{shell.Value("--client", "helm")}}, "ssactl explain -f m --live=l --client=helm --error=-"},
	} {
		found := Findings(list, tt.next)
		var got []string
		for _, f := range found {
			got = append(got, f.Rule+" "+strings.Join(f.Fields, " ")+" "+f.Manager)
			if strings.Contains(f.Message.String(), "hunter2") {
				t.Errorf("the value is repeated: %s", f.Message)
			}
		}
		want := []string{"conflict .spec.a .spec.b helm", "conflict .spec.c kubectl-edit", "refused data[k] "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if command := found[0].Fixes[0].Command.String(); command != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, command, tt.want)
		}
	}
}

func TestMentioned(t *testing.T) {
	list, err := Read(strings.NewReader(`Apply failed with 1 conflict: conflict with "hpa": .spec.a
Deployment.apps "c" is invalid: spec.x: Required value`), "-")
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string, outcome report.Outcome, fields ...string) conflict.Explanation {
		e := conflict.Explanation{
			Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
			Answer: report.Answer{Outcome: outcome},
		}
		for _, f := range fields {
			e.Conflicts = append(e.Conflicts, conflict.Conflict{Field: f})
		}
		return e
	}
	var got []string
	for _, e := range Mentioned(list, []conflict.Explanation{
		of("a", report.Conflicted, ".spec.a", ".spec.b"), of("b", report.Conflicted, ".spec.b"), of("c", report.Invalid), of("d", report.Invalid), of("e", report.Configured),
	}) {
		line := e.Target.Name
		for _, c := range e.Conflicts {
			line += " " + c.Field
		}
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"a .spec.a", "c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
