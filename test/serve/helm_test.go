package serve_test

import (
	"log/slog"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/kube"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"

	"github.com/ssactl/ssactl/ssatest"
)

// deploymentOfHelm has as many replicas as the values say, and a hook runs before each upgrade.
const deploymentOfHelm = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {"helm.sh/hook": "pre-upgrade", "helm.sh/hook-delete-policy": "hook-succeeded"}}
spec:
  template: {spec: {containers: [{name: migrate, image: "web:1"}], restartPolicy: Never}}
`

// TestHelmLibrary: a program that uses Helm as a library installs, meets a conflict with an
// autoscaler, forces it, rolls back and uninstalls, with waits and hooks, and ssatest says of each who
// owns what.
func TestHelmLibrary(t *testing.T) {
	t.Setenv("SSACTL", built(t))
	kube.ManagedFieldsManager = "helm"
	c := ssatest.Start(t, ssatest.Ready())
	deployments := kubernetes.NewForConfigOrDie(c.Config).AppsV1().Deployments("default")
	config, web := helmOf(t, c), ssatest.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web"}
	release := &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: "v2", Name: "shop", Version: "1.0.0"},
		Templates: []*common.File{{Name: "templates/web.yaml", Data: []byte(deploymentOfHelm)}},
	}

	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace, install.ServerSideApply = "shop", "default", true
	install.WaitStrategy, install.Timeout = kube.StatusWatcherStrategy, patience
	if _, err := install.Run(release, map[string]any{"replicas": 2}); err != nil {
		t.Fatal(err)
	}
	c.AssertOwns(web, "helm", ".spec.replicas")

	_, err := deployments.UpdateScale(t.Context(), "web", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"}, Spec: autoscalingv1.ScaleSpec{Replicas: 5},
	}, metav1.UpdateOptions{FieldManager: "autoscaler"})
	if err != nil {
		t.Fatal(err)
	}
	c.AssertOwns(web, "autoscaler", ".spec.replicas")

	c.Mark()
	upgrade := func(force bool) error {
		u := action.NewUpgrade(config)
		u.Namespace, u.ServerSideApply, u.ForceConflicts = "default", "true", force
		u.WaitStrategy, u.Timeout = kube.StatusWatcherStrategy, patience
		_, err := u.Run("shop", release, map[string]any{"replicas": 3})
		return err
	}
	if err := upgrade(false); err == nil || !strings.Contains(err.Error(), `conflict with "autoscaler"`) {
		t.Errorf("an upgrade of what the autoscaler owns: %v", err)
	}
	c.AssertTakesNothingFrom("autoscaler")
	if err := upgrade(true); err != nil {
		t.Fatal(err)
	}
	c.AssertOwns(web, "helm", ".spec.replicas")

	back := action.NewRollback(config)
	back.Version, back.ServerSideApply, back.WaitStrategy, back.Timeout = 1, "true", kube.StatusWatcherStrategy, patience
	if err := back.Run("shop"); err != nil {
		t.Fatal(err)
	}
	is, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil || *is.Spec.Replicas != 2 {
		t.Errorf("after the rollback: %+v, %v", is.Spec.Replicas, err)
	}

	gone := action.NewUninstall(config)
	gone.WaitStrategy, gone.Timeout = kube.StatusWatcherStrategy, patience
	if _, err := gone.Run("shop"); err != nil {
		t.Fatal(err)
	}
	if _, err := deployments.Get(t.Context(), "web", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after the uninstallation: %v", err)
	}
}

// helmOf is the configuration of Helm's actions against a server.
func helmOf(t *testing.T, c *ssatest.Cluster) *action.Configuration {
	t.Helper()
	flags, namespace := genericclioptions.NewConfigFlags(true), "default"
	flags.KubeConfig, flags.Namespace = &c.Kubeconfig, &namespace
	config := action.NewConfiguration(action.ConfigurationSetLogger(slog.DiscardHandler))
	if err := config.Init(flags, namespace, "secret"); err != nil {
		t.Fatal(err)
	}
	return config
}
