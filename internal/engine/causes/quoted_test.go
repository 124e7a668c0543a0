package causes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown is a refusal in a line.
func shown(q Quoted) string {
	out := fmt.Sprintf("%d %s %s %s/%s", q.Line, q.Target.APIVersion, q.Target.Kind, q.Target.Namespace, q.Target.Name)
	for _, c := range q.Conflicts {
		out += fmt.Sprintf(" | %s %s %s %s %s", c.Field, c.Manager, c.Operation, c.Subresource, c.APIVersion)
	}
	for _, c := range q.Causes {
		out += " | " + c.Field + " " + c.Message
	}
	return out
}

func TestQuotes(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "all is well\n", nil},
		{"kubectl, one", `error: Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas
Please review the fields above--they currently have other managers.`,
			[]string{"1   / | .spec.replicas kube-controller-manager Update scale apps/v1"}},
		{"kubectl, several owners", `error: Apply failed with 3 conflicts: conflicts with "helm":
- .spec.template.spec.containers[name="web"].image
- .metadata.annotations.a.b/c
conflicts with "kubectl-edit" using apps/v1 at 2026-01-02T03:04:05Z:
- .spec.paused
Please review the fields above`,
			[]string{`1   / | .spec.template.spec.containers[name="web"].image helm Apply   | .metadata.annotations.a.b/c helm Apply   | .spec.paused kubectl-edit Update  apps/v1`}},
		{"in a log of JSON", `{"level":"error","msg":"Apply failed with 2 conflicts: conflicts with \"a b\":\n- .spec.x\n- .spec.y[name=\"q\"]"}`,
			[]string{`1   / | .spec.x a b Apply   | .spec.y[name="q"] a b Apply  `}},
		{"in the log of a job, with times and colors", "2026-11-28T01:02:03.000Z \x1b[31merror: Apply failed with 2 conflicts: conflicts with \"helm\":\x1b[0m\n2026-11-28T01:02:03.000Z - .spec.a\n2026-11-28T01:02:03.000Z - .spec.b\n",
			[]string{"1   / | .spec.a helm Apply   | .spec.b helm Apply  "}},
		{"in a sentence", `Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas && failed`,
			[]string{"1   / | .spec.replicas hpa Update  apps/v1"}},
		{"invalid, one", `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable`,
			[]string{"1  Deployment /web | spec.selector Invalid value: field is immutable"}},
		{"invalid, several", `Service.v1 "web" is invalid: [spec.ports[1].name: Duplicate value: "metrics", spec.clusterIPs[0]: Required value: must be set, <nil>: Invalid value: null: some validation rules were not checked]`,
			[]string{"1 v1/ Service /web | spec.ports[1].name Duplicate value | spec.clusterIPs[0] Required value: must be set"}},
		{"a value that looks like a secret", `Secret "s" is invalid: data[a]: Invalid value: "hunter2": must be base64`,
			[]string{"1  Secret /s | data[a] Invalid value: must be base64"}},
		{"not declared", `failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.tempalte: field not declared in schema`,
			[]string{"1 apps/v1 Deployment shop/web | .spec.tempalte field not declared in schema"}},
		{"several of these", "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): errors:\n  .spec.a: field not declared in schema\n  .spec.b: expected numeric (int or float), got string \"hunter2\"\nnext",
			[]string{"1 apps/v1 Deployment shop/web | .spec.a field not declared in schema | .spec.b expected numeric (int or float), got another type"}},
		{"Argo CD's comparison", `ComparisonError: Failed to compare desired state to live state: failed to calculate diff: error calculating structured merge diff: error building typed value from config resource: .spec.foo: field not declared in schema`,
			[]string{"1   / | .spec.foo field not declared in schema"}},
		{"strict", `Error from server (BadRequest): error when creating "web.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.a", unknown field "spec.b"`,
			[]string{"1   / | spec.a unknown field | spec.b unknown field"}},
		{"two on different lines", "x\nApply failed with 1 conflict: conflict with \"a\": .x\ny\nmetadata.managedFields must be nil\n",
			[]string{"2   / | .x a Apply  ", "4   / |  metadata.managedFields must be nil"}},
	} {
		var got []string
		for _, q := range Quotes(tt.text) {
			got = append(got, shown(q))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// FuzzQuotes: whatever a log has, a value between quotes is not repeated.
func FuzzQuotes(f *testing.F) {
	f.Add(`Secret "s" is invalid: data.k: Invalid value: "`, `": must be base64`)
	f.Add(
		`failed to create typed patch object (a/b; v1, Kind=Secret): .data.k: expected string, got &value.valueUnstructured{Value:"`,
		`"}`,
	)
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "c4nary-v4lue"
		quoted := strings.Count(before, "Invalid value") == 1 && strings.HasSuffix(before, `: "`)
		if !quoted || strings.Contains(before+after, secret[:4]) {
			return
		}
		for _, q := range Quotes(before + secret + after) {
			for _, c := range q.Causes {
				if strings.Contains(c.Message, secret) {
					t.Errorf("%q repeats the value", shown(q))
				}
			}
		}
	})
}
