package kubectl

import "testing"

func TestGet(t *testing.T) {
	for want, given := range map[string]struct {
		Client
		Get
	}{
		"kubectl get --namespace=shop --ignore-not-found --show-managed-fields --output=json -- deployments.apps/web deployments.apps/db services/web": {
			Get: Get{Namespace: "shop", Selections: []Selection{{"deployments.apps", []string{"web", "db"}}, {"services", []string{"web"}}}},
		},
		"kubectl get --ignore-not-found --show-managed-fields --output=json -- namespaces default shop": {
			Get: Get{Selections: []Selection{{"namespaces", []string{"default", "shop"}}}},
		},
		"kubectl get --kubeconfig=k --context=prod --all-namespaces --ignore-not-found --show-managed-fields --output=json -- limitranges,resourcequotas": {
			Client{Context: "prod", Kubeconfig: "k"}, Get{Everywhere: true, Selections: []Selection{{Type: "limitranges"}, {Type: "resourcequotas"}}},
		},
	} {
		if got := given.Command(given.Client).String(); got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
	}
}
