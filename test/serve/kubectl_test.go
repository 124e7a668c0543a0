package serve_test

import (
	"regexp"
	"strings"
	"testing"
)

const deploymentOfKubectl = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: verbs, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", ports: [{containerPort: 80}]}]}
`

const heldOfKubectl = `
apiVersion: v1
kind: ConfigMap
metadata: {name: held, namespace: verbs, finalizers: [example.org/hold]}
`

func replicas(number string) string {
	return strings.Replace(deploymentOfKubectl, "replicas: 2", "replicas: "+number, 1)
}

// verbs are the commands of a day, in their order: each has its input, what it prints, and its exit
// code. The server runs no Pods.
var verbs = []struct {
	args, input, want string
	code              int
}{
	{"cluster-info", "", `Kubernetes control plane.* is running at`, 0},
	{"api-resources --namespaced --verbs=list -o name", "", `(?s)configmaps.*deployments\.apps`, 0},
	{"api-versions", "", `(?m)^apps/v1$`, 0},
	{"explain deployment.spec.replicas", "", `FIELD: replicas <integer>`, 0},
	{"get --raw /readyz", "", `^ok$`, 0},
	{"auth can-i create deployments -n verbs", "", `^yes`, 0},
	{"auth can-i get secrets --as someone --as-group system:authenticated", "", `^no`, 1},
	{"auth whoami", "", `Username +ssactl-admin`, 0},

	{"create namespace verbs", "", `namespace/verbs created`, 0},
	{"wait -n verbs serviceaccount/default --for=create --timeout=30s", "", `serviceaccount/default condition met`, 0},
	{"apply -f -", deploymentOfKubectl, `deployment\.apps/web created`, 0},
	{"apply -f -", deploymentOfKubectl, `deployment\.apps/web unchanged`, 0},
	{"apply -f - --dry-run=server", replicas("3"), `deployment\.apps/web configured \(server dry run\)`, 0},
	{"apply view-last-applied deployment web -n verbs", "", `replicas: 2`, 0},
	{"diff -f -", replicas("3"), `(?s)-  replicas: 2.*\+  replicas: 3`, 1},
	{"diff -f -", deploymentOfKubectl, `^$`, 0},
	{
		"apply --server-side --field-manager=ops -f -",
		replicas("3"),
		`conflict with "kubectl-client-side-apply".*\.spec\.replicas`,
		1,
	},
	{
		"apply --server-side --field-manager=ops --force-conflicts -f -",
		replicas("3"),
		`deployment\.apps/web serverside-applied`,
		0,
	},
	{"diff --server-side --field-manager=ops -f -", replicas("4"), `(?s)-  replicas: 3.*\+  replicas: 4`, 1},
	{"apply --server-side -f -", replicas("5"), `conflict with "ops"`, 1},

	{"get deployments -A", "", `verbs +web +0/3`, 0},
	{"get deployment web -n verbs -o wide", "", `CONTAINERS +IMAGES`, 0},
	{"get deployment web -n verbs -o jsonpath={.spec.replicas}", "", `^3$`, 0},
	{"get deployments -n verbs -l app=web -o name", "", `^deployment\.apps/web$`, 0},
	{"get deployments -n verbs -l app!=web", "", `No resources found`, 0},
	{"get deployments -A --field-selector metadata.name=web -o custom-columns=N:.metadata.name", "", `^N\nweb$`, 0},
	{"get deployments -A --field-selector spec.replicas=3", "", `is not a known field selector`, 1},
	{"get all -n verbs", "", `deployment\.apps/web`, 0},
	{"get deployment web -n verbs -o yaml --show-managed-fields", "", `manager: ops`, 0},
	{"get deployment none -n verbs", "", `Error from server \(NotFound\)`, 1},
	{"get deployments -n verbs -w --request-timeout=2s", "", `web +0/3`, 0},
	{"describe deployment web -n verbs", "", `Replicas: +3 desired`, 0},

	{"scale deployment web -n verbs --replicas=4", "", `deployment\.apps/web scaled`, 0},
	{"set image deployment/web -n verbs web=web:2", "", `image updated`, 0},
	{"set env deployment/web -n verbs A=b", "", `env updated`, 0},
	{"set resources deployment/web -n verbs --limits=cpu=1", "", `resource requirements updated`, 0},
	{"label deployment web -n verbs tier=front", "", `deployment\.apps/web labeled`, 0},
	{"annotate deployment web -n verbs note=a", "", `deployment\.apps/web annotated`, 0},
	{"patch deployment web -n verbs -p {\"spec\":{\"paused\":true}}", "", `deployment\.apps/web patched`, 0},
	{"patch deployment web -n verbs --type=merge -p {\"spec\":{\"paused\":null}}", "", `deployment\.apps/web patched`, 0},
	{
		"patch deployment web -n verbs --type=json -p [{\"op\":\"remove\",\"path\":\"/metadata/labels/tier\"}]",
		"",
		`patched`,
		0,
	},
	{"patch deployment web -n verbs --subresource=status --type=merge -p {\"status\":{\"replicas\":4}}", "", `patched`, 0},
	{"edit deployment web -n verbs", "", `deployment\.apps/web edited`, 0},
	{"get deployment web -n verbs -o jsonpath={.spec.replicas}", "", `^9$`, 0},
	{"rollout pause deployment/web -n verbs", "", `deployment\.apps/web paused`, 0},
	{"rollout resume deployment/web -n verbs", "", `deployment\.apps/web resumed`, 0},
	{"rollout restart deployment/web -n verbs", "", `deployment\.apps/web restarted`, 0},
	{"rollout status deployment/web -n verbs --timeout=1s", "", `timed out|Waiting for deployment`, 1},
	{"autoscale deployment web -n verbs --max=5", "", `autoscaled`, 0},
	{"expose deployment web -n verbs --port=80", "", `service/web exposed`, 0},
	{"replace -f -", strings.Replace(deploymentOfKubectl, "web:1", "web:3", 1), `deployment\.apps/web replaced`, 0},

	{"create configmap settings -n verbs --from-literal=a=b", "", `configmap/settings created`, 0},
	{"create secret generic key -n verbs --from-literal=a=b", "", `secret/key created`, 0},
	{"create token default -n verbs", "", `^ey`, 0},
	{"run once -n verbs --image=web:1", "", `pod/once created`, 0},
	{"wait -n verbs pod/once --for=condition=Ready --timeout=1s", "", `timed out waiting`, 1},
	{"wait -n verbs deployment/web --for=jsonpath={.spec.paused}=false --timeout=1s", "", `timed out|condition met`, -1},
	{"logs once -n verbs", "", `^$`, 0},
	{"top pods -n verbs", "", `Metrics API not available`, 1},
	{"events -n verbs", "", `.`, 0},

	{"create configmap set -n verbs", "", `configmap/set created`, 0},
	{"apply -n verbs --prune --applyset=parent -f -", heldOfKubectl, `configmap/held created|serverside-applied`, 0},
	{"delete configmap held -n verbs --wait=false", "", `configmap "held" deleted`, 0},
	{"get configmap held -n verbs -o jsonpath={.metadata.deletionTimestamp}", "", `^20`, 0},
	{"patch configmap held -n verbs -p {\"metadata\":{\"finalizers\":null}}", "", `configmap/held patched`, 0},
	{"wait -n verbs configmap/held --for=delete --timeout=10s", "", `condition met|^$`, 0},
	{"delete deployment web -n verbs --cascade=foreground", "", `deployment\.apps "web" deleted`, 0},
	{"delete configmaps -n verbs --all", "", `configmap "settings" deleted`, 0},
	{"delete namespace verbs", "", `namespace "verbs" deleted`, 0},
	{"get namespace verbs", "", `NotFound`, 1},
}

// TestKubectl: each verb does what it does to a cluster.
func TestKubectl(t *testing.T) {
	kubectl := command{program(t, "kubectl"), []string{
		"KUBECONFIG=" + kubeconfigOf(t, server(t).ClientConfig), "KUBECTL_APPLYSET=true", "HOME=" + t.TempDir(),
		"KUBE_EDITOR=sed -i s/replicas:.4/replicas:\\ 9/",
	}}
	for _, v := range verbs {
		out, code := kubectl.run(t, v.input, strings.Fields(v.args)...)
		if v.code >= 0 && code != v.code || !regexp.MustCompile(v.want).MatchString(strings.TrimSpace(out)) {
			t.Errorf("kubectl %s: exit %d, want %d and %s:\n%s", v.args, code, v.code, v.want, out)
		}
	}
}
