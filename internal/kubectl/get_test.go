package kubectl

import (
	"strings"
	"testing"
)

func TestGet(t *testing.T) {
	for want, given := range map[string]struct {
		Client
		Get
	}{
		"kubectl get deployments.apps/web deployments.apps/db services/web -n shop --ignore-not-found --show-managed-fields -o json": {
			Get: Get{Namespace: "shop", Selections: []Selection{{"deployments.apps", []string{"web", "db"}}, {"services", []string{"web"}}}},
		},
		"kubectl get namespaces default shop --ignore-not-found --show-managed-fields -o json": {
			Get: Get{Selections: []Selection{{"namespaces", []string{"default", "shop"}}}},
		},
		"kubectl --kubeconfig=k --context=prod get limitranges,resourcequotas --all-namespaces --ignore-not-found --show-managed-fields -o json": {
			Client{Context: "prod", Kubeconfig: "k"}, Get{Everywhere: true, Selections: []Selection{{Type: "limitranges"}, {Type: "resourcequotas"}}},
		},
	} {
		if got := strings.Join(given.Get.Command(given.Client), " "); got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
	}
}
