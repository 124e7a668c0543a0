package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestDenials: the server names the first denial, and the answer has all of them.
func TestDenials(t *testing.T) {
	policy := func(name, actions, spec string) []string {
		const meta = "apiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: NAME}\n"
		return []string{
			strings.ReplaceAll(
				meta,
				"NAME",
				name,
			) + "kind: ValidatingAdmissionPolicy\nspec: {matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}, " + spec + "}",
			strings.ReplaceAll(
				meta,
				"NAME",
				name,
			) + "kind: ValidatingAdmissionPolicyBinding\nspec: {policyName: " + name + ", validationActions: [" + actions + "]" + paramRef(
				spec,
			) + "}",
		}
	}
	var given []string
	given = append(
		given,
		policy(
			"b",
			"Deny",
			`validations: [{expression: "false", message: one}, {expression: "true", message: fine}, {expression: "false", message: two}]`,
		)...)
	given = append(given, policy("a", "'Deny', Audit", `validations: [{expression: "object.data.x == 'y'"}]`)...)
	given = append(given, policy("c", "Warn", `validations: [{expression: "false", message: a warning}]`)...)
	given = append(
		given,
		policy("d", "Deny", `paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "true"}]`)...)
	given = append(
		given,
		policy(
			"e",
			"Warn",
			`validations: [{expression: "true"}], auditAnnotations: [{key: k, valueExpression: "string(object.data.z)"}]`,
		)...)
	var objects [][]byte
	for _, text := range given {
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, asJSON)
	}
	s := newServer(t, Options{Objects: objects})
	response, err := s.Do(context.Background(), api.Request{
		Verb: api.Create, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "default", Name: "c",
		Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ValidatingAdmissionPolicy 'a' with binding 'a' denied request: expression 'object.data.x == 'y'' resulted in error: no such key: data",
		"ValidatingAdmissionPolicy 'b' with binding 'b' denied request: one",
		"ValidatingAdmissionPolicy 'b' with binding 'b' denied request: two",
		"ValidatingAdmissionPolicy 'd' with binding 'd' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
		"ValidatingAdmissionPolicy 'e' with binding 'e' denied request: expression 'string(object.data.z)' resulted in error: no such key: data",
	}
	if diff := cmp.Diff(want, response.Denials); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if response.Code != http.StatusUnprocessableEntity || !strings.Contains(string(response.Body), `"message":"`+want[0]) {
		t.Errorf("answer %d %s", response.Code, response.Body)
	}
	if diff := cmp.Diff([]string{"Validation failed for ValidatingAdmissionPolicy 'c' with binding 'c': a warning"}, response.Warnings); diff != "" {
		t.Errorf("warnings: (-want +got)\n%s", diff)
	}
}

// paramRef is what a binding needs where its policy has parameters.
func paramRef(spec string) string {
	if strings.Contains(spec, "paramKind") {
		return ", paramRef: {name: none, namespace: default, parameterNotFoundAction: Deny}"
	}
	return ""
}
