package serve_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/serve"
	"github.com/ssactl/ssactl/internal/serve/load"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// eventually waits for what a controller does, a minute at most.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %s after a minute", what)
}

// TestUnreadable: a dump that cannot be read has no server.
func TestUnreadable(t *testing.T) {
	s, event := run(t, wire.Spec{Live: []string{filepath.Join("testdata", "unreadable.json")}})
	if event.Failed == nil || !strings.Contains(event.Failed.Message, "unreadable.json") {
		t.Errorf("the event is %+v", event)
	}
	if code := s.end(); code != 1 {
		t.Errorf("the program ended with %d", code)
	}
}

// TestMaskedIsUnreadable: masks are no values of Secrets.
func TestMaskedIsUnreadable(t *testing.T) {
	_, event := run(t, wire.Spec{Live: []string{filepath.Join("testdata", "masked.yaml")}})
	if event.Failed == nil || !strings.Contains(event.Failed.Message, "a value of the Secret is masked") {
		t.Errorf("the event is %+v", event)
	}
}

// TestReady: workloads are rolled out at once, and a Job is complete.
func TestReady(t *testing.T) {
	s := start(t, wire.Spec{Ready: true})
	client, ctx := s.typed(t), t.Context()
	pod := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "web", Image: "web:1"}}, RestartPolicy: corev1.RestartPolicyNever,
		},
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "hook"}, Spec: batchv1.JobSpec{Template: pod}}
	if _, err := client.BatchV1().Jobs("default").Create(ctx, job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pod.Spec.RestartPolicy = corev1.RestartPolicyAlways
	replicas := int32(3)
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.DeploymentSpec{
		Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: pod.Labels}, Template: pod,
	}}
	if _, err := client.AppsV1().Deployments("default").Create(ctx, deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "rolled out Deployment", func() bool {
		is, err := client.AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{})
		return err == nil && is.Status.AvailableReplicas == replicas && is.Status.ObservedGeneration == is.Generation
	})
	eventually(t, "complete Job", func() bool {
		is, err := client.BatchV1().Jobs("default").Get(ctx, "hook", metav1.GetOptions{})
		return err == nil && is.Status.Succeeded == 1 && is.Status.CompletionTime != nil
	})
}

// TestWriteBack: at an orderly end the file has the objects of the dump and those written since,
// and nothing that every cluster has.
func TestWriteBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "back.json")
	s := start(t, wire.Spec{Live: []string{filepath.Join("testdata", "dump.yaml")}, WriteBack: file})
	_, err := s.typed(t).CoreV1().ConfigMaps("shop").Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "new"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "object that the server makes when it is ready", func() bool {
		_, err := s.typed(t).CoreV1().ConfigMaps("kube-system").Get(
			t.Context(), "kube-apiserver-legacy-service-account-token-tracking", metav1.GetOptions{},
		)
		return err == nil
	})
	if _, err := io.WriteString(s.tell, wire.End); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list unstructured.UnstructuredList
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range list.Items {
		got = append(got, item.GetKind()+"/"+item.GetName())
	}
	want := []string{
		"ConfigMap/new", "Deployment/web", "CronTab/nightly", "CustomResourceDefinition/crontabs.example.com",
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestKinds compares what the loader knows of kinds with what a server serves.
func TestKinds(t *testing.T) {
	s := start(t, wire.Spec{})
	_, lists, err := s.typed(t).Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, list := range lists {
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !strings.Contains(strings.Join(r.Verbs, " "), "list") {
				continue
			}
			seen++
			if scoped := load.Namespaced(list.GroupVersion, r.Kind); scoped != r.Namespaced {
				t.Errorf("%s %s: namespaced is %v, want %v", list.GroupVersion, r.Kind, scoped, r.Namespaced)
			}
			if resource := load.Resource(list.GroupVersion, r.Kind); resource != r.Name {
				t.Errorf("%s %s: the resource is %s, want %s", list.GroupVersion, r.Kind, resource, r.Name)
			}
		}
	}
	if seen < 50 {
		t.Errorf("the server has %d resources only", seen)
	}
}

// TestEndsWhileItStarts: a server whose standard input ends before it is ready leaves nothing.
func TestEndsWhileItStarts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "server")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	spec, err := json.Marshal(wire.Spec{Dir: dir, Address: "127.0.0.1:0", Webhooks: "drop", Controllers: true})
	if err != nil {
		t.Fatal(err)
	}
	if code := serve.Main(strings.NewReader(string(spec)+"\n"), io.Discard); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("its directory is left: %v", err)
	}
}
