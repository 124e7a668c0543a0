package writers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestRolesOf: the rules of a role that is made of others, as the controller puts them together.
func TestRolesOf(t *testing.T) {
	var roles Roles
	for _, text := range []string{
		"{metadata: {name: b, labels: {to: x}}, rules: [{verbs: [get]}, {verbs: [list]}]}",
		"{metadata: {name: a, labels: {to: x, tier: \"1\"}}, rules: [{verbs: [watch]}, {verbs: [get]}]}",
		"{metadata: {name: c, labels: {to: y}}, rules: [{verbs: [delete]}]}",
		"{metadata: {name: x, labels: {to: x}}, rules: [{verbs: [patch]}]}",
		"{metadata: {name: c, labels: {to: z}}, rules: [{verbs: [delete]}]}",
	} {
		roles.Add(object(t, text))
	}
	for rule, want := range map[string]string{
		"{clusterRoleSelectors: [{matchLabels: {to: x}}]}":                                 "[map[verbs:[watch]] map[verbs:[get]] map[verbs:[list]]] 2",
		"{clusterRoleSelectors: [{matchLabels: {to: z}}, {matchLabels: {tier: \"1\"}}]}":   "[map[verbs:[delete]] map[verbs:[watch]] map[verbs:[get]]] 2",
		"{clusterRoleSelectors: [{matchExpressions: [{key: tier, operator: Exists}]}]}":    "[map[verbs:[watch]] map[verbs:[get]]] 1",
		"{clusterRoleSelectors: [{matchLabels: {to: y}}]}":                                 "[] 0",
		"{clusterRoleSelectors: [{matchExpressions: [{key: to, operator: No}]}, text, 7]}": "[] 0",
		"{clusterRoleSelectors: []}":                                                       "[] 0",
		"{}":                                                                               "[] 0",
	} {
		rules, n := roles.Of("x", object(t, rule))
		if diff := cmp.Diff(want, fmt.Sprintf("%v %d", rules, n)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rule, diff)
		}
	}
	if roles.Whole() {
		t.Error("some roles are taken for those of a cluster")
	}
	for _, name := range []string{"admin", "cluster-admin", "edit", "view"} {
		roles.Add(map[string]any{"metadata": map[string]any{"name": name}})
	}
	if !roles.Whole() {
		t.Error("those of a cluster are not")
	}
}

func object(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
