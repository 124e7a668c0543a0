package serve_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// copies is a reconciler that applies a copy of each ConfigMap with a label.
type copies struct{ client.Client }

const wanted, copied = "example.org/copy", "-copy"

// Reconcile implements reconcile.Reconciler.
func (r copies) Reconcile(ctx context.Context, asked reconcile.Request) (reconcile.Result, error) {
	var of corev1.ConfigMap
	if err := r.Get(ctx, asked.NamespacedName, &of); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	is := corev1apply.ConfigMap(of.Name+copied, of.Namespace).WithData(of.Data)
	return reconcile.Result{}, r.Apply(ctx, is, client.FieldOwner("copies"), client.ForceOwnership)
}

// TestControllerRuntime: a manager is elected leader, its caches fill, and its reconciler sees
// changes and applies; when it ends, another one is elected.
func TestControllerRuntime(t *testing.T) {
	s := server(t)
	log.SetLogger(logr.Discard())
	typed := kubernetes.NewForConfigOrDie(s.ClientConfig)
	maps := typed.CoreV1().ConfigMaps("default")
	of := configMap("of")
	of.Labels, of.Data = map[string]string{wanted: "yes"}, map[string]string{"a": "1"}
	of, err := maps.Create(t.Context(), of, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	end := runManager(t, "first")
	eventually(t, "copy", func() bool {
		is, err := maps.Get(t.Context(), "of"+copied, metav1.GetOptions{})
		return err == nil && is.Data["a"] == "1" && is.ManagedFields[0].Manager == "copies"
	})
	leader := holder(t, typed)
	end()
	of.Data["a"] = "2"
	if _, err := maps.Update(t.Context(), of, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	end = runManager(t, "second")
	defer end()
	eventually(t, "changed copy", func() bool {
		is, err := maps.Get(t.Context(), "of"+copied, metav1.GetOptions{})
		return err == nil && is.Data["a"] == "2"
	})
	if next := holder(t, typed); next == leader || next == "" {
		t.Errorf("the leader is %q, and was %q", next, leader)
	}
}

// runManager runs a manager until it is ended.
func runManager(t *testing.T, name string) (end func()) {
	t.Helper()
	release, renew, retry := 4*time.Second, 3*time.Second, time.Second
	m, err := manager.New(server(t).ClientConfig, manager.Options{
		LeaderElection: true, LeaderElectionID: "copies.example.org", LeaderElectionNamespace: "default",
		LeaderElectionReleaseOnCancel: true, LeaseDuration: &release, RenewDeadline: &renew, RetryPeriod: &retry,
		Metrics: metrics.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	labelled := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()[wanted] != "" })
	build := builder.ControllerManagedBy(m).Named(name).For(&corev1.ConfigMap{}, builder.WithPredicates(labelled))
	if err := build.Complete(copies{m.GetClient()}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the manager %s: %v", name, err)
		}
	}
}

// holder is who leads.
func holder(t *testing.T, typed *kubernetes.Clientset) string {
	t.Helper()
	var lease *coordinationv1.Lease
	lease, err := typed.CoordinationV1().Leases("default").Get(t.Context(), "copies.example.org", metav1.GetOptions{})
	if err != nil || lease.Spec.HolderIdentity == nil {
		t.Fatalf("no leader: %v", err)
	}
	return *lease.Spec.HolderIdentity
}
